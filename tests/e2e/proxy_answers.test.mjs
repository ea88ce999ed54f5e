// Answers through the program: hovers behind a table, ids, large and deep messages, options. What the session does with each message
// is in tests/proxy/session/conversations/.
import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cells, folder, symbolsPath } from './program.mjs';
import { hoverSaying, hovers, scenario, symbolsNamed, textNaming } from './scenario.mjs';

const a = 'file:///nonexistent/a.x';
const names = ['alpha', 'beta', 'gamma'];
const ofLine = ({ params }) => params.position.line;
const expected = names.map((name) => [name, `hover of ${name}`]);
const replyTo = (server, request) => server.reply(request.id, hoverSaying(`hover of ${names[ofLine(request)]}`));

/** The client opens documents that have these names. */
async function open({ client, server }, ...uris) {
  for (const uri of uris) client.open(uri, textNaming(names));
  await server.receivesAll('textDocument/didOpen', uris.length);
}

/** Requests a table and has the server send the symbols; { answer, its id, request, hovers: the requests for them, by line }. */
async function collecting({ client, server }, uri) {
  const answer = client.symbols(uri);
  const id = client.count;
  const request = await server.receives('textDocument/documentSymbol');
  assert.deepEqual(request.params, { textDocument: { uri } });
  server.reply(request.id, symbolsNamed(names));
  const requests = await server.receivesAll('textDocument/hover', names.length);
  return { answer, id, request, hovers: requests.sort((x, y) => ofLine(x) - ofLine(y)) };
}

scenario('hovers may come in any order', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const { answer, request, hovers: requests } = await collecting(session, a);
  for (const id of [request, ...requests].map((message) => message.id)) assert.match(id, /^symbols-proxy-[\w-]*\d$/);
  assert.deepEqual(requests.map(({ params }) => params), names.map((name, line) => ({ textDocument: { uri: a }, position: { line, character: 2 } })));
  for (const hover of requests.reverse()) replyTo(server, hover);
  const { result } = await answer;
  assert.deepEqual(Object.keys(result), ['success', 'format', 'symbols']);
  assert.deepEqual([result.success, result.format], [true, 'table']);
  assert.deepEqual(hovers(result.symbols), expected);
  await session.clientIsUpToDate();
});

scenario('a request cancelled while its hovers are out: they are cancelled too, and what they say later is swallowed', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const { answer, id, hovers: requests } = await collecting(session, a);
  replyTo(server, requests[1]);
  await session.clientIsUpToDate();
  client.cancel(id);
  assert.equal((await answer).error.code, -32800);
  const cancelled = await server.receivesAll('$/cancelRequest', 2);
  assert.deepEqual(cancelled.map(({ params }) => params.id).sort(), [requests[0].id, requests[2].id].sort());
  server.refuse(requests[0].id, -32800, 'cancelled');
  replyTo(server, requests[2]);
  await session.clientIsUpToDate();
});

scenario("at most 32 hovers are out, and a client's request waits behind no more", async (session) => {
  const { client, server } = session;
  await open(session, a);
  const list = Array.from({ length: 100 }, (_, i) => `name${i}`);
  const answer = client.symbols(a);
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(list));
  server.inbox.put(await server.receives('textDocument/hover'));
  await session.serverIsUpToDate();
  assert.ok(server.unclaimed.length > 1 && server.unclaimed.length <= 32, `${server.unclaimed.length} are out`);
  const completion = client.request('textDocument/completion', {});
  server.reply((await server.receives('textDocument/completion')).id, 'at once');
  assert.equal((await completion).result, 'at once');
  let most = 0;
  for (let done = 0; done < 100; ++done) {
    const hover = await server.receives('textDocument/hover');
    most = Math.max(most, server.unclaimed.length + 1);
    await server.reply(hover.id, hoverSaying(`hover of ${ofLine(hover)}`));
  }
  assert.ok(most <= 32, `${most} were out`);
  assert.deepEqual(hovers((await answer).result.symbols), list.map((name, i) => [name, `hover of ${i}`]));
});

scenario("the server's own requests pass in between, with ids like the client's", async (session) => {
  const { client, server } = session;
  await open(session, a);
  const { answer, id, hovers: requests } = await collecting(session, a);
  const ids = [id, String(id), requests[0].id, 0];
  for (const own of ids) {
    server.send({ id: own, method: 'workspace/configuration', params: { items: [own] } });
    const asked = await client.receives('workspace/configuration');
    assert.deepEqual([asked.id, asked.params], [own, { items: [own] }]);
    client.reply(own, [`for ${own}`]);
    assert.deepEqual((await server.receivesReply(own)).result, [`for ${own}`]);
  }
  for (const hover of requests) replyTo(server, hover);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
});

scenario('shutdown while hovers are in flight', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('$/cancelRequest', () => {});
  const { answer, hovers: requests } = await collecting(session, a);
  const shutdown = client.request('shutdown');
  server.reply((await server.receives('shutdown')).id, null);
  assert.equal((await shutdown).result, null);
  client.notify('exit');
  await server.receives('exit');
  await session.ends(0);
  // Who has said exit waits for nothing; but what is said must be an answer.
  const reply = await answer.catch(() => undefined);
  assert.ok(reply === undefined || reply.error !== undefined || reply.result.success === true);
  assert.equal(requests.length, 3);
  assert.deepEqual(client.unclaimed, []);
});

scenario('a table of symbols whose reply has its id behind megabytes', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const answer = client.symbols(a, { include_hover: false });
  const { id } = await server.receives('textDocument/documentSymbol');
  const list = symbolsNamed(Array.from({ length: 40_000 }, (_, i) => `name${i}`));
  server.sendRaw(`{"jsonrpc":"2.0","result":${JSON.stringify(list)},"id":${JSON.stringify(id)}}`);
  assert.equal((await answer).result.symbols.split('\n').length, 40_001);
});

scenario('large replies to others pass while one of ours is out, up to what is read and beyond', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const { answer, hovers: requests } = await collecting(session, a);
  for (const bytes of [5_000_000, 70_000_000]) {
    const other = client.request('own/method');
    const { id } = await server.receives('own/method');
    server.command('bigReply', { bytes, id });
    assert.equal((await other).result.length, bytes);
  }
  for (const hover of requests) replyTo(server, hover);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
});

scenario('a proxy behind a proxy', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('textDocument/hover', (hover) => replyTo(server, hover));
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, symbolsNamed(names)));
  const answers = [client.symbols(a), client.symbols(a), client.hover(a, 0, 2)];
  assert.deepEqual(hovers((await answers[0]).result.symbols), expected);
  assert.deepEqual(hovers((await answers[1]).result.symbols), expected);
  assert.ok((await answers[2]).result.contents.value.includes('hover of alpha'));
}, { behind: (server) => [symbolsPath, 'proxy', '--format', 'standard', '--', ...server] });

// Deeper than any stack goes; RapidJSON, V8 and most others fall over such a thing one way or another.
const deep = 200_000;

scenario('a reply nested beyond all measure is answered somehow, and the session goes on', async (session) => {
  const { client, server } = session;
  await open(session, a);
  for (const result of [
    `${'['.repeat(deep)}${']'.repeat(deep)}`,
    `[${'{"name":"x","kind":12,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"children":['.repeat(20_000)}${']}'.repeat(20_000)}]`,
  ]) {
    client.parses = false;
    const asked = client.symbols(a, { include_hover: false });
    asked.catch(() => {});
    const { id } = await server.receives('textDocument/documentSymbol');
    await server.sendRaw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
    await session.clientIsUpToDate();
  }
  assert.equal(client.texts.length, 3);  // with initialize
  const { answer, hovers: requests } = await collecting(session, a);
  for (const hover of requests) replyTo(server, hover);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
});

scenario('a request nested beyond all measure reaches the server', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const params = `{"textDocument":{"uri":"${a}"},"position":{"line":0,"character":0},"nested":${'['.repeat(deep)}${']'.repeat(deep)}}`;
  for (const method of ['textDocument/completion', 'textDocument/documentSymbol', 'workspace/executeCommand', 'textDocument/hover']) {
    if (method === 'textDocument/hover') server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, []));
    client.sendRaw(`{"jsonrpc":"2.0","id":"deep ${method}","method":"${method}","params":${params}}`);
    const { id } = await server.receives(method);
    server.reply(id, null);
    const { result } = await client.receivesReply(`deep ${method}`);
    assert.ok(result === null || result.success === true);
  }
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

for (const args of [['--no-auto-open'], ['--format', 'standard']]) {
  scenario(`${args.join(' ')}: no document is opened`, async (session, t) => {
    const { client, server } = session;
    const { uri } = file(t);
    const answer = client.symbols(uri, { include_hover: false });
    const { id } = await server.receives('textDocument/documentSymbol');
    server.reply(id, symbolsNamed(names));
    assert.ok((await answer).result);
  }, { args });
}
