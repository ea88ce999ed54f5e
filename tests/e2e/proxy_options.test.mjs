// The options: of the command line, of initializationOptions.symbols and of a request, in the session where they matter.
import assert from 'node:assert/strict';
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { a, b, collecting, expected, names, open, replyTo } from './collecting.mjs';
import { cells, folder } from './program.mjs';
import { hovers, range, scenario, symbolsNamed } from './scenario.mjs';

/** A tree: each name a child of the one before. */
const nested = (list) => list.reduceRight((children, name) => [{ name, kind: 5, range: range(0, 0, 20), selectionRange: range(0, 2, 5), children }], []);

const hierarchical = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } };

scenario('what the server is asked for holds nothing of ours, and all that is not', async (session) => {
  const { client, server } = session;
  await session.initialize({ capabilities: hierarchical });
  await open(session, a);
  const options = { include_hover: false, hover_chars: 5, timeout_ms: 1000, hover_reply: 'text', carrier: 'object' };
  const tokens = { workDoneToken: 'work', partialResultToken: 'part' };
  for (const format of ['table', 'standard']) {
    const answer = client.symbols(a, { own: 1, ...options, ...tokens, format });
    const { id, params } = await server.receives('textDocument/documentSymbol');
    // The server's own reply may come in parts, a table may not.
    const partial = format === 'standard' ? { partialResultToken: 'part' } : {};
    assert.deepEqual(params, { textDocument: { uri: a }, own: 1, workDoneToken: 'work', ...partial });
    server.reply(id, symbolsNamed(names));
    assert.ok((await answer).result);
  }
}, { initialized: false });

scenario('levels', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, nested(['one', 'two', 'three'])));
  const shown = async (options) => cells((await client.symbols(a, { include_hover: false, ...options })).result.symbols).map(([name]) => name);
  assert.deepEqual(await shown({}), ['one']);
  assert.deepEqual(await shown({ return_children: 'yes' }), ['one', 'two', 'three']);
  assert.deepEqual(await shown({ return_children: 'auto' }), ['one', 'two', 'three']);
  assert.deepEqual(await shown({ return_children: 2 }), ['one', 'two']);
});

scenario('no symbols are the header alone, whichever way the server says it', async (session) => {
  const { client, server } = session;
  await open(session, a);
  for (const result of [[], null]) {
    const answer = client.symbols(a);
    server.reply((await server.receives('textDocument/documentSymbol')).id, result);
    assert.deepEqual((await answer).result, { success: true, format: 'table', symbols: 'NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL' });
  }
});

scenario('a request wins over initializationOptions, those over the command line', async (session) => {
  const { client, server } = session;
  const { request, answer } = await session.initialize({ capabilities: hierarchical, initializationOptions: { own: 1.5, symbols: { format: 'table', return_children: 'no' } } });
  assert.deepEqual(request.params.initializationOptions, { own: 1.5 });
  assert.ok(answer.result.capabilities.experimental.symbols.version);
  await open(session, a);
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, nested(['one', 'two'])));
  const { result } = await client.symbols(a);
  assert.equal(result.symbols, 'NAME | KIND | RANGE | SELECTION | PARENT\none | 5 | 0:0-20 | 0:2-5 | ');
  assert.deepEqual(cells((await client.symbols(a, { return_children: 'yes' })).result.symbols).map(([name]) => name), ['one', 'two']);
  const [{ name, children }] = (await client.symbols(a, { format: 'standard', return_children: 'yes' })).result;
  assert.deepEqual([name, children[0].name], ['one', 'two']);
}, { initialized: false, args: ['--format', 'standard', '--no-hover', '--children', 'yes'] });

scenario('initializationOptions.symbols that are wrong are an error to initialize that names them', async ({ client }) => {
  const { error } = await client.request('initialize', { capabilities: {}, initializationOptions: { symbols: { hover_chars: 'many' } } });
  assert.equal(error.code, -32602);
  assert.match(error.message, /hover_chars/);
}, { initialized: false });

scenario('hover_reply', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, symbolsNamed(names)));
  const raw = { contents: [{ language: 'x', value: 'signature' }, 'Prose **here**.'], range: range(0, 2, 7) };
  server.on('textDocument/hover', ({ id }) => server.reply(id, raw));
  const ask = (options) => client.request('textDocument/hover', { textDocument: { uri: a }, position: { line: 0, character: 3 }, ...options });
  assert.deepEqual((await ask({ hover_reply: 'text' })).result, { contents: { kind: 'plaintext', value: 'signature - Prose here.' }, range: range(0, 2, 7) });
  assert.deepEqual((await ask({ hover_reply: 'standard' })).result, raw);
  assert.match((await ask({})).result.contents.value, /\nalpha \| 12 \| .* \| signature - Prose here\. \| <<<$/);
});

scenario('carrier symbol: a valid DocumentSymbol whose name is the table', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const answer = client.symbols(a, { include_hover: false });
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  const { result } = await answer;
  assert.equal(result.length, 1);
  const [{ name, kind, children, range: whole, selectionRange }] = result;
  assert.deepEqual([kind, children], [1, []]);
  assert.deepEqual(cells(name).map(([first]) => first), names);
  assert.deepEqual(whole.start, { line: 0, character: 0 });
  assert.ok(whole.end.line >= 2);
  for (const edge of ['start', 'end']) assert.ok(selectionRange[edge].line >= whole.start.line && selectionRange[edge].line <= whole.end.line);
}, { args: ['--carrier', 'symbol'] });

scenario('the command symbols.documentSymbols answers for several documents, others pass', async (session) => {
  const { client, server } = session;
  await open(session, a, b);
  server.on('textDocument/hover', (hover) => replyTo(server, hover));
  server.on('textDocument/documentSymbol', ({ id, params }) =>
    params.textDocument.uri === a ? server.reply(id, symbolsNamed(names)) : server.refuse(id, -32603, 'not that one'));
  const one = await client.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [{ textDocument: { uri: a } }] });
  assert.deepEqual(hovers(one.result.symbols), expected);
  const both = await client.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [{ textDocuments: [{ uri: a }, { uri: b }] }] });
  const text = JSON.stringify(both);
  assert.ok(text.includes('hover of gamma') && text.includes('not that one'), text);
  const wrong = await client.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [] });
  assert.equal(wrong.error.code, -32602);
  const own = client.request('workspace/executeCommand', { command: 'own', arguments: [1.5] }, 'own');
  const passed = await server.receives('workspace/executeCommand');
  assert.deepEqual([passed.id, passed.params], ['own', { command: 'own', arguments: [1.5] }]);
  server.reply('own', 'done');
  assert.equal((await own).result, 'done');
});

scenario('--ascii: every message is ASCII and says the same', async (session) => {
  const { client, server } = session;
  const params = { text: 'é ü 漢字 💥', 'ключ': [1] };
  const answer = client.request('own/méthode', params, 'ïd');
  const came = await server.receives('own/méthode');
  assert.deepEqual([came.id, came.params], ['ïd', params]);
  server.reply('ïd', params);
  assert.deepEqual((await answer).result, params);
  assert.match(client.texts.at(-1), /^[\x00-\x7f]*$/);
}, { args: ['--ascii'] });

scenario('--answer: the server is answered, and the client never asked', async (session) => {
  const { client, server } = session;
  server.send({ id: 'one', method: 'workspace/configuration', params: { items: [{ section: 'a' }, { section: 'b' }] } });
  assert.deepEqual((await server.receivesReply('one')).result, [null, null]);
  server.send({ id: 2, method: 'client/registerCapability', params: { registrations: [] } });
  assert.equal((await server.receivesReply(2)).result, null);
  server.send({ id: 3, method: 'window/showMessageRequest', params: { type: 1, message: 'Yes?' } });
  client.reply((await client.receives('window/showMessageRequest')).id, { title: 'Yes' });
  assert.deepEqual((await server.receivesReply(3)).result, { title: 'Yes' });
}, { args: ['--answer', 'configuration,registerCapability'] });

scenario('--stats says at the end what was answered', async (session) => {
  const { server } = session;
  await open(session, a);
  const { answer, hovers: requests } = await collecting(session, a);
  for (const hover of requests) replyTo(server, hover);
  await answer;
  await session.finish();
  assert.match(session.proxy.errors, /^symbols: .*documentSymbol/m);
}, { args: ['--stats'] });

// --- documents that the client has not opened

/** A file on disk that the proxy may open. */
function file(t, text = '  alpha\n  beta\n  gamma\n') {
  const path = join(realpathSync(folder(t)), 'a.ts');
  writeFileSync(path, text);
  return { path, uri: pathToFileURL(path).href };
}

scenario('a document that the client never opened is opened for it, kept as it is on disk, and left when the client opens it', async (session, t) => {
  const { client, server } = session;
  const { path, uri } = file(t);
  const ask = async () => {
    const answer = client.symbols(uri, { include_hover: false });
    const { id } = await server.receives('textDocument/documentSymbol');
    await server.reply(id, symbolsNamed(names));
    assert.deepEqual(cells((await answer).result.symbols).map(([name]) => name), names);
  };
  const first = ask();
  const { params } = await server.receives('textDocument/didOpen');
  assert.deepEqual(params.textDocument, { uri, languageId: 'typescript', version: params.textDocument.version, text: '  alpha\n  beta\n  gamma\n' });
  await first;
  await ask();
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, [], 'it is opened once');
  writeFileSync(path, '  alpha\n  é\n');
  const changed = ask();
  const change = await server.receives('textDocument/didChange');
  assert.equal(change.params.contentChanges.at(-1).text, '  alpha\n  é\n');
  await changed;
  client.open(uri, 'as the client has it\n');
  await server.receives('textDocument/didClose');
  assert.equal((await server.receives('textDocument/didOpen')).params.textDocument.text, 'as the client has it\n');
  writeFileSync(path, 'changed again\n');
  await ask();
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, [], "the client's documents are its own");
});

scenario('any request about a document opens it, but not one that is nowhere', async (session, t) => {
  const { client, server } = session;
  const { path, uri } = file(t);
  const answered = client.request('textDocument/definition', { textDocument: { uri }, position: { line: 0, character: 0 } }, 'ask');
  await server.receives('textDocument/didOpen');
  assert.equal((await server.receives('textDocument/definition')).id, 'ask');
  server.reply('ask', null);
  await answered;
  for (const nowhere of ['file:///nonexistent/a.ts', 'untitled:Untitled-1', pathToFileURL(join(path, '..')).href, 'not a uri']) {
    const answer = client.request('textDocument/definition', { textDocument: { uri: nowhere } }, nowhere);
    server.reply((await server.receives('textDocument/definition')).id, null);
    await answer;
  }
});

for (const args of [['--no-auto-open'], ['--format', 'standard']]) {
  scenario(`${args.join(' ')}: no document is opened`, async (session, t) => {
    const { client, server } = session;
    const { path, uri } = file(t);
    assert.ok(existsSync(path));
    const answer = client.symbols(uri, { include_hover: false });
    const { id } = await server.receives('textDocument/documentSymbol');
    server.reply(id, symbolsNamed(names));
    assert.ok((await answer).result);
  }, { args });
}
