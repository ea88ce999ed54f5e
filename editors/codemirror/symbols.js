// The symbol table in CodeMirror 6: an extension for the LSPClient of @codemirror/lsp-client whose server runs behind
// `symbols proxy --format standard -- SERVER`. Copy this file, or what you want of it.
import { LSPPlugin } from '@codemirror/lsp-client';
import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, showPanel } from '@codemirror/view';

// Of a client that does not say it knows the hierarchy and all kinds, servers keep children back and call a struct a class.
const symbolKind = { valueSet: Array.from({ length: 26 }, (_, i) => i + 1) };

/**
 * For `extensions` of an LSPClient. Declares what makes the table whole. Mod-Alt-o opens the table below the editor, Escape closes it.
 */
export function symbolTable() {
  return {
    clientCapabilities: {
      textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true, symbolKind } },
      workspace: { symbol: { symbolKind } },  // the one that clangd reads
    },
    editorExtension: [
      tableField,
      keymap.of([
        { key: 'Mod-Alt-o', run: (view) => (showSymbolTable(view), true) },
        { key: 'Escape', run: closeSymbolTable },
      ]),
    ],
  };
}

/** The symbols of the editor's document as text; `options` are those of `symbols proxy`: { format: 'tree', max_tokens: 500 }. */
export async function symbolsOf(view, options = {}) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) throw new Error('this editor has no language server: give it the extension client.plugin(uri)');
  await plugin.client.initializing;
  if (!plugin.client.serverCapabilities?.experimental?.symbols) {
    throw new Error('the language server does not run behind symbols: start it as symbols proxy --format standard -- SERVER');
  }
  plugin.client.sync();
  const argument = { textDocument: { uri: plugin.uri }, format: 'table', return_children: 'yes', ...options };
  const answer = await plugin.client.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [argument] });
  return answer.symbols;
}

/** Opens, or renews, the table below the editor. What goes wrong is shown in its place. */
export async function showSymbolTable(view) {
  const text = await symbolsOf(view).catch((error) => `Symbols: ${error.message}`);
  view.dispatch({ effects: setTable.of(text) });
}

function closeSymbolTable(view) {
  if (view.state.field(tableField) === null) return false;
  view.dispatch({ effects: setTable.of(null) });
  return true;
}

const setTable = StateEffect.define();

const tableField = StateField.define({
  create: () => null,
  update: (text, transaction) => transaction.effects.reduce((now, effect) => (effect.is(setTable) ? effect.value : now), text),
  provide: (field) => showPanel.from(field, (text) => (text === null ? null : (view) => panelOf(view, text))),
});

// A line of the panel for each row; a click, or Enter, goes to the row's symbol.
function panelOf(view, text) {
  const dom = document.createElement('div');
  dom.className = 'symbols-table';
  dom.style.cssText = 'max-height: 40vh; overflow: auto; font-family: monospace; white-space: pre';
  const lines = text.split('\n');
  const column = lines[0].split(' | ').indexOf('SELECTION');
  for (const line of lines) {
    const row = dom.appendChild(document.createElement('div'));
    row.textContent = line;
    const start = /^(\d+):(\d+)-/.exec(line.split(' | ')[column] ?? '');
    if (!start) continue;
    const go = () => goTo(view, { line: Number(start[1]), character: Number(start[2]) });
    row.tabIndex = 0;
    row.style.cursor = 'pointer';
    row.onclick = go;
    row.onkeydown = (event) => { if (event.key === 'Enter') go(); };
  }
  return { dom };
}

function goTo(view, { line, character }) {
  // The text may have become shorter since the table was made.
  const { from, to } = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
  const at = Math.min(from + character, to);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  view.focus();
}
