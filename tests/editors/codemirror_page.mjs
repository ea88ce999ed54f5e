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

/** Opens this document in an editor with the shipped extension, whose server is behind the WebSocket at `address`. */
window.openEditor = async ({ address, rootUri, uri, languageId, text, timeout, initializationOptions }) => {
  const extensions = [{ editorExtension: hoverTooltips({ hoverTime: 50 }) }, symbolTable()];
  const client = new LSPClient({ rootUri, timeout, extensions, initializationOptions }).connect(await connect(address));
  const view = new EditorView({
    doc: text, extensions: [client.plugin(uri, languageId), languages[languageId]], parent: document.body,
  });
  await client.initializing;
  Object.assign(window, {
    view,
    documentSymbols: () => client.request('textDocument/documentSymbol', { textDocument: { uri } }),
    symbols: (options) => symbolsOf(view, options).catch((error) => `failed: ${error.message}`),
    showTable: () => showSymbolTable(view),
    /** Replaces what is between two offsets; without them appends. */
    edit: (insert, from = view.state.doc.length, to = from) => view.dispatch({ changes: { from, to, insert } }),
  });
};
