// What the scenarios about tables have in common: two documents, their symbols, and a table that is being collected.
import assert from 'node:assert/strict';
import { hoverSaying, symbolsNamed, textNaming } from './scenario.mjs';

export const a = 'file:///nonexistent/a.x';
export const b = 'file:///nonexistent/b.x';
export const names = ['alpha', 'beta', 'gamma'];
export const ofLine = ({ params }) => params.position.line;
export const expected = names.map((name) => [name, `hover of ${name}`]);

/** The client opens documents that have these names. */
export async function open({ client, server }, ...uris) {
  for (const uri of uris) client.open(uri, textNaming(names));
  await server.receivesAll('textDocument/didOpen', uris.length);
}

/** Asks for a table and has the server give the symbols; { answer, its id, request, hovers: the requests for them, by line }. */
export async function collecting({ client, server }, uri, { list = names, count = list.length, options } = {}) {
  const answer = client.symbols(uri, options);
  const id = client.count;
  const request = await server.receives('textDocument/documentSymbol');
  assert.deepEqual(request.params, { textDocument: { uri } });
  server.reply(request.id, symbolsNamed(list));
  const requests = await server.receivesAll('textDocument/hover', count);
  return { answer, id, request, hovers: requests.sort((x, y) => ofLine(x) - ofLine(y)) };
}

export const replyTo = (server, request) => server.reply(request.id, hoverSaying(`hover of ${names[ofLine(request)]}`));
