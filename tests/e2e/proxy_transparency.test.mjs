// Recorded sessions of real servers pass the proxy byte for byte, in both directions, but for what docs/spec.md, section 7, names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameBytes, exchange, proxy } from './byte_client.mjs';
import { frame } from './lsp_stream.mjs';
import { plans, readTranscript } from './transcript.mjs';
import { assertInitializeReply, assertQuiet, frames, onlyRewritten } from './transparency.mjs';

const sessions = ['clangd', 'typescript7', 'typescript-language-server'];
const portions = [
  { name: 'as they come', chunk: 65536 },
  { name: 'a byte at a time', chunk: 1 },
  { name: 'in odd portions', chunk: [1, 2, 3, 7, 40, 4096] },
  { name: 'through pipes', chunk: 65536, pipes: true },
];

/** The messages' index of the initialize request, and of its reply among the server's messages. */
function initializeAt(messages) {
  const of = (side) => messages.filter(({ from }) => from === side).map(({ body }) => JSON.parse(body));
  const request = of('client').findIndex(({ method }) => method === 'initialize');
  const { id } = of('client')[request];
  return { request, reply: of('server').findIndex((message) => message.method === undefined && message.id === id) };
}

async function play(t, messages, through, { chunk, pipes }) {
  const { client, server } = plans(messages);
  const ended = await exchange(t, {
    client: { ...client, chunk }, server: { ...server, chunk, end: { messages: client.frames.length } }, through, pipes,
  });
  assert.deepEqual([ended.status, ended.signal], [0, null], ended.stderr);
  assertQuiet(ended.stderr);
  return { ...ended, client, server };
}

for (const session of sessions) {
  const messages = readTranscript(`${session}.txt`);
  for (const { name, ...how } of portions) {
    test(`${session} with --format standard, ${name}`, async (t) => {
      const { toClient, toServer, client, server } = await play(t, messages, proxy('--format', 'standard'), how);
      assertSameBytes(toServer, client.stream, 'client to server');
      const { reply } = initializeAt(messages);
      assertInitializeReply(onlyRewritten(toClient, server.frames, reply, 'server to client'), frames(server.frames[reply])[0].body);
    });
  }
}

// The requests that the default format intercepts, and their replies.
function withoutIntercepted(messages) {
  const ids = new Set();
  return messages.filter(({ from, body }) => {
    const { id, method } = JSON.parse(body);
    const intercepted = from === 'client' && /^textDocument\/(documentSymbol|hover)$/.test(method);
    if (intercepted) ids.add(JSON.stringify(id));
    return !(intercepted || (from === 'server' && method === undefined && ids.has(JSON.stringify(id))));
  });
}

for (const session of sessions) {
  const messages = withoutIntercepted(readTranscript(`${session}.txt`));
  for (const { name, ...how } of portions) {
    test(`${session} with the default format, what is not intercepted, ${name}`, async (t) => {
      const { toClient, toServer, client, server } = await play(t, messages, proxy(), how);
      const { request, reply } = initializeAt(messages);
      const sent = JSON.parse(onlyRewritten(toServer, client.frames, request, 'client to server').toString('utf8'));
      const original = JSON.parse(frames(client.frames[request])[0].body.toString('utf8'));
      // The sessions' client offers already what the proxy would have offered in its place.
      assert.deepEqual(sent, original);
      const answer = JSON.parse(onlyRewritten(toClient, server.frames, reply, 'server to client').toString('utf8'));
      const expected = JSON.parse(frames(server.frames[reply])[0].body.toString('utf8'));
      const provider = answer.result.capabilities.executeCommandProvider;
      const ours = provider.commands.filter((command) => ['symbols.documentSymbols', 'symbols.context'].includes(command));
      assert.ok(ours.includes('symbols.documentSymbols'));
      provider.commands = provider.commands.filter((command) => !ours.includes(command));
      delete answer.result.capabilities.experimental.symbols;
      expected.result.capabilities.experimental ??= {};
      expected.result.capabilities.executeCommandProvider ??= { commands: [] };
      assert.deepEqual(answer, expected);
    });
  }
}

test('initialize with headers of its own keeps them where it is not changed', async (t) => {
  const header = (length) => `content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:${length}\r\n\r\n`;
  const request = frame('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}', header);
  const exit = frame('{"jsonrpc":"2.0","method":"exit"}', header);
  const reply = frame('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}', header);
  const ended = await exchange(t, {
    client: { stream: Buffer.concat([request, exit]), steps: [{ messages: 0, upTo: request.length }, { messages: 1, upTo: request.length + exit.length }] },
    server: { stream: reply, steps: [{ messages: 1, upTo: reply.length }], end: { messages: 2 } },
    through: proxy('--format', 'standard'),
  });
  assertSameBytes(ended.toServer, Buffer.concat([request, exit]), 'client to server');
  assertSameBytes(ended.toClient, reply, 'server to client');
  assert.equal(ended.status, 0);
});
