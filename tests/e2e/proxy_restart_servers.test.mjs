// A real server with 20 open, edited documents is killed: the one that `symbols proxy --restart` starts in its place answers about
// each of them as a server does that was given the same texts at once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { languageServers, serverSettings } from './language_servers.mjs';
import { connect, inPreOrder } from './plain_client.mjs';
import { eventually, folder, isRunning, marked, proxied } from './program.mjs';

const count = 20;
const sources = {
  cpp: (i, word) => `// é \u{1F600} ${word}\nstruct Ünit${i} {\n  int ${word}${i}(int a) { return a; }\n};\n/* \u{1F600} */ int ${word}_of(Ünit${i} &u) { return u.${word}${i}(${i}); }\n`,
  typescript: (i, word) => `// é \u{1F600} ${word}\nexport class Ünit${i} {\n  ${word}${i}(a: number) { return a; }\n}\n/* \u{1F600} */ export function ${word}_of(u: Ünit${i}) { return u.${word}${i}(${i}); }\n`,
};
const extension = { cpp: 'cpp', typescript: 'ts' };

const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);

/** What the server says of these documents: symbols, and the hover of each. Where the server has died meanwhile it is asked once more. */
async function answersAbout(client, documents) {
  const ask = (method, params) => eventually(async () => {
    const reply = await client.request(method, params);
    return reply.error?.code !== -32803 && reply;
  });
  const all = [];
  for (const { uri } of documents) {
    const symbols = await ask('textDocument/documentSymbol', { textDocument: { uri } });
    const hovers = await Promise.all(inPreOrder(symbols.result).map(({ selectionRange: { start } }) =>
      ask('textDocument/hover', { textDocument: { uri }, position: start })));
    all.push({ uri, symbols: symbols.result, hovers: hovers.map(({ result, error }) => result ?? error ?? null) });
  }
  return all;
}

/** Edits the document as half of all clients do: by its whole text, or by what has changed. */
function edit(client, document, i, word) {
  const text = sources[document.languageId](i, word);
  const inClass = document.languageId === 'cpp' ? 6 : 2;
  const contentChanges = i % 2 ? [{ text }] : [
    // Around characters that have another length in each encoding; each to what the one before has made.
    { range: { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } }, text: text.split('\n')[4] + '\n' },
    { range: { start: { line: 0, character: 8 }, end: { line: 0, character: 8 + document.word.length } }, text: word },
    { range: { start: { line: 2, character: inClass }, end: { line: 3, character: 0 } }, text: text.split('\n')[2].slice(inClass) + '\n' },
  ];
  client.notify('textDocument/didChange', { textDocument: { uri: document.uri, version: ++document.version }, contentChanges });
  Object.assign(document, { text, word });
}

for (const name of ['clangd', 'TypeScript 7']) {
  const { command, args, language } = languageServers[name];
  test(`${name} with ${count} edited documents is killed, and killed again while it starts`, async (t) => {
    const documents = Array.from({ length: count }, (_, i) => ({ name: `d${i}.${extension[language]}`, languageId: language, version: 1, word: 'first', text: sources[language](i, 'first') }));
    const cwd = folder(t, Object.fromEntries(documents.map((document) => [document.name, '// on disk\n'])));
    for (const document of documents) document.uri = pathToFileURL(join(cwd, document.name)).href;
    const mark = marked();
    t.after(() => mark.kill());
    const start = async (words) => {
      const client = connect(words, { cwd, env: { ...process.env, XDG_CONFIG_HOME: folder(t, serverSettings), ...mark.env } });
      await client.initialize(cwd);
      for (const { uri, text, languageId, version } of documents) client.open(uri, text, languageId, version);
      return client;
    };
    const client = await start(proxied(['--format', 'standard', '--restart'], [command, ...args]));
    documents.forEach((document, i) => edit(client, document, i, 'second'));
    await answersAbout(client, documents.slice(0, 2));
    documents.forEach((document, i) => edit(client, document, i, 'third'));

    const [server] = childrenOf(client.pid);
    const inFlight = documents.map(({ uri }) => client.request('textDocument/documentSymbol', { textDocument: { uri } }));
    process.kill(server, 'SIGKILL');
    for (const { result, error } of await Promise.all(inFlight)) assert.ok(result || error.code === -32803, JSON.stringify(error));
    const again = await eventually(() => childrenOf(client.pid).find((pid) => pid !== server && isRunning(pid)));
    process.kill(again, 'SIGKILL');
    // An edit while there is no server.
    edit(client, documents[0], 0, 'fourth');
    edit(client, documents[1], 1, 'fourth');
    const after = await answersAbout(client, documents);

    const fresh = await start([command, ...args]);
    assert.deepEqual(after, await answersAbout(fresh, documents));
    assert.match(JSON.stringify(after[0].symbols), /fourth0/);
    assert.match(JSON.stringify(after[2].hovers), /third2/);
    assert.deepEqual([client.waiting.size, client.unexpected], [0, []], 'each request has one reply');
    assert.match(client.errors, /signal 9 [^]*runs again, with 20 open documents/);
    await Promise.all([client.finish(), fresh.finish()]);
    await mark.noneLeft();
  });
}
