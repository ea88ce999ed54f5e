// A language server that does on command what real ones do only now and then: crash, stall, lie, answer in any order.
//
//   node fake_server.mjs SCENARIO [PATH]
//
// Without a scenario's own doing it answers properly: for each line of a document that starts with a word one Function of
// that name, indented lines as children, and `hover of NAME` for each.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { readMessages, writeMessage } from './lsp_stream.mjs';

const [scenario = 'plain', path] = process.argv.slice(2);
const client = process.ppid;
const documents = new Map();
const send = (message) => writeMessage(process.stdout, message);
const reply = (id, result) => send({ id, result });
const refuse = (id, code, message) => send({ id, error: { code, message } });
const later = (milliseconds, action) => setTimeout(action, milliseconds);

const position = (line, character) => ({ line, character });

function symbolsOf(text) {
  const roots = [];
  const path = [];
  text.split(/\r\n|\n/).forEach((line, number) => {
    const match = /^( *)([^\s(]+)/.exec(line);
    if (!match) return;
    const depth = Math.min(match[1].length, path.length);
    const symbol = {
      name: match[2],
      kind: 12,
      range: { start: position(number, 0), end: position(number, line.length) },
      selectionRange: {
        start: position(number, match[1].length),
        end: position(number, match[1].length + match[2].length),
      },
    };
    path.length = depth;
    if (depth === 0) roots.push(symbol);
    else (path[depth - 1].children ??= []).push(symbol);
    path.push(symbol);
  });
  return roots;
}

function nameAt({ textDocument, position: { line, character } }) {
  return /^[^\s(]*/.exec(documents.get(textDocument.uri).split(/\r\n|\n/)[line].slice(character))[0];
}

const hoverOf = (name) => ({ contents: { kind: 'markdown', value: '```x\nhover of ' + name + '\n```' } });

/** Stays whatever comes, with a child that runs `script`; their process ids go into the file PATH. */
function stayWithChild(script, childStdin) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  const child = spawn(process.execPath, ['-e', script], { stdio: [childStdin, 'ignore', 'ignore'] });
  appendFileSync(path, `${process.pid}\n${child.pid}\n`);
  setInterval(() => {}, 1000);
}

const progress = (value) => send({ method: '$/progress', params: { token: 'index', value } });

const elsewhere = () => ({ uri: `file://${path}`, range: { start: position(0, 0), end: position(0, 1) } });

const capabilities = { documentSymbolProvider: true, hoverProvider: true, textDocumentSync: 1 };

// What the proper server does; a scenario puts its own in place of some of them.
const handlers = {
  initialize: ({ id }) => reply(id, { capabilities }),
  initialized: () => {},
  'textDocument/didOpen': ({ params: { textDocument } }) => documents.set(textDocument.uri, textDocument.text),
  'textDocument/didClose': ({ params: { textDocument } }) => documents.delete(textDocument.uri),
  'textDocument/documentSymbol': ({ id, params }) => reply(id, symbolsOf(documents.get(params.textDocument.uri))),
  'textDocument/hover': ({ id, params }) => reply(id, hoverOf(nameAt(params))),
  shutdown: ({ id }) => reply(id, null),
  exit: () => process.exit(0),
};

// The hovers of a document are kept back until all are asked for, and then given in the wrong order.
const held = [];
function outOfOrder({ id, params }) {
  held.push([id, hoverOf(nameAt(params))]);
  if (held.length < documents.get(params.textDocument.uri).match(/^ *[^\s(]/gm).length) return;
  for (const [heldId, result] of held.splice(0).reverse()) reply(heldId, result);
}

// Ends for nobody, and has a child that does not either.
const neverEnding = {
  start: () => stayWithChild("process.on('SIGTERM',()=>{});setInterval(()=>{},1000)", 'ignore'),
  shutdown: () => {},
  exit: () => {},
};

let count = 0;
const scenarios = {
  plain: {},
  'exit-at-once': {
    start() {
      process.stderr.write('fake: cannot find my \x1b[31mdatabase\x1b[0m\n');
      process.exit(3);
    },
  },
  'exit-on-symbols': {
    'textDocument/documentSymbol': () => {
      process.stderr.write('fake: assertion failed: symbols\n');
      process.exit(4);
    },
  },
  'killed-on-third-hover': {
    'textDocument/hover': ({ id, params }) => {
      if (++count === 3) process.kill(process.pid, 'SIGSEGV');
      else reply(id, hoverOf(nameAt(params)));
    },
  },
  'exit-on-document': {
    'textDocument/didOpen': (message) => {
      const { uri } = message.params.textDocument;
      if (uri.includes('deadly')) later(30, () => process.exit(5));
      else handlers['textDocument/didOpen'](message);
    },
    'textDocument/documentSymbol': ({ id, params }) => {
      const text = documents.get(params.textDocument.uri);
      if (text !== undefined) later(60, () => reply(id, symbolsOf(text)));
    },
  },
  'silent-at-once': { initialize: () => {} },
  'silent-on-symbols': { 'textDocument/documentSymbol': () => {} },
  'silent-on-diagnostics': {
    initialize: ({ id }) => reply(id, { capabilities: { ...capabilities, diagnosticProvider: {} } }),
    'textDocument/diagnostic': () => {},
  },
  'silent-on-references': {
    initialize: ({ id }) => reply(id, { capabilities: { ...capabilities, referencesProvider: true, callHierarchyProvider: true } }),
    'textDocument/references': () => {},
    'textDocument/prepareCallHierarchy': ({ id }) => reply(id, []),
  },
  'indexes-for-ever': {
    initialize: ({ id }) => reply(id, { capabilities: { ...capabilities, referencesProvider: true } }),
    initialized: () => {
      progress({ kind: 'begin', title: 'indexing' });
      progress({ kind: 'report', message: '37/104' });
    },
    'textDocument/references': ({ id }) => reply(id, []),
  },
  'prose-on-stdout': { start: () => process.stdout.write('Listening on stdin...\n') },
  'wrong-shape': { 'textDocument/documentSymbol': ({ id }) => reply(id, { symbols: [] }) },
  'symbols-refused': { 'textDocument/documentSymbol': ({ id }) => refuse(id, -32603, 'no \x1b]0;title\x07 today') },
  'initialize-refused': { initialize: ({ id }) => refuse(id, -32002, 'licence expired') },
  'no-provider': { initialize: ({ id }) => reply(id, { capabilities: { hoverProvider: true } }) },
  'empty-at-first': {
    'textDocument/documentSymbol': (message) =>
      ++count <= 2 ? reply(message.id, []) : handlers['textDocument/documentSymbol'](message),
  },
  'out-of-order': { 'textDocument/hover': outOfOrder },
  // If at its start the disk is full, for which the file PATH stands, it lacks something for ever.
  'disk-full': {
    start() { this.lacks = existsSync(path); },
    'textDocument/hover'(message) {
      if (!this.lacks) return handlers['textDocument/hover'](message);
      send({ method: 'window/logMessage', params: { type: 1, message: 'write cache: no space left on device' } });
      return refuse(message.id, 0, 'no metadata');
    },
  },
  // As gopls when it has lost track of a package: one process has hovers for the first two symbols that it is asked about.
  'loses-its-project': {
    'textDocument/hover': (message) =>
      ++count <= 2 ? handlers['textDocument/hover'](message) : count % 2 ? reply(message.id, null) : refuse(message.id, 0, 'no metadata'),
  },
  'some-hovers-fail': {
    'textDocument/hover': ({ id, params }) => {
      const name = nameAt(params);
      if (name === 'beta') refuse(id, 1, 'TypeScript Server Error');
      else if (name === 'gamma') reply(id, null);
      else if (name === 'delta') reply(id, { contents: 5 });
      else reply(id, hoverOf(name));
    },
  },
  'content-modified': {
    'textDocument/documentSymbol': (message) =>
      ++count <= 3 ? refuse(message.id, -32801, 'content modified') : handlers['textDocument/documentSymbol'](message),
    'textDocument/hover': (message) =>
      ++count <= 6 ? refuse(message.id, count % 2 ? -32801 : -32802, 'later') : handlers['textDocument/hover'](message),
  },
  'always-modified': { 'textDocument/documentSymbol': ({ id }) => refuse(id, -32801, 'content modified') },
  // Reports progress until the file PATH exists, then answers. Creates PATH.asked when asked. Without PATH, answers after 3.5 s.
  'busy-until': {
    'textDocument/documentSymbol': (message) => {
      if (path) appendFileSync(`${path}.asked`, '');
      const since = Date.now();
      progress({ kind: 'begin', title: 'indexing' });
      const timer = setInterval(() => {
        progress({ kind: 'report', message: `${++count} of 10` });
        if (path ? !existsSync(path) : Date.now() < since + 3500) return;
        clearInterval(timer);
        progress({ kind: 'end' });
        handlers['textDocument/documentSymbol'](message);
      }, 20);
    },
  },
  // The same for its start, until PATH.go exists: an argument that names a file is part of what an index knows of its server.
  'starts-when': {
    initialize: (message) => {
      appendFileSync(`${path}.asked`, '');
      const timer = setInterval(() => {
        if (!existsSync(`${path}.go`)) return;
        clearInterval(timer);
        handlers.initialize(message);
      }, 20);
    },
  },
  'busy-for-ever': {
    'textDocument/documentSymbol': () => {
      progress({ kind: 'begin', title: 'indexing' });
      setInterval(() => progress({ kind: 'report', message: `${++count} of 10` }), 20);
    },
  },
  // Asks its client what servers ask, and puts what it is told into the hovers.
  'asks-its-client': {
    initialized() {
      const folder = { items: [{ section: 'a' }, { section: 'b' }] };
      const questions = [
        ['workspace/configuration', folder], ['client/registerCapability', { registrations: [] }],
        ['window/workDoneProgress/create', { token: 1 }], ['workspace/workspaceFolders', null],
        ['window/showMessageRequest', { type: 1, message: 'Yes?', actions: [{ title: 'Yes' }] }],
        ['workspace/semanticTokens/refresh', null], ['workspace/applyEdit', { edit: {} }], ['fake/unknown', {}],
      ];
      questions.forEach(([method, params], i) => send({ id: i % 2 ? i : `q${i}`, method, params }));
    },
    answers: new Map(),
    response({ id, result, error }) {
      this.answers.set(String(id), error ? `error ${error.code}` : JSON.stringify(result));
    },
    'textDocument/hover': ({ id }) => {
      const { answers } = scenarios['asks-its-client'];
      const wait = setInterval(() => {
        if (answers.size < 8) return;
        clearInterval(wait);
        reply(id, { contents: [...answers].sort().map(([k, v]) => `${k}=${v}`).join(' ') });
      }, 10);
    },
  },
  // Has every symbol used in a file that PATH names, as if there were nothing odd about it.
  'used-elsewhere': {
    initialize: ({ id }) => reply(id, { capabilities: { ...capabilities, referencesProvider: true, definitionProvider: true } }),
    'textDocument/references': ({ id }) => reply(id, [elsewhere()]),
    'textDocument/definition': ({ id }) => reply(id, [elsewhere()]),
  },
  // Has each symbol called by every document that it was ever sent, under the name of the document's first word, and finds that word wrong.
  'called-by-all-it-was-sent': {
    sent: new Set(),
    take(uri, text) {
      documents.set(uri, text);
      this.sent.add(symbolsOf(text)[0].name);
    },
    initialize: ({ id }) => reply(id, { capabilities: { ...capabilities, callHierarchyProvider: true, diagnosticProvider: {} } }),
    initialized: () => send({ method: 'window/logMessage', params: { type: 3, message: 'Found 1 source file' } }),  // as pyright does
    'textDocument/didOpen'({ params: { textDocument } }) { this.take(textDocument.uri, textDocument.text); },
    'textDocument/didChange'({ params: { textDocument, contentChanges } }) { this.take(textDocument.uri, contentChanges.at(-1).text); },
    'textDocument/diagnostic': ({ id, params: { textDocument } }) => {
      const [{ name: message, range }] = symbolsOf(documents.get(textDocument.uri));
      reply(id, { kind: 'full', items: [{ range, message }] });
    },
    'textDocument/prepareCallHierarchy': ({ id, params: { textDocument: { uri } } }) =>
      reply(id, [{ name: 'x', kind: 12, uri, range: elsewhere().range, selectionRange: elsewhere().range }]),
    'callHierarchy/incomingCalls'({ id, params: { item } }) {
      reply(id, [...this.sent].map((name) => ({ from: { ...item, name }, fromRanges: [] })));
    },
  },
  'never-reads': {
    deaf: true,
    start() {
      const params = { items: Array.from({ length: 100 }, (_, i) => ({ section: `s${i}` })) };
      const ask = () => {
        send({ id: ++count, method: 'workspace/configuration', params });
        setImmediate(ask);
      };
      ask();
    },
  },
  // Kills the program after as many answers as the file PATH/kill says, or at its shutdown; without that file nothing.
  'kills-its-client': {
    start() { this.at = existsSync(`${path}/kill`) && readFileSync(`${path}/kill`, 'utf8'); },
    // Once it is gone its place is another process's.
    kill: () => process.ppid === client && process.kill(client, 'SIGKILL'),
    'textDocument/documentSymbol'(message) {
      if (String(count++) === this.at) this.kill();
      handlers['textDocument/documentSymbol'](message);
    },
    shutdown({ id }) {
      if (this.at === 'shutdown') this.kill();
      reply(id, null);
    },
  },
  'never-ends': neverEnding,
  'never-ends-nor-answers': { ...neverEnding, 'textDocument/documentSymbol': () => {} },
  'never-ends-and-refuses': { ...neverEnding, 'textDocument/documentSymbol': ({ id }) => refuse(id, -32603, 'no') },
  'never-ends-child-reads': {
    start: () => stayWithChild('process.stdin.resume()', 'pipe'),
    'textDocument/documentSymbol': () => {},
  },
  // Says in PATH which protocol messages came, for the tests of a proper end.
  'records-methods': { record: true },
  // The same, and whoever asks for symbols waits.
  'records-methods-silent-on-symbols': { record: true, 'textDocument/documentSymbol': () => {} },
};

const own = scenarios[scenario];
if (!own) throw new Error(`no scenario ${scenario}`);
own.start?.();
process.stdin.on('end', () => scenario.startsWith('never-ends') || process.exit(0));
if (!own.deaf) readMessages(process.stdin, (message) => {
  if (own.record) appendFileSync(path, `${message.method ?? 'reply'}\n`);
  if (message.method === undefined) {
    own.response?.(message);
  } else if (own[message.method]) {
    own[message.method](message);
  } else if (handlers[message.method]) {
    handlers[message.method](message);
  } else if (message.id !== undefined) {
    refuse(message.id, -32601, `unknown ${message.method}`);
  }
});
