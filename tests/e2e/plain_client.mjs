// A client with nothing of the program under test in it, of a language server or of the proxy before one.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { frameSplitter, writeMessage } from './lsp_stream.mjs';

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

/**
 * Starts a server, or the proxy; `options` are for spawn(). `told` gets its notifications, its requests are answered. `read` makes a message of
 * a body (a Buffer); `request()` gives the whole reply, and rejects where the program ends before.
 */
export function connect([program, ...args], options = {}, { told = () => {}, read = JSON.parse } = {}) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
  const waiting = new Map();
  let lastId = 0;
  let ended;  // the error of requests that come too late
  const send = (message) => writeMessage(child.stdin, message);
  const session = {
    child, pid: child.pid, errors: '',
    waiting,         // requests without a reply, by their id
    unexpected: [],  // replies to no request
    notify: (method, params) => send({ method, params }),
    request(method, params) {
      if (ended) return Promise.reject(ended);
      const id = ++lastId;
      const reply = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      reply.catch(() => {});  // not everybody waits for it
      send({ id, method, params });
      return reply;
    },
    async initialize(root, params) {
      const folder = root && pathToFileURL(root).href;
      const reply = await session.request('initialize', {
        processId: process.pid, rootUri: folder ?? null, capabilities, ...(root && { workspaceFolders: [{ uri: folder, name: basename(root) }] }), ...params,
      });
      session.notify('initialized', {});
      return reply.result;
    },
    open: (uri, text, languageId = 'x', version = 1) => session.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } }),
    /** Ends it as the protocol says; gives how the program ended. */
    async finish() {
      await session.request('shutdown');
      session.notify('exit');
      return session.exited;
    },
  };
  session.exited = new Promise((resolve) => child.on('close', (status, signal) => {
    ended = new Error(`${program} ended (${status ?? signal}): ${session.errors.slice(-500)}`);
    for (const { reject } of waiting.values()) reject(ended);
    resolve({ status, signal });
  }));
  child.stdin.on('error', () => {});
  child.stderr.on('data', (portion) => (session.errors += portion));
  child.stdout.on('data', frameSplitter((header, body) => {
    const message = read(body);
    if (message.method !== undefined && message.id !== undefined) {
      send({ id: message.id, result: message.method === 'workspace/configuration' ? message.params.items.map(() => null) : null });
    } else if (message.method !== undefined) {
      told(message);
    } else {
      if (!waiting.has(message.id)) session.unexpected.push(message);
      waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
    }
  }));
  return session;
}

/** The same with this file open: its `uri` too. One that does not end within three seconds of finish() is killed. `told`: gets notifications. */
export async function openInServer(command, args, file, languageId, initializationOptions, root = dirname(file), told = () => {}) {
  const session = connect([command, ...args], { cwd: root }, { told });
  await session.initialize(root, { initializationOptions });
  const uri = pathToFileURL(file).href;
  session.open(uri, readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), languageId);
  const finish = () => {
    setTimeout(() => session.child.kill('SIGKILL'), 3000).unref();
    return session.finish().catch(() => session.exited);
  };
  return { ...session, uri, finish };
}
