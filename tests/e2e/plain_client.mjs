// A client with nothing of the program under test in it: asks a real server for a file's symbols and hovers, raw.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readMessages, writeMessage } from './lsp_stream.mjs';

const kinds = Array.from({ length: 26 }, (_, i) => i + 1);
/** What a client says that can do all that the tests look at. */
export const capabilities = {
  textDocument: {
    documentSymbol: { hierarchicalDocumentSymbolSupport: true, symbolKind: { valueSet: kinds } },
    hover: { contentFormat: ['markdown', 'plaintext'] },
  },
  workspace: { symbol: { symbolKind: { valueSet: kinds } } },
  window: { workDoneProgress: true },
};

export function inPreOrder(symbols, parent = '', out = []) {
  for (const symbol of symbols ?? []) {
    out.push({ ...symbol, parent });
    inPreOrder(symbol.children, symbol.name, out);
  }
  return out;
}

export const rangeText = ({ start, end }) =>
  start.line === end.line ? `${start.line}:${start.character}-${end.character}`
    : `${start.line}:${start.character}-${end.line}:${end.character}`;

/** A session with a real server that has this file open: { uri, request(method, params), notify(method, params), finish() }. `told`: gets its notifications. */
export async function openInServer(command, args, file, languageId, initializationOptions, root = dirname(file), told = () => {}) {
  const uri = pathToFileURL(file).href;
  const server = spawn(command, args, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
  const pending = new Map();
  let last = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      pending.set(++last, resolve);
      writeMessage(server.stdin, { id: last, method, params });
    });
  readMessages(server.stdout, (message) => {
    if (message.method !== undefined && message.id !== undefined) {
      const result = message.method === 'workspace/configuration' ? message.params.items.map(() => null) : null;
      writeMessage(server.stdin, { id: message.id, result });
    } else if (message.method !== undefined) {
      told(message);
    } else {
      pending.get(message.id)?.(message);
      pending.delete(message.id);
    }
  });
  await request('initialize', {
    processId: process.pid, rootUri: pathToFileURL(root).href, capabilities, initializationOptions,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: basename(root) }],
  });
  writeMessage(server.stdin, { method: 'initialized', params: {} });
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  writeMessage(server.stdin, { method: 'textDocument/didOpen', params: { textDocument: { uri, languageId, version: 1, text } } });
  const finish = async () => {
    await request('shutdown');
    writeMessage(server.stdin, { method: 'exit' });
    await new Promise((resolve) => {
      server.on('exit', resolve);
      setTimeout(() => server.kill('SIGKILL'), 3000).unref();
    });
  };
  return { uri, request, notify: (method, params) => writeMessage(server.stdin, { method, params }), finish };
}
