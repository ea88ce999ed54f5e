// What is answered, when requests, replies or ids are not what is usual.
import assert from 'node:assert/strict';
import { a, collecting, expected, names, open, replyTo } from './collecting.mjs';
import { eventually, symbolsPath } from './program.mjs';
import { capabilities, hoverSaying, hovers, scenario, symbolsNamed } from './scenario.mjs';

scenario("an error of the server's passes as it is", async (session) => {
  const { client, server } = session;
  await open(session, a);
  const error = { code: -32801, message: 'content modified \u00e9', data: { retry: true } };
  const answer = client.symbols(a);
  server.send({ id: (await server.receives('textDocument/documentSymbol')).id, error });
  assert.deepEqual((await answer).error, error);
  const hover = client.hover(a);
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, []));
  server.send({ error, id: (await server.receives('textDocument/hover')).id });
  assert.deepEqual((await hover).error, error);
});

scenario('format standard in a request gives what the server said, though tables are the default', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const answer = client.symbols(a, { format: 'standard', include_hover: false });
  const { id, params } = await server.receives('textDocument/documentSymbol');
  assert.deepEqual(params, { textDocument: { uri: a } });
  server.sendRaw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":[ {"name":"\\u00e9","kind":12.0,"range":1E5} ]}`);
  assert.deepEqual((await answer).result, [{ name: 'é', kind: 12, range: 1e5 }]);
  assert.ok(client.texts.at(-1).includes('[ {"name":"\\u00e9","kind":12.0,"range":1E5} ]'), client.texts.at(-1));
});

scenario('an option of ours that is wrong is an error that names it, and the server is not asked', async (session) => {
  const { client, server } = session;
  await open(session, a);
  for (const [option, value] of [['format', 'xml'], ['hover_chars', -1], ['return_children', 'many'], ['include_hover', 'yes']]) {
    const { error } = await client.symbols(a, { [option]: value });
    assert.equal(error.code, -32602);
    assert.ok(error.message.includes(option), error.message);
  }
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, []);
});

scenario('a reply that is not a list of symbols passes unchanged', async (session) => {
  const { client, server } = session;
  await open(session, a);
  for (const result of ['{"symbols":[1.0]}', '"none"', '[{"name":7}]', '[5.0]']) {
    const answer = client.symbols(a);
    const { id } = await server.receives('textDocument/documentSymbol');
    server.sendRaw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
    assert.deepEqual((await answer).result, JSON.parse(result));
    assert.ok(client.texts.at(-1).includes(result));
  }
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

scenario("a client that uses the proxy's own prefix for its ids", async (session) => {
  const { client, server } = session;
  await open(session, a);
  const ids = Array.from({ length: 12 }, (_, i) => `symbols-proxy-${i + 1}`);
  const others = ids.map((id) => client.request('own/method', { id }, id));
  await server.receivesAll('own/method', ids.length);
  const { answer, hovers: requests } = await collecting(session, a);
  for (const hover of requests) replyTo(server, hover);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
  for (const id of ids) server.reply(id, `own ${id}`);
  for (const [i, other] of others.entries()) assert.equal((await other).result, `own ${ids[i]}`);
});

scenario("a client's hover is one row of the table", async (session) => {
  const { client, server } = session;
  await open(session, a);
  const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 6 } };
  const answer = client.hover(a, 1, 3);
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, symbolsNamed(names)));
  const { id, params } = await server.receives('textDocument/hover');
  assert.deepEqual(params, { textDocument: { uri: a }, position: { line: 1, character: 3 } });
  server.reply(id, { ...hoverSaying('hover of beta'), range });
  const { result } = await answer;
  assert.deepEqual(result.range, range);
  assert.equal(result.contents.kind, 'plaintext');
  const [header, row] = result.contents.value.split('\n');
  assert.match(header, /^NAME \| KIND \| RANGE \| SELECTION \| PARENT \| HOVER_INFO \| EOL$/);
  assert.equal(row, 'beta | 12 | 1:0-20 | 1:2-6 |  | hover of beta | <<<');
});

scenario("a client's hover waits for symbols no longer than half a second, and null stays null", async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('textDocument/documentSymbol', () => {});
  server.on('$/cancelRequest', () => {});
  const answer = client.hover(a, 0, 3);
  server.reply((await server.receives('textDocument/hover')).id, hoverSaying('hover of alpha'));
  const { result } = await answer;
  assert.match(result.contents.value, /\nalpha \|  \| 0:2-7 \| 0:2-7 \|  \| hover of alpha \| <<<$/);
  const none = client.hover(a, 0, 3);
  server.reply((await server.receives('textDocument/hover')).id, null);
  assert.equal((await none).result, null);
});

scenario("a client's hover cancelled", async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, symbolsNamed(names)));
  // The symbols that go with it are cancelled too, unless they have come.
  const cancelled = [];
  server.on('$/cancelRequest', ({ params }) => cancelled.push(params.id));
  const answer = client.hover(a);
  const { id } = await server.receives('textDocument/hover');
  client.cancel(client.count);
  assert.equal((await answer).error.code, -32800);
  await eventually(() => cancelled.includes(id));
  server.reply(id, hoverSaying('too late'));
  await session.clientIsUpToDate();
});

scenario('a server that offers no hovers is asked for none', async (session) => {
  const { client, server } = session;
  await session.initialize({}, { capabilities: { ...capabilities, hoverProvider: false } });
  await open(session, a);
  const { answer } = await collecting(session, a, { count: 0 });
  const { result } = await answer;
  assert.equal(result.symbols.split('\n').length, 4);
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, []);
  assert.equal(client.unclaimed.length, 0);
}, { initialized: false });

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
