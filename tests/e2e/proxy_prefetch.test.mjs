// `symbols proxy --prefetch`: hovers ahead of time, after an edit and a pause.
import assert from 'node:assert/strict';
import { a, b, collecting, expected, names, open, replyTo } from './collecting.mjs';
import { hoverSaying, hovers, scenario, symbolsNamed, textNaming } from './scenario.mjs';

const prefetch = { args: ['--prefetch'] };

/** The client has asked for the table of `a` and got it. */
async function tableOfA(session) {
  const { server } = session;
  await open(session, a);
  const { answer, hovers: requests } = await collecting(session, a);
  for (const hover of requests) replyTo(server, hover);
  assert.deepEqual(hovers((await answer).result.symbols), expected);
}

scenario('after an edit and a pause the hovers are asked for, and the next table finds them', async (session) => {
  const { client, server } = session;
  await tableOfA(session);
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
  await tableOfA(session);
  client.open(b, textNaming(names));
  client.notify('textDocument/didClose', { textDocument: { uri: a } });
  client.change(b, 'x\n');
  await server.receivesAll('textDocument/didOpen', 1);
  await server.receives('textDocument/didClose');
  await server.receives('textDocument/didChange');
  await new Promise((resolve) => setTimeout(resolve, 800));
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, []);
}, prefetch);

scenario('without the option nothing is asked for ahead', async (session) => {
  const { client, server } = session;
  await tableOfA(session);
  client.change(a, `${textNaming(names)}\n`);
  await server.receives('textDocument/didChange');
  await new Promise((resolve) => setTimeout(resolve, 800));
  await session.serverIsUpToDate();
  assert.deepEqual(server.unclaimed, []);
});

scenario('a session that ends in the middle of it ends as ever', async (session) => {
  const { client, server } = session;
  await tableOfA(session);
  client.change(a, `${textNaming(names)}\n`);
  await server.receives('textDocument/didChange');
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(names));
  await server.receivesAll('textDocument/hover', 3);
  server.on('$/cancelRequest', () => {});
}, prefetch);
