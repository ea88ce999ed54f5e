// A client for sizes and numbers: replies are kept as the bytes that came, or only counted. Its server is large_server.mjs.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from './plain_client.mjs';
import { allowed, mega, peakOf } from './process_size.mjs';
import { folder, marked, proxied, quoted, start, timeFactor } from './program.mjs';

export const largeServer = (options = {}) =>
  [process.execPath, join(dirname(fileURLToPath(import.meta.url)), 'large_server.mjs'), ...Object.entries(options).map(([name, value]) => `${name}=${value}`)];

const limit = 120_000 * timeFactor;

/** The id of a reply, which is near its beginning or near its end, and its body. */
function read(body) {
  const [start, end] = [body.subarray(0, 60), body.subarray(-60)].map((part) => part.toString('latin1'));
  return { id: Number(/"id": ?(\d+)/.exec(start)?.[1] ?? /"id": ?(\d+)\}$/.exec(end)?.[1]), body };
}

/** Starts the proxy with these options before that server, initialized; all of it ends with the test. Replies are bodies, Buffers. */
export async function startProxy(t, args, server) {
  const mark = marked();
  const client = connect(proxied(args, server), { env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent', ...mark.env } }, { read });
  t.after(() => mark.kill());
  const request = async (method, params) => (await client.request(method, params)).body;
  await client.initialize(undefined, { processId: null });
  return {
    ...client, request,
    close: (uri) => client.notify('textDocument/didClose', { textDocument: { uri } }),
    symbols: (uri, options = {}) => request('textDocument/documentSymbol', { textDocument: { uri }, ...options }),
    hover: (uri, options = {}) => request('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 2 }, ...options }),
    /** Everything that was sent has been answered once, and the proxy ends well. */
    async finish() {
      assert.deepEqual(await client.finish(), { status: 0, signal: null }, client.errors);
      assert.deepEqual([client.waiting.size, client.unexpected], [0, []], 'each request has one reply');
    },
  };
}

// What docs/limits.md says of memory, in bytes.
export const bounds = { quiet: 16 * mega, perSymbol: 1400, perByte: 4, perHoverByte: 12 };
export const assertUnder = (bytes, most) =>
  assert.ok(bytes < allowed(most), `${(bytes / mega).toFixed(1)} MiB, allowed ${(allowed(most) / mega).toFixed(1)}`);

export const uri = 'file:///nonexistent/a.x';
/** The beginning and the end of a large reply, and its length. */
export const ends = (body) => `${body.length}: ${body.subarray(0, 150)} … ${body.subarray(-60)}`;
export const errorOf = (body) => JSON.parse(body).error;
export const tooLarge = { code: -32603, message: "the server's reply is too large to be read: over 64 MiB" };

/** A session with the large server, one document open, that `play` leaves ready to be ended. */
export async function session(t, args, server, play) {
  const proxy = await startProxy(t, args, largeServer(server));
  proxy.open(uri, 'f0\n');
  await play(proxy);
  await proxy.finish();
}

/** `symbols FILE` before the large server: { status, signal, stderr, peak; bytes, start, end: of its output }. */
export async function command(t, args, server) {
  const cwd = folder(t, { 'a.x': 'f0\n' });
  const child = start(['--language', 'x', '--server', quoted(largeServer(server)), ...args, 'a.x'],
    { cwd, limit, drop: true });
  const seen = { bytes: 0, start: '', end: '', lines: 0 };
  child.stdout.on('data', (portion) => {
    seen.bytes += portion.length;
    if (seen.start.length < 1000) seen.start += portion.toString('utf8', 0, 1000);
    seen.end = (seen.end + portion.toString('utf8', Math.max(0, portion.length - 1000))).slice(-1000);
    for (let at = portion.indexOf(10); at >= 0; at = portion.indexOf(10, at + 1)) ++seen.lines;
  });
  const peak = await peakOf(child);
  const { status, signal, stderr } = await child.finished;
  return { status, signal, stderr, peak, ...seen };
}
