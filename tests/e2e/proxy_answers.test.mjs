// Answers through the program: hovers behind a table, two proxies, deep messages, --ascii. What the session does with each message is in
// tests/proxy/session/conversations/.
import assert from 'node:assert/strict';
import { symbolsPath } from './program.mjs';
import { hoverSaying, hovers, scenario, symbolsNamed, textNaming } from './scenario.mjs';

const a = 'file:///nonexistent/a.x';
const names = ['alpha', 'beta', 'gamma'];
const ofLine = ({ params }) => params.position.line;
const expected = names.map((name) => [name, `hover of ${name}`]);
const replyTo = (server, request) => server.reply(request.id, hoverSaying(`hover of ${names[ofLine(request)]}`));

/** The client opens a document that has these names. */
async function open({ client, server }) {
  client.open(a, textNaming(names));
  await server.receives('textDocument/didOpen');
}

/** Requests a table and has the server send the symbols; { answer, hovers: the requests for them }. */
async function collecting({ client, server }) {
  const answer = client.symbols(a);
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  return { answer, hovers: await server.receivesAll('textDocument/hover', names.length) };
}

scenario('a proxy behind a proxy; --stats counts the answers', async (session) => {
  const { client, server } = session;
  await open(session);
  server.on('textDocument/hover', (hover) => replyTo(server, hover));
  server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, symbolsNamed(names)));
  const answers = [client.symbols(a), client.symbols(a), client.hover(a, 0, 2)];
  assert.deepEqual(hovers((await answers[0]).result.symbols), expected);
  assert.deepEqual(hovers((await answers[1]).result.symbols), expected);
  assert.ok((await answers[2]).result.contents.value.includes('hover of alpha'));
  await session.finish();
  assert.match(session.proxy.errors, /^symbols: .*documentSymbol/m);
}, { args: ['--stats'], behind: (server) => [symbolsPath, 'proxy', '--format', 'standard', '--', ...server] });

// Deeper than any stack goes; RapidJSON, V8 and most others fall over such a thing one way or another.
const deep = (count, start = '[', end = ']') => start.repeat(count) + end.repeat(count);

scenario('replies and requests nested beyond all measure are answered somehow, and the session goes on', async (session) => {
  const { client, server } = session;
  await open(session);
  const range = '{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}';
  for (const result of [deep(200_000), `[${deep(20_000, `{"name":"x","kind":12,"range":${range},"selectionRange":${range},"children":[`, ']}')}]`]) {
    client.symbols(a, { include_hover: false }).catch(() => {});
    const { id } = await server.receives('textDocument/documentSymbol');
    await server.sendRaw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
    await session.clientIsUpToDate();
  }
  assert.equal(client.texts.length, 3);  // with initialize
  const params = `{"textDocument":{"uri":"${a}"},"position":{"line":0,"character":0},"nested":${deep(200_000)}}`;
  for (const method of ['textDocument/completion', 'textDocument/documentSymbol', 'workspace/executeCommand', 'textDocument/hover']) {
    client.sendRaw(`{"jsonrpc":"2.0","id":"deep ${method}","method":"${method}","params":${params}}`);
    server.reply((await server.receives(method)).id, null);
    const { result } = await client.receivesReply(`deep ${method}`);
    assert.ok(result === null || result.success === true);
  }
  const { answer, hovers: requests } = await collecting(session);
  for (const hover of requests) replyTo(server, hover);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
});

scenario('--ascii: every message is ASCII and says the same; --answer: the server is answered, and the client never asked', async (session) => {
  const { client, server } = session;
  const params = { text: 'é ü 漢字 💥', 'ключ': [1] };
  const answer = client.request('own/méthode', params, 'ïd');
  const came = await server.receives('own/méthode');
  assert.deepEqual([came.id, came.params], ['ïd', params]);
  server.reply('ïd', params);
  assert.deepEqual((await answer).result, params);
  assert.match(client.texts.at(-1), /^[\x00-\x7f]*$/);
  server.send({ id: 'one', method: 'workspace/configuration', params: { items: [{ section: 'a' }, { section: 'b' }] } });
  assert.deepEqual((await server.receivesReply('one')).result, [null, null]);
}, { args: ['--ascii', '--answer', 'configuration'] });
