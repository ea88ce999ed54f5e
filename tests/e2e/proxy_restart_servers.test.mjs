// A real server with 20 open, edited documents is killed: the one that `symbols proxy --restart` starts in its place answers about
// each of them as a server does that was given the same texts at once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { languageServers, serverSettings } from './language_servers.mjs';
import { readMessages, writeMessage } from './lsp_stream.mjs';
import { inPreOrder } from './plain_client.mjs';
import { eventually, folder, isRunning, marked, proxied, start } from './program.mjs';

const count = 20;
const sources = {
  cpp: (i, word) => `// é \u{1F600} ${word}\nstruct Ünit${i} {\n  int ${word}${i}(int a) { return a; }\n};\n/* \u{1F600} */ int ${word}_of(Ünit${i} &u) { return u.${word}${i}(${i}); }\n`,
  typescript: (i, word) => `// é \u{1F600} ${word}\nexport class Ünit${i} {\n  ${word}${i}(a: number) { return a; }\n}\n/* \u{1F600} */ export function ${word}_of(u: Ünit${i}) { return u.${word}${i}(${i}); }\n`,
};
const extension = { cpp: 'cpp', typescript: 'ts' };

/** A client of a server's, or of the proxy's, that answers what a server asks. */
function connect(t, command, cwd, env) {
  const mark = marked();
  const [program, ...args] = command;
  const child = start(args, { program, cwd, env: { ...env, ...mark.env }, keepInput: true, drop: true });
  t.after(() => mark.kill());
  const pending = new Map();
  const replies = new Map();  // how many came for each id
  let last = 0;
  const client = {
    child, mark, replies, errors: '',
    send: (message) => writeMessage(child.stdin, message),
    notify: (method, params) => client.send({ method, params }),
    request: (method, params) => new Promise((resolve) => {
      pending.set(++last, resolve);
      client.send({ id: last, method, params });
    }),
    async initialize() {
      const root = pathToFileURL(cwd).href;
      const { result } = await client.request('initialize', {
        processId: process.pid, rootUri: root, workspaceFolders: [{ uri: root, name: 'x' }],
        capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, hover: { contentFormat: ['markdown'] } } },
      });
      client.notify('initialized', {});
      return result;
    },
    open: ({ uri, languageId, text, version = 1 }) => client.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } }),
    /** As request(), and once more where the server has died meanwhile. */
    ask: (method, params) => eventually(async () => {
      const reply = await client.request(method, params);
      return reply.error?.code !== -32803 && reply;
    }),
    /** What the server says of these documents: symbols, and the hover of each. */
    async answers(documents) {
      const all = [];
      for (const { uri } of documents) {
        const symbols = await client.ask('textDocument/documentSymbol', { textDocument: { uri } });
        const hovers = await Promise.all(inPreOrder(symbols.result).map(({ selectionRange: { start } }) =>
          client.ask('textDocument/hover', { textDocument: { uri }, position: start })));
        all.push({ uri, symbols: symbols.result, hovers: hovers.map(({ result, error }) => result ?? error ?? null) });
      }
      return all;
    },
    async finish() {
      await client.request('shutdown');
      client.notify('exit');
      await mark.noneLeft();
    },
  };
  child.stderr.on('data', (portion) => (client.errors += portion));
  readMessages(child.stdout, (message) => {
    if (message.method !== undefined) {
      if (message.id === undefined) return;
      client.send({ id: message.id, result: message.method === 'workspace/configuration' ? message.params.items.map(() => null) : null });
      return;
    }
    replies.set(message.id, (replies.get(message.id) ?? 0) + 1);
    pending.get(message.id)?.(message);
    pending.delete(message.id);
  });
  return client;
}

const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);

/** Edits the document as half of all clients do: by its whole text, or by what has changed. */
function edit(client, document, i, word) {
  const text = sources[document.languageId](i, word);
  const contentChanges = i % 2 ? [{ text }] : [
    // Around characters that have another length in each encoding; each to what the one before has made.
    { range: { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } }, text: text.split('\n')[4] + '\n' },
    { range: { start: { line: 0, character: 8 }, end: { line: 0, character: 8 + document.word.length } }, text: word },
    { range: { start: { line: 2, character: document.languageId === 'cpp' ? 6 : 2 }, end: { line: 3, character: 0 } }, text: text.split('\n')[2].slice(document.languageId === 'cpp' ? 6 : 2) + '\n' },
  ];
  client.notify('textDocument/didChange', { textDocument: { uri: document.uri, version: ++document.version }, contentChanges });
  document.text = text;
  document.word = word;
}

for (const name of ['clangd', 'TypeScript 7']) {
  const { command, args, language } = languageServers[name];
  test(`${name} with ${count} edited documents is killed, and killed again while it starts`, async (t) => {
    const cwd = folder(t, Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}.${extension[language]}`, '// on disk\n'])));
    const env = { XDG_CONFIG_HOME: folder(t, serverSettings) };
    const client = connect(t, proxied(['--format', 'standard', '--restart'], [command, ...args]), cwd, env);
    const { capabilities } = await client.initialize();
    assert.ok(capabilities.documentSymbolProvider);
    const documents = Array.from({ length: count }, (_, i) => ({
      uri: pathToFileURL(join(cwd, `d${i}.${extension[language]}`)).href, languageId: language, version: 1, word: 'first', text: sources[language](i, 'first'),
    }));
    documents.forEach(client.open);
    documents.forEach((document, i) => edit(client, document, i, 'second'));
    await client.answers(documents.slice(0, 2));
    documents.forEach((document, i) => edit(client, document, i, 'third'));

    const [server] = childrenOf(client.child.pid);
    const inFlight = documents.map(({ uri }) => client.request('textDocument/documentSymbol', { textDocument: { uri } }));
    process.kill(server, 'SIGKILL');
    for (const { result, error } of await Promise.all(inFlight)) assert.ok(result || error.code === -32803, JSON.stringify(error));
    const again = await eventually(() => childrenOf(client.child.pid).find((pid) => pid !== server && isRunning(pid)));
    process.kill(again, 'SIGKILL');
    // An edit while there is no server.
    edit(client, documents[0], 0, 'fourth');
    edit(client, documents[1], 1, 'fourth');
    const after = await client.answers(documents);

    const fresh = connect(t, [command, ...args], cwd, env);
    await fresh.initialize();
    documents.forEach(fresh.open);
    const expected = await fresh.answers(documents);
    assert.deepEqual(after, expected);
    assert.match(JSON.stringify(after[0].symbols), /fourth0/);
    assert.match(JSON.stringify(after[2].hovers), /third2/);
    for (const [id, times] of client.replies) assert.equal(times, 1, `${times} replies to ${id}`);
    assert.match(client.errors, /signal 9 [^]*runs again, with 20 open documents/);
    await Promise.all([client.finish(), fresh.finish()]);
  });
}
