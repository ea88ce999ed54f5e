// All that is not intercepted passes the proxy byte for byte, in both directions, but for what docs/spec.md, section 7, names: recorded
// sessions of real servers, and traffic as odd as the protocol and its readers allow.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertSameBytes, exchange } from './byte_session.mjs';
import { frame, frames } from './lsp_stream.mjs';
import { bigMessage, oddSession } from './odd_messages.mjs';
import { assertQuiet, fixture } from './program.mjs';

const formats = { standard: ['--format', 'standard', '--log', '/dev/null'], default: [] };
const mega = 1 << 20;

/** Plays a session that ends well; gives what came to both ends. */
async function play(t, session) {
  const ended = await exchange(t, session);
  assert.deepEqual([ended.status, ended.signal], [0, null], ended.stderr);
  assertQuiet(ended.stderr);
  return ended;
}

/** All but the frame number `index` came as it was sent. Gives the message in its place and the one that was sent. */
function assertOneRewritten(actual, sent, index, what) {
  const before = Buffer.concat(sent.slice(0, index));
  assertSameBytes(actual.subarray(0, before.length), before, `${what}, before initialize`);
  const { header, body } = frames(actual.subarray(before.length))[0] ?? assert.fail(`${what}: nothing in place of initialize`);
  assertSameBytes(actual.subarray(before.length + header.length + body.length), Buffer.concat(sent.slice(index + 1)), `${what}, after initialize`);
  return [JSON.parse(body), JSON.parse(frames(sent[index])[0].body)];
}

/** The reply to initialize is the server's with what the proxy offers besides. */
function assertOnlyOffersMore([came, sent]) {
  const { capabilities } = came.result;
  assert.ok(capabilities.experimental.symbols);
  delete capabilities.experimental.symbols;
  sent.result.capabilities.experimental ??= {};
  if (capabilities.executeCommandProvider) {
    sent.result.capabilities.executeCommandProvider ??= { commands: [] };
    const provider = capabilities.executeCommandProvider;
    provider.commands = provider.commands.filter((command) => !['symbols.documentSymbols', 'symbols.context'].includes(command));
  }
  assert.deepEqual(came, sent);
}

/** A recorded session (fixtures/sessions/): a line for each message, `--> ` or `<-- ` before its body; `#` starts a comment. */
const recorded = (name) => readFileSync(fixture(`sessions/${name}.txt`), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ from: line.startsWith('--> ') ? 'client' : 'server', body: line.slice(4), ...JSON.parse(line.slice(4)) }));

/** Without the requests that the default format intercepts, and their replies. */
function withoutIntercepted(messages) {
  const isIntercepted = ({ from, method }) => from === 'client' && /^textDocument\/(documentSymbol|hover)$/.test(method);
  const ids = new Set(messages.filter(isIntercepted).map(({ id }) => id));
  return messages.filter((message) => !isIntercepted(message) && !(message.from === 'server' && message.method === undefined && ids.has(message.id)));
}

for (const name of ['clangd', 'typescript7', 'typescript-language-server']) {
  for (const [format, options] of Object.entries(formats)) {
    for (const chunk of [65536, 7, 1]) {
      test(`a session of ${name}, recorded, with the ${format} format, in portions of ${chunk}`, async (t) => {
        const messages = format === 'default' ? withoutIntercepted(recorded(name)) : recorded(name);
        const sides = { client: [], server: [] };
        const steps = { client: [], server: [] };
        for (const { from, body } of messages) {
          const other = sides[from === 'client' ? 'server' : 'client'];
          steps[from].push({ messages: other.length, write: frame(body) });
          sides[from].push(frame(body));
        }
        const { toClient, toServer } = await play(t, { ...steps, end: { messages: sides.client.length }, options, chunk });
        const { id } = messages.find(({ method }) => method === 'initialize');
        const replies = messages.filter(({ from }) => from === 'server');
        if (format === 'standard') assertSameBytes(toServer, Buffer.concat(sides.client), 'client to server');
        else assert.deepEqual(...assertOneRewritten(toServer, sides.client, 0, 'client to server'));  // this client offers all already
        const reply = replies.findIndex((message) => message.method === undefined && message.id === id);
        assertOnlyOffersMore(assertOneRewritten(toClient, sides.server, reply, 'server to client'));
      });
    }
  }
}

const initialize = frame('{"jsonrpc":"2.0","id":"the start","method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}');
const initialized = frame('{"jsonrpc":"2.0","id":"the start","result":{"capabilities":{"documentSymbolProvider":true,"hoverProvider":true}}}');
const shutdown = frame('{"jsonrpc":"2.0","id":"the end","method":"shutdown"}');
const ended = frame('{"jsonrpc":"2.0","id":"the end","result":null}');
const exit = frame('{"jsonrpc":"2.0","method":"exit"}');

/** Both ends write these messages (frames) at once, between the beginning and the end that the protocol has; `last` is what the server writes when it has got all. */
async function assertTransparent(t, { client, server, last = [] }, how) {
  const sent = { client: [initialize, ...client, shutdown, exit], server: [initialized, ...server, ...last, ended] };
  const { toClient, toServer } = await play(t, {
    client: [
      { write: initialize }, { messages: 1, write: Buffer.concat(client) }, { messages: 1 + server.length, write: shutdown },
      { messages: sent.server.length, write: exit },
    ],
    server: [{ messages: 1, write: Buffer.concat([initialized, ...server]) }, { messages: sent.client.length - 1, write: Buffer.concat([...last, ended]) }],
    end: { messages: sent.client.length }, ...how,
  });
  assertOneRewritten(toServer, sent.client, 0, 'client to server');
  assertOneRewritten(toClient, sent.server, 0, 'server to client');
}

// Requests are on a document that the client has opened, and on one that is nowhere.
const opened = frame('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nonexistent/1.ts","languageId":"x","version":1.0,"text":"\\u00e9"}}}');

for (const [format, options] of Object.entries(formats)) {
  for (const [chunk, count] of [[1, 150], [7, 800], [4096, 3000], [mega, 4000]]) {
    test(`${count} odd messages each way, with the ${format} format, in portions of ${chunk}`, (t) => {
      const odd = oddSession(count);
      return assertTransparent(t, { ...odd, client: [opened, ...odd.client] }, { options, chunk });
    });
  }

  test(`bodies of the sizes around those of buffers, and large ones, both ways at once, with the ${format} format`, async (t) => {
    const sizes = [12, 13, 16, 17].flatMap((power) => [-1, 0, 1].map((more) => 2 ** power + more));
    const around = sizes.flatMap((size) => [bigMessage(size, size), frame(' '.repeat(size)), frame(`{"jsonrpc":"2.0","method":"x","params":"${'é'.repeat(size / 2)}"}`)]);
    const messages = [...around, frame(''), bigMessage(5 * mega, 7), frame('x'), bigMessage(20 * mega, '"é"'), frame('[]'), frame(Buffer.alloc(5 * mega))];
    await assertTransparent(t, { client: messages, server: messages }, { options, chunk: mega });
  });

  // From there on nothing can be told apart, and everything passes.
  for (const [what, bytes] of [
    ['prose', 'Listening on stdin...\nReady.\n'],
    ['an absurd Content-Length', `Content-Length: 99999999999999\r\n\r\n{${'x'.repeat(200)}`],
    ['bytes of any kind', Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7919) % 256))],
  ]) {
    test(`${what} passes both ways, and what comes behind it, with the ${format} format`, async (t) => {
      const stream = Buffer.concat([frame('{"jsonrpc":"2.0","method":"before"}'), Buffer.from(bytes), frame('{"jsonrpc":"2.0","method":"behind"}')]);
      const { toClient, toServer } = await play(t, {
        client: [{ write: stream }], server: [{ bytes: stream.length, write: stream }], end: { bytes: stream.length }, options, chunk: 1000,
      });
      assertSameBytes(toServer, stream, 'client to server');
      assertSameBytes(toClient, stream, 'server to client');
    });
  }
}

test('initialize with headers of its own keeps them where it is not changed', async (t) => {
  const header = (length) => `content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:${length}\r\n\r\n`;
  const [request, reply, exit] = ['"id":1,"method":"initialize","params":{"capabilities":{}}', '"id":1,"error":{"code":1,"message":"no"}', '"method":"exit"']
    .map((members) => frame(`{"jsonrpc":"2.0",${members}}`, header));
  const { toClient, toServer } = await play(t, {
    client: [{ write: request }, { messages: 1, write: exit }], server: [{ messages: 1, write: reply }], end: { messages: 2 }, options: formats.standard,
  });
  assertSameBytes(toServer, Buffer.concat([request, exit]), 'client to server');
  assertSameBytes(toClient, reply, 'server to client');
});
