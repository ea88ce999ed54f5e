// The symbol table in CodeMirror 6: an extension for the LSPClient of @codemirror/lsp-client whose server runs behind
// `symbols proxy --format standard -- SERVER`. Copy this file, or what you want of it.
import { LSPPlugin } from '@codemirror/lsp-client';
import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, showPanel } from '@codemirror/view';

// Of a client that does not say it knows the hierarchy and all kinds, servers keep children back and call a struct a class.
const symbolKind = { valueSet: Array.from({ length: 26 }, (_, i) => i + 1) };

/**
 * For `extensions` of an LSPClient. Declares what makes the symbols whole. Mod-Alt-o opens the outline below the editor, Escape closes it.
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
  const { text, offsets, changed } = await ask(view, options).catch((error) => ({ text: `Symbols: ${error.message}`, offsets: [], changed: false }));
  const panel = (of) => panelOf(of, text.split('\n'));
  view.dispatch({ effects: setTable.of({ panel, offsets, changed }) });
}

// The answer's text; for each of its lines that leads to a symbol the symbol's place in the document as it is when the answer has
// come; and whether the document has changed meanwhile.
async function ask(view, options) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) throw new Error('this editor has no language server: give it the extension client.plugin(uri)');
  const { client, uri } = plugin;
  await client.initializing;
  if (!client.serverCapabilities?.experimental?.symbols) {
    throw new Error('the language server does not run behind symbols: start it as symbols proxy --format standard -- SERVER');
  }
  client.sync();
  const { doc } = view.state;  // what the server is asked about
  const argument = { textDocument: { uri }, format: 'table', return_children: 'yes', ...options };
  return client.withMapping(async (mapping) => {
    const answer = await client.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [argument] });
    const text = answer?.symbols;
    if (typeof text !== 'string') {
      throw new Error(`the format ${argument.format} gives no text: take another, or request textDocument/documentSymbol`);
    }
    const places = argument.format === 'outline' ? placesOfOutline(text, doc) : placesOf(text);
    const offsets = places.map((place) => place && mapping.mapPosition(uri, place, 1));
    return { text, offsets, changed: mapping.getMapping(uri)?.empty === false };
  });
}

// By line: the start of the symbol's name, in a table.
function placesOf(text) {
  const lines = text.split('\n');
  const column = lines[0].split(' | ').indexOf('SELECTION');
  return lines.map((line) => {
    const start = /^(\d+):(\d+)-/.exec(line.split(' | ')[column] ?? '');
    return start && { line: Number(start[1]), character: Number(start[2]) };
  });
}

// Of an outline, `[L24] (f) name`, below it its summary, which belongs to it: where the name stands in its line of `doc`.
function placesOfOutline(text, doc) {
  let latest;
  return text.split('\n').map((line) => {
    const [, number, name] = /^ *\[L(\d+)\] \(\S+\) (.*)$/.exec(line) ?? [];
    if (number) latest = { line: Number(number) - 1, character: Math.max(doc.line(Number(number)).text.indexOf(name), 0) };
    return latest;
  });
}

function closeSymbolTable(view) {
  if (view.state.field(tableField) === null) return false;
  view.dispatch({ effects: setTable.of(null) });
  view.focus();
  return true;
}

const setTable = StateEffect.define();

// The table that is shown: { panel, offsets, changed }, or null. The offsets move with the text.
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
