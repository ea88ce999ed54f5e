// The page of the CodeMirror test, bundled for the browser: an editor with the client that editors/codemirror/README.md describes.
import { cpp } from '@codemirror/lang-cpp';
import { javascript } from '@codemirror/lang-javascript';
import { hoverTooltips, LSPClient } from '@codemirror/lsp-client';
import { EditorView } from '@codemirror/view';
import { showSymbolTable, symbolsOf, symbolTable } from '../../editors/codemirror/symbols.js';

const languages = { cpp: cpp(), typescript: javascript({ typescript: true }) };

function connect(address) {
  const socket = new WebSocket(address);
  const handlers = new Set();
  socket.onmessage = ({ data }) => handlers.forEach((handler) => handler(data));
  const transport = {
    send: (message) => socket.send(message),
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
  };
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(transport);
    socket.onerror = () => reject(new Error(`no connection to ${address}`));
  });
}

/** Opens this document in an editor whose server is behind the WebSocket at `address`; `withTable`: with the shipped extension. */
window.openEditor = async ({ address, rootUri, uri, languageId, text, withTable, timeout, initializationOptions }) => {
  const extensions = [{ editorExtension: hoverTooltips({ hoverTime: 50 }) }, ...(withTable ? [symbolTable()] : [])];
  const client = new LSPClient({ rootUri, timeout, extensions, initializationOptions }).connect(await connect(address));
  const view = new EditorView({
    doc: text, extensions: [client.plugin(uri, languageId), languages[languageId]], parent: document.body,
  });
  await client.initializing;
  window.editor = {
    documentSymbols: () => client.request('textDocument/documentSymbol', { textDocument: { uri } }),
    symbols: (options) => symbolsOf(view, options).catch((error) => `failed: ${error.message}`),
    append: (added) => view.dispatch({ changes: { from: view.state.doc.length, insert: added } }),
    prepend: (added) => view.dispatch({ changes: { from: 0, insert: added } }),
    remove: (length) => view.dispatch({ changes: { from: 0, to: length } }),
    /** Asks for the table, and types this at the start while the answer is on its way. */
    showAndPrepend: async (added) => {
      const shown = showSymbolTable(view);
      await new Promise((resolve) => setTimeout(resolve, 0));
      window.editor.prepend(added);
      await shown;
    },
    focus: () => view.focus(),
    /** The line and character of the cursor, from 0. */
    cursor: () => {
      const { head } = view.state.selection.main;
      const line = view.state.doc.lineAt(head);
      return { focused: view.hasFocus, place: `${line.number - 1}:${head - line.from}` };
    },
    /** The middle of the second character of this word, on the screen. */
    coordinates: (word) => {
      const at = view.state.doc.toString().indexOf(word) + 1;
      return new Promise((resolve) => view.requestMeasure({
        read: () => view.coordsAtPos(at),
        write: ({ left, top, bottom }) => resolve({ x: left + 2, y: (top + bottom) / 2 }),
      }));
    },
  };
};
