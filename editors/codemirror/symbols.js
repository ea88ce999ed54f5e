// The symbol table in CodeMirror 6: an extension for the LSPClient of @codemirror/lsp-client whose server runs behind
// `symbols proxy --format standard -- SERVER`. Copy this file, or what you want of it.
import { LSPPlugin } from '@codemirror/lsp-client';
import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, showPanel } from '@codemirror/view';

// Without declared support of the hierarchy and of all kinds, servers leave out children and report a struct as a class.
const symbolKind = { valueSet: Array.from({ length: 26 }, (_, i) => i + 1) };

/**
 * For `extensions` of an LSPClient. Declares the capabilities for complete symbols. Mod-Alt-o opens the outline below the editor,
 * Escape closes it.
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

/**
 * The symbols of the editor's document as text; `options` are those of `symbols proxy`: { format: 'tree', max_tokens: 500 }. Not the
 * format `json`, which is no text.
 */
export async function symbolsOf(view, options = {}) {
  return (await ask(view, options)).text;
}

/**
 * Opens, or renews, the symbols below the editor: the outline with kinds as words, which people read more easily than the table; `options`
 * as for symbolsOf. What goes wrong is shown in its place.
 */
export async function showSymbolTable(view, options = { format: 'outline', kind_names: true }) {
  const { text, offsets, changed } = await ask(view, { ...options, positions: true }).catch((error) => ({ text: `Symbols: ${error.message}`, offsets: [], changed: false }));
  const panel = (of) => panelOf(of, text.replace(/^\d+:\d+\t/gm, '').split('\n'));
  view.dispatch({ effects: setTable.of({ panel, offsets, changed }) });
}

// The answer's text; for each line that starts with a position (option `positions`) its offset in the present document; and whether the
// document has changed since the request.
async function ask(view, options) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) throw new Error('this editor has no language server: give it the extension client.plugin(uri)');
  const { client, uri } = plugin;
  await client.initializing;
  if (!client.serverCapabilities?.experimental?.symbols) {
    throw new Error('the language server does not run behind symbols: start it as symbols proxy --format standard -- SERVER');
  }
  client.sync();
  const argument = { textDocument: { uri }, format: 'table', return_children: 'yes', ...options };
  return client.withMapping(async (mapping) => {
    const answer = await client.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [argument] });
    const text = answer?.symbols;
    if (typeof text !== 'string') {
      throw new Error(`the format ${argument.format} gives no text: take another, or request textDocument/documentSymbol`);
    }
    const offsets = text.split('\n').map((line) => {
      const start = /^(\d+):(\d+)\t/.exec(line);
      return start && mapping.mapPosition(uri, { line: Number(start[1]), character: Number(start[2]) }, 1);
    });
    return { text, offsets, changed: mapping.getMapping(uri)?.empty === false };
  });
}

function closeSymbolTable(view) {
  if (view.state.field(tableField) === null) return false;
  view.dispatch({ effects: setTable.of(null) });
  view.focus();
  return true;
}

const setTable = StateEffect.define();

// The shown table, { panel, offsets, changed }, or null. Offsets move with the text.
const tableField = StateField.define({
  create: () => null,
  update: (table, { effects, docChanged, changes }) => {
    const set = effects.find((effect) => effect.is(setTable));
    if (set) return set.value;
    if (table === null || !docChanged) return table;
    return { ...table, changed: true, offsets: table.offsets.map((at) => (typeof at === 'number' ? changes.mapPos(at, 1) : at)) };
  },
  provide: (field) => showPanel.from(field, (table) => table && table.panel),
});

// A line of the panel for each row; a click, or Enter, goes to the row's symbol.
function panelOf(view, lines) {
  const dom = document.createElement('div');
  dom.className = 'symbols-table';
  dom.style.cssText = 'max-height: 40vh; overflow: auto; font-family: monospace; white-space: pre';
  const note = dom.appendChild(document.createElement('p'));
  note.textContent = 'The text has changed since this table was made. Its rows lead to where their symbols are now.';
  lines.forEach((line, i) => {
    const row = dom.appendChild(document.createElement('div'));
    row.textContent = line;
    if (typeof view.state.field(tableField).offsets[i] !== 'number') return;
    const go = () => goTo(view, view.state.field(tableField).offsets[i]);
    row.tabIndex = 0;
    row.style.cursor = 'pointer';
    row.onclick = go;
    row.onkeydown = (event) => { if (event.key === 'Enter') go(); };
  });
  dom.onkeydown = (event) => { if (event.key === 'Escape') closeSymbolTable(view); };
  const update = () => { note.hidden = !view.state.field(tableField)?.changed; };
  update();
  return { dom, update };
}

function goTo(view, at) {
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  view.focus();
}
