// `symbols proxy --prefetch`: hovers ahead of time, after an edit and a pause.
import assert from 'node:assert/strict';
import { a, b, collecting, expected, names, open, replyTo } from './collecting.mjs';
import { hoverSaying, hovers, scenario, symbolsNamed, textNaming } from './scenario.mjs';

const prefetch = { args: ['--prefetch'] };
const c = 'file:///nonexistent/c.x';

/** The client has asked for the table of this document and got it. */
async function tableOf(session, uri) {
  await open(session, uri);
  const { answer, hovers: requests } = await collecting(session, uri);
  for (const hover of requests) replyTo(session.server, hover);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
}

scenario('after an edit and a pause the hovers are asked for, and the next table finds them', async (session) => {
  const { client, server } = session;
  await tableOf(session, a);
  client.change(a, `${textNaming(names)}\n`);
  await server.receives('textDocument/didChange');
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  for (const { id, params } of await server.receivesAll('textDocument/hover', 3)) {
    server.reply(id, hoverSaying(`new hover of ${names[params.position.line]}`));
  }
  await session.clientIsUpToDate();
  const answer = client.symbols(a);
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  assert.deepEqual(hovers((await answer).result.symbols), names.map((name) => [name, `new hover of ${name}`]));
}, prefetch);

scenario('at most four at a time; a request of the client cancels them, and they are asked for again later', async (session) => {
  const { client, server } = session;
  const many = Array.from({ length: 9 }, (_, i) => `name${i}`);
  client.open(a, textNaming(many));
  await server.receives('textDocument/didOpen');
  const { answer, hovers: requests } = await collecting(session, a, { list: many });
  for (const { id } of requests) server.reply(id, hoverSaying('old'));
  await answer;
  client.change(a, `${textNaming(many)}\n`);
  await server.receives('textDocument/didChange');
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(many));
  const ahead = await server.receivesAll('textDocument/hover', 4);
  await session.proxyIsIdle();
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, []);
  const definition = client.request('textDocument/definition', { textDocument: { uri: a }, position: { line: 0, character: 0 } });
  const cancelled = await server.receivesAll('$/cancelRequest', 4);
  assert.deepEqual(cancelled.map(({ params }) => params.id).sort(), ahead.map(({ id }) => id).sort());
  const { id } = await server.receives('textDocument/definition');
  for (const hover of ahead) server.refuse(hover.id, -32800, 'cancelled');
  server.reply(id, null);
  await definition;
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(many));
  for (let i = 0; i < many.length; ++i) server.reply((await server.receives('textDocument/hover')).id, hoverSaying('new'));
  await session.clientIsUpToDate();
}, prefetch);

scenario('a document that was closed is left alone, and so is one whose table nobody asked for', async (session) => {
  const { client, server } = session;
  await tableOf(session, c);
  await tableOf(session, a);
  client.open(b, textNaming(names));
  client.notify('textDocument/didClose', { textDocument: { uri: a } });
  client.change(b, 'x\n');
  await server.receives('textDocument/didOpen');
  await server.receives('textDocument/didClose');
  await server.receives('textDocument/didChange');
  // After the pause the first, and alone, is one of which the table was asked for.
  const other = await server.receives('textDocument/documentSymbol');
  assert.equal(other.params.textDocument.uri, c);
  server.reply(other.id, symbolsNamed(names));
  for (const hover of await server.receivesAll('textDocument/hover', 3)) replyTo(server, hover);
  await session.clientIsUpToDate();
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, []);
}, prefetch);

scenario('a session that ends in the middle of it ends as ever', async (session) => {
  const { client, server } = session;
  await tableOf(session, a);
  client.change(a, `${textNaming(names)}\n`);
  await server.receives('textDocument/didChange');
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  await server.receivesAll('textDocument/hover', 3);
  server.on('$/cancelRequest', () => {});
}, prefetch);
