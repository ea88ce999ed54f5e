// The hovers behind a table, when all does not go well: order, cancelling, lateness, duplicates, changes, sharing, memory.
import assert from 'node:assert/strict';
import { a, b, collecting, expected, names, ofLine, open, replyTo } from './collecting.mjs';
import { hoverSaying, hovers, scenario, symbolsNamed } from './scenario.mjs';

/** Whether `meta` counts so many. */
const counts = (meta, number) => assert.match(JSON.stringify(meta) ?? 'no meta', new RegExp(`[^0-9]${number}\\b`));

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

scenario('tables of two documents may be answered in any order, ids as they were', async (session) => {
  const { client, server } = session;
  await open(session, a, b);
  const ask = (id, uri) => client.sendRaw(`{"jsonrpc":"2.0","method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"${uri}"}},"id":${id}}`);
  const ids = ['1', '"1"', '9007199254740993', '9007199254740992', '"\\u0031\\/"', '-0.0'];
  ids.forEach((id, i) => ask(id, i % 2 ? a : b));
  const requests = await server.receivesAll('textDocument/documentSymbol', ids.length);
  server.on('textDocument/hover', (hover) => replyTo(server, hover));
  for (const { id } of requests.reverse()) server.reply(id, symbolsNamed(names));
  const bodies = [];
  for (let i = 0; i < ids.length; ++i) {
    const reply = await client.inbox.take((message) => message.result?.success);
    bodies.push(JSON.stringify(reply.result.symbols));
  }
  assert.equal(new Set(bodies).size, 1);
  await session.clientIsUpToDate();
  for (const id of ids) assert.ok(client.texts.some((text) => new RegExp(`"id": ?${id.replace(/[\\/]/g, '\\$&')}[,}]`).test(text)), id);
});

scenario('a request cancelled before the symbols have come', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const answer = client.symbols(a);
  const request = await server.receives('textDocument/documentSymbol');
  client.cancel(client.count);
  assert.equal((await answer).error.code, -32800);
  assert.deepEqual((await server.receives('$/cancelRequest')).params, { id: request.id });
  server.reply(request.id, symbolsNamed(names));
  await session.clientIsUpToDate();
  await session.serverIsUpToDate();
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

scenario('hovers are shared by requests for the same document, and one that is cancelled takes none from the other', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const first = await collecting(session, a);
  const second = client.symbols(a);
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  await session.clientIsUpToDate();
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, [], 'no hover is asked for twice');
  client.cancel(first.id);
  assert.equal((await first.answer).error.code, -32800);
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, [], 'the other still needs them');
  for (const hover of first.hovers) replyTo(server, hover);
  assert.deepEqual(hovers((await second).result.symbols), expected);
});

scenario('when both that share hovers are cancelled, the hovers are', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const first = await collecting(session, a);
  const second = client.symbols(a);
  const ids = [first.id, client.count];
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  await session.clientIsUpToDate();
  for (const id of ids) client.cancel(id);
  assert.deepEqual([(await first.answer).error.code, (await second).error.code], [-32800, -32800]);
  const cancelled = await server.receivesAll('$/cancelRequest', 3);
  assert.deepEqual(cancelled.map(({ params }) => params.id).sort(), first.hovers.map(({ id }) => id).sort());
});

scenario("cancelling somebody else's request passes as it is", async (session) => {
  const { client, server } = session;
  const answer = client.request('textDocument/completion', {}, 'own');
  const { id } = await server.receives('textDocument/completion');
  assert.equal(id, 'own');
  client.cancel('own');
  client.cancel('never asked');
  const cancelled = await server.receivesAll('$/cancelRequest', 2);
  assert.deepEqual(cancelled.map(({ params }) => params.id), ['own', 'never asked']);
  server.refuse('own', -32800, 'cancelled');
  assert.equal((await answer).error.message, 'cancelled');
});

scenario('hovers that come too late leave their cells empty, are counted, swallowed and asked for again', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('$/cancelRequest', () => {});
  const { answer, hovers: requests } = await collecting(session, a, { options: { timeout_ms: 300 } });
  const { result } = await answer;
  assert.deepEqual(hovers(result.symbols), names.map((name) => [name, '']));
  counts(result.meta, 3);
  for (const late of requests) replyTo(server, late);
  await session.clientIsUpToDate();
  const again = await collecting(session, a);
  for (const hover of again.hovers) replyTo(server, hover);
  assert.deepEqual(hovers((await again.answer).result.symbols), expected);
});

scenario('a server that says everything twice is heard once', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const { answer, request, hovers: requests } = await collecting(session, a);
  server.reply(request.id, symbolsNamed(['another']));
  for (const hover of requests) {
    replyTo(server, hover);
    server.reply(hover.id, hoverSaying('something else'));
    server.refuse(hover.id, -32603, 'and now an error');
  }
  assert.deepEqual(hovers((await answer).result.symbols), expected);
  server.reply(request.id, symbolsNamed(['another']));
  await session.clientIsUpToDate();
});

scenario('a hover that fails, is null or makes no sense costs its own cell', async (session) => {
  const { server } = session;
  await open(session, a);
  const { answer, hovers: requests } = await collecting(session, a);
  server.refuse(requests[0].id, 1, 'TypeScript Server Error');
  server.reply(requests[1].id, { contents: 5 });
  server.reply(requests[2].id, null);
  assert.deepEqual(hovers((await answer).result.symbols), names.map((name) => [name, '']));
});

scenario('a change while collecting keeps the symbols, drops the hovers still out, and counts them', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('$/cancelRequest', () => {});
  const { answer, hovers: requests } = await collecting(session, a);
  replyTo(server, requests[0]);
  await session.clientIsUpToDate();
  client.change(a, 'y\n');
  await server.receives('textDocument/didChange');
  const { result } = await answer;
  assert.deepEqual(hovers(result.symbols), [expected[0], ['beta', ''], ['gamma', '']]);
  counts(result.meta, 2);
  for (const late of requests.slice(1)) replyTo(server, late);
  await session.clientIsUpToDate();
  // None of them is good for the changed document.
  const again = await collecting(session, a);
  for (const hover of again.hovers) replyTo(server, hover);
  assert.deepEqual(hovers((await again.answer).result.symbols), expected);
});

const forgetting = [
  ['didChange of another document', ({ client }) => client.change(b, 'y\n'), 'textDocument/didChange'],
  ['didOpen', ({ client }) => client.open('file:///nonexistent/c.x'), 'textDocument/didOpen'],
  ['didSave', ({ client }) => client.notify('textDocument/didSave', { textDocument: { uri: b } }), 'textDocument/didSave'],
  ['didClose', ({ client }) => client.notify('textDocument/didClose', { textDocument: { uri: b } }), 'textDocument/didClose'],
  ['didChangeWatchedFiles', ({ client }) => client.notify('workspace/didChangeWatchedFiles', { changes: [] }), 'workspace/didChangeWatchedFiles'],
  ['didChangeConfiguration', ({ client }) => client.notify('workspace/didChangeConfiguration', { settings: {} }), 'workspace/didChangeConfiguration'],
  ['a refresh of the server', async ({ client, server }) => {
    server.send({ id: 'refresh', method: 'workspace/semanticTokens/refresh' });
    client.reply((await client.receives('workspace/semanticTokens/refresh')).id, null);
    await server.receivesReply('refresh');
  }],
];
for (const [name, happens, method] of forgetting) {
  scenario(`hovers are remembered until ${name}`, async (session) => {
    const { server } = session;
    await open(session, a, b);
    const first = await collecting(session, a);
    for (const hover of first.hovers) replyTo(server, hover);
    assert.deepEqual(hovers((await first.answer).result.symbols), expected);
    const second = await collecting(session, a, { count: 0 });
    assert.deepEqual(hovers((await second.answer).result.symbols), expected);
    await session.serverIsUpToDate();
    assert.deepEqual(server.unclaimed, [], 'remembered');
    await happens(session);
    if (method) await server.receives(method);
    const third = await collecting(session, a);
    for (const hover of third.hovers) replyTo(server, hover);
    assert.deepEqual(hovers((await third.answer).result.symbols), expected);
  });
}

scenario('a null and a failure are not remembered', async (session) => {
  const { server } = session;
  await open(session, a);
  const first = await collecting(session, a);
  replyTo(server, first.hovers[0]);
  server.reply(first.hovers[1].id, null);
  server.refuse(first.hovers[2].id, -32603, 'no');
  await first.answer;
  const second = await collecting(session, a, { count: 2 });
  assert.deepEqual(second.hovers.map(ofLine), [1, 2]);
  for (const hover of second.hovers) replyTo(server, hover);
  assert.deepEqual(hovers((await second.answer).result.symbols), expected);
});

scenario('a hover that came while the server was loading is not remembered', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.send({ id: 'create', method: 'window/workDoneProgress/create', params: { token: 'load' } });
  client.reply((await client.receives('window/workDoneProgress/create')).id, null);
  await server.receivesReply('create');
  server.notify('$/progress', { token: 'load', value: { kind: 'begin', title: 'loading' } });
  const first = await collecting(session, a);
  for (const hover of first.hovers) server.reply(hover.id, hoverSaying('loading...'));
  await first.answer;
  server.notify('$/progress', { token: 'load', value: { kind: 'end' } });
  await client.receivesAll('$/progress', 2);
  const second = await collecting(session, a);
  for (const hover of second.hovers) replyTo(server, hover);
  assert.deepEqual(hovers((await second.answer).result.symbols), expected);
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

scenario('hovers of several documents share that bound, and those that still wait are never asked once cancelled', async (session) => {
  const { client, server } = session;
  await open(session, a, b);
  const list = Array.from({ length: 60 }, (_, i) => `name${i}`);
  const answers = [];
  const ids = [];
  for (const uri of [a, b]) {
    answers.push(client.symbols(uri));
    ids.push(client.count);
    server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(list));
  }
  await session.clientIsUpToDate();
  await session.serverIsUpToDate();
  assert.ok(server.unclaimed.length <= 32, `${server.unclaimed.length} are out`);
  // The one that waits for the other's first: else it would be its turn in between.
  for (const id of ids.reverse()) client.cancel(id);
  for (const answer of answers) assert.equal((await answer).error.code, -32800);
  await session.serverIsUpToDate();
  const came = server.unclaimed.splice(0);
  const asked = came.filter(({ method }) => method === 'textDocument/hover').map(({ id }) => id);
  const cancelled = came.filter(({ method }) => method === '$/cancelRequest').map(({ params }) => params.id);
  assert.ok(asked.length <= 32, `${asked.length} were asked`);
  assert.deepEqual(cancelled.sort(), asked.sort());
  for (const id of asked) server.refuse(id, -32800, 'cancelled');
  await session.clientIsUpToDate();
});

scenario('a request is cancelled by its id as it was written', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const ask = (id) => client.sendRaw(`{"jsonrpc":"2.0","id":${id},"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"${a}"},"include_hover":false}}`);
  for (const id of ['7', '"7"', '9007199254740993', '9007199254740992']) ask(id);
  const requests = await server.receivesAll('textDocument/documentSymbol', 4);
  client.sendRaw('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"7"}}');
  client.sendRaw('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":9007199254740993}}');
  const cancelled = await server.receivesAll('$/cancelRequest', 2);
  assert.deepEqual(cancelled.map(({ params }) => params.id), [requests[1].id, requests[2].id]);
  server.reply(requests[0].id, symbolsNamed(names));
  server.reply(requests[3].id, symbolsNamed(names));
  await client.inbox.take((message) => message.id === 7 && message.result);
  await client.inbox.take((message) => message.id === '7' && message.error.code === -32800);
  await client.inbox.take((message) => message.error?.code === -32800);
  await client.inbox.take((message) => message.result?.success);
  assert.ok(client.texts.some((text) => text.includes('9007199254740993') && text.includes('-32800')));
  assert.ok(client.texts.some((text) => text.includes('9007199254740992') && text.includes('"success"')));
});

scenario('didClose while collecting: the request is answered all the same', async (session) => {
  const { client, server } = session;
  await open(session, a);
  server.on('$/cancelRequest', () => {});
  const { answer, hovers: requests } = await collecting(session, a);
  replyTo(server, requests[0]);
  await session.clientIsUpToDate();
  client.notify('textDocument/didClose', { textDocument: { uri: a } });
  await server.receives('textDocument/didClose');
  const { result } = await answer;
  assert.deepEqual(hovers(result.symbols), [expected[0], ['beta', ''], ['gamma', '']]);
  counts(result.meta, 2);
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

scenario('shutdown while hovers are in flight, answered still', async (session) => {
  const { client, server } = session;
  await open(session, a);
  const { answer, hovers: requests } = await collecting(session, a);
  const shutdown = client.request('shutdown');
  const { id } = await server.receives('shutdown');
  for (const hover of requests) replyTo(server, hover);
  server.reply(id, null);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
  assert.equal((await shutdown).result, null);
  client.notify('exit');
  await server.receives('exit');
  await session.ends(0);
});
