// Generated traffic, as odd as the protocol and its readers allow, in both directions at once: all of it passes byte for byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameBytes, exchange, proxy } from './byte_client.mjs';
import { frame } from './lsp_stream.mjs';
import { bigMessage, oddSession } from './odd_traffic.mjs';
import { assertQuiet, assertTransparent, freeRunning } from './transparency.mjs';

const standard = proxy('--format', 'standard');
const mega = 1 << 20;

const mixed = [
  { chunk: 1, messages: 150 },
  { chunk: 2, messages: 300 },
  { chunk: 3, messages: 400 },
  { chunk: 7, messages: 800 },
  { chunk: 4096, messages: 3000 },
  { chunk: mega, messages: 4000 },
  { chunk: mega, messages: 2000, pipes: true },
  // A server that reads nothing while its own writing waits.
  { chunk: mega, messages: 2000, blocking: true },
  { chunk: [1, 4096, 7, mega], messages: 2000, pipes: true, blocking: true },
];
mixed.forEach(({ chunk, messages, pipes = false, blocking = false }, seed) => {
  const name = `in portions of ${chunk}${pipes ? ', through pipes' : ''}${blocking ? ', a server that writes before it reads' : ''}`;
  test(`${messages} odd messages each way, ${name}`, async (t) => {
    const odd = oddSession(seed, messages);
    const { client, server } = freeRunning(odd.client, odd.server, odd);
    await assertTransparent(t, { client: { ...client, chunk }, server: { ...server, chunk, blocking }, through: standard, pipes });
  });
});

// Requests on a document that the client has opened, and on one that is nowhere.
const opened = frame('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nonexistent/1.ts","languageId":"x","version":1.0,"text":"\\u00e9"}}}');

for (const chunk of [7, [1, 4096, 333], mega]) {
  test(`the default format lets pass what it does not intercept, in portions of ${chunk}`, async (t) => {
    const odd = oddSession(77, 1000);
    const plans = freeRunning([opened, ...odd.client], odd.server, { ...odd, initialized: true });
    plans.client.chunk = plans.server.chunk = chunk;
    await assertTransparent(t, { ...plans, initialized: true, through: proxy() });
  });
}

test('large bodies, both ways at once, ids behind their results', async (t) => {
  const odd = oddSession(5, 50);
  const messages = (side) => [
    frame(''), bigMessage(5 * mega, 7), frame('x'), bigMessage(20 * mega, '"é"'), frame('[]'), ...odd[side], frame(Buffer.alloc(5 * mega)),
  ];
  for (const pipes of [false, true]) {
    const { client, server } = freeRunning(messages('client'), messages('server'), odd);
    await assertTransparent(t, { client: { ...client, chunk: mega }, server: { ...server, chunk: mega }, through: standard, pipes });
  }
});

test('bodies of the sizes around those of buffers', async (t) => {
  const sizes = [12, 13, 16, 17].flatMap((power) => [-1, 0, 1].map((more) => 2 ** power + more));
  const messages = sizes.flatMap((size) => [bigMessage(size, size), frame(' '.repeat(size)), frame(JSON.stringify({ jsonrpc: '2.0', method: 'x', params: 'é'.repeat(size / 2) }))]);
  for (const through of [standard, proxy()])
    await assertTransparent(t, { ...freeRunning(messages, messages, { initialized: true }), initialized: true, through });
});

/** A stream in which each of the frames comes once for every place at which it could be cut, with those places. */
function cutEverywhere(frames) {
  const cuts = [];
  const stream = [];
  let length = 0;
  for (const bytes of frames) {
    for (let cut = 1; cut <= bytes.length; ++cut) {
      cuts.push(length + cut);
      stream.push(bytes);
      length += bytes.length;
    }
  }
  return { stream, cuts };
}

test('a message may be cut at every byte of its header and body', async (t) => {
  const headers = [
    (length) => `Content-Length: ${length}\r\n\r\n`,
    (length) => `content-type: x\r\ncontent-length:${length}\r\n\r\n`,
    (length) => `Content-Length: ${length}\n\n`,
  ];
  const frames = headers.flatMap((header) => [frame('{"id":1,"result":2}', header), frame('', header), frame('{"method":"a"}', header)]);
  const { stream, cuts } = cutEverywhere(frames);
  const { client, server } = freeRunning(stream, stream);
  await assertTransparent(t, { client: { ...client, cuts }, server: { ...server, cuts }, through: standard });
});

// What is no frame: from there on nothing can be told apart, and everything passes.
const unframed = [
  ['prose', 'Listening on stdin...\nReady.\n'],
  ['a header without Content-Length', 'Content-Type: x\r\n\r\n{}'],
  ['a Content-Length that is no number', 'Content-Length: 2x\r\n\r\n{}'],
  ['a negative Content-Length', 'Content-Length: -2\r\n\r\n{}'],
  // Not to be known before a little of the body has come; no reader would know more.
  ['an absurd Content-Length', `Content-Length: 99999999999999\r\n\r\n{${'x'.repeat(200)}`],
  ['a length of many digits', `Content-Length: ${'9'.repeat(40)}\r\n\r\n{`],
  ['two that differ', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} '],
  ['a header without end', `X: ${'x'.repeat(20_000)}`],
  ['bytes of any kind', Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7919) % 256))],
];
for (const [name, bytes] of unframed) {
  for (const through of [standard, proxy()]) {
    test(`${name} passes both ways, and what comes behind it (${through === standard ? 'standard' : 'default format'})`, async (t) => {
      const before = frame('{"jsonrpc":"2.0","method":"before"}');
      const stream = Buffer.concat([before, Buffer.from(bytes), frame('{"jsonrpc":"2.0","method":"behind"}')]);
      const ended = await exchange(t, {
        client: { stream, chunk: 1000 }, server: { stream, chunk: [before.length, 3, 1000], steps: [{ bytes: stream.length, upTo: stream.length }], end: { bytes: stream.length } }, through,
      });
      assertSameBytes(ended.toServer, stream, 'client to server');
      assertSameBytes(ended.toClient, stream, 'server to client');
      assert.deepEqual([ended.status, ended.signal], [0, null]);
      assertQuiet(ended.stderr);
    });
  }
}
