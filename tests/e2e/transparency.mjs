// What "byte for byte" means in the tests of the proxy, and the ends of the sessions that they play.
import assert from 'node:assert/strict';
import { assertSameBytes, exchange } from './byte_client.mjs';
import { frame, frameSplitter } from './lsp_stream.mjs';

/** The frames of `bytes`: [{ header, body }]. */
export function frames(bytes) {
  const all = [];
  frameSplitter((header, body) => all.push({ header, body }))(bytes);
  return all;
}

const message = (members) => frame(JSON.stringify({ jsonrpc: '2.0', ...members }));

export const initializeRequest = message({
  id: 'the start', method: 'initialize', params: { processId: null, rootUri: null, capabilities: {}, workspaceFolders: null },
});
export const initializeReply = message({ id: 'the start', result: { capabilities: { documentSymbolProvider: true, hoverProvider: true } } });

/**
 * Plans of two peers that write these messages (Buffers) at once and then end their session as the protocol says; before that
 * they begin it so, if `initialized`. `last` is what the server writes when it has got all. `frames` are all that each writes.
 */
export function freeRunning(fromClient, fromServer, { initialized = false, last = [] } = {}) {
  const before = initialized ? 1 : 0;
  const client = [initializeRequest, ...fromClient, message({ id: 'the end', method: 'shutdown' }), message({ method: 'exit' })].slice(1 - before);
  const server = [initializeReply, ...fromServer, ...last, message({ id: 'the end', result: null })].slice(1 - before);
  const unasked = before + fromServer.length;
  const length = (list) => list.reduce((sum, bytes) => sum + bytes.length, 0);
  return {
    client: {
      frames: client,
      stream: Buffer.concat(client),
      steps: [
        { messages: 0, upTo: length(client.slice(0, before)) },
        { messages: before, upTo: length(client.slice(0, -2)) },
        { messages: unasked, upTo: length(client.slice(0, -1)) },
        { messages: server.length, upTo: length(client) },
      ],
    },
    server: {
      frames: server,
      stream: Buffer.concat(server),
      steps: [
        { messages: before, upTo: length(server.slice(0, unasked)) },
        { messages: client.length - 1, upTo: length(server) },
      ],
      end: { messages: client.length },
    },
  };
}

/** Nothing on standard error but messages of the proxy, and few of them. */
export function assertQuiet(stderr) {
  const lines = stderr.split('\n').filter((line) => line !== '');
  for (const line of lines) assert.match(line, /^symbols: /);
  assert.ok(lines.length <= 20, `${lines.length} messages on standard error:\n${stderr.slice(0, 3000)}`);
}

/** Plays a session; both ends must have got exactly what the other wrote, but for `initialize` if that may be rewritten. */
export async function assertTransparent(t, { initialized = false, ...options }) {
  const ended = await exchange(t, options);
  const { client, server } = options;
  if (initialized) {
    onlyRewritten(ended.toServer, client.frames, 0, 'client to server');
    onlyRewritten(ended.toClient, server.frames, 0, 'server to client');
    assert.deepEqual([ended.status, ended.signal], [0, null], ended.stderr);
    assertQuiet(ended.stderr);
    return;
  }
  assertSameBytes(ended.toServer, client.stream, 'client to server');
  assertSameBytes(ended.toClient, server.stream, 'server to client');
  assert.deepEqual([ended.status, ended.signal], [0, null], ended.stderr);
  assertQuiet(ended.stderr);
}

/** The bytes of the one frame of `actual` that stands where `expected` has its frame number `index`; all around must be the same. */
export function onlyRewritten(actual, expected, index, what) {
  const before = Buffer.concat(expected.slice(0, index));
  const after = Buffer.concat(expected.slice(index + 1));
  assertSameBytes(actual.subarray(0, before.length), before, `${what}, before initialize`);
  const rewritten = frames(actual.subarray(before.length))[0];
  assert.ok(rewritten, `${what}: nothing in place of initialize`);
  assertSameBytes(actual.subarray(before.length + rewritten.header.length + rewritten.body.length), after, `${what}, after initialize`);
  return rewritten.body;
}

/** How many bytes `a` and `b` have in common at the start and then at the end, overlapping nowhere. */
function inCommon(a, b) {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) ++start;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  return start + end;
}

/** `longer` is `shorter` with something put in at one place, and not a byte changed. */
export function assertOneInsertion(longer, shorter, what) {
  assert.equal(inCommon(longer, shorter), shorter.length, `${what}: more has changed than one piece:\n${longer}\n${shorter}`);
}

/** Checks the reply to `initialize` that a client got with `--format standard` against the server's own. */
export function assertInitializeReply(actual, original) {
  assertOneInsertion(actual, original, 'the reply to initialize');
  const reply = JSON.parse(actual.toString('utf8'));
  const expected = JSON.parse(original.toString('utf8'));
  const { symbols, ...others } = reply.result.capabilities.experimental;
  assert.equal(typeof symbols.version, 'string');
  assert.ok(symbols.formats.includes('table') && symbols.formats.includes('standard') || symbols.formats.includes('json'));
  assert.ok(symbols.options !== undefined);
  reply.result.capabilities.experimental = others;
  expected.result.capabilities.experimental ??= {};
  assert.deepEqual(reply, expected);
}
