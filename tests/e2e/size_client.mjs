// A client for sizes and numbers: replies are kept as the bytes that came, or only counted. Its server is large_server.mjs.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frame, frameSplitter } from './lsp_stream.mjs';
import { allowed, mega, peakOf } from './process_size.mjs';
import { folder, marked, proxied, start, timeFactor } from './program.mjs';

export const largeServer = (options = {}) =>
  [process.execPath, join(dirname(fileURLToPath(import.meta.url)), 'large_server.mjs'), ...Object.entries(options).map(([name, value]) => `${name}=${value}`)];

const limit = 120_000 * timeFactor;

/** Starts the proxy with these options before that server, initialized; all of it ends with the test. */
export async function startProxy(t, args, server) {
  const mark = marked();
  const [program, ...rest] = proxied(args, server);
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent', ...mark.env } });
  t.after(() => mark.kill());
  const session = { child, pid: child.pid, errors: '', replies: 0, unexpected: [] };
  const waiting = new Map();
  let lastId = 0;
  child.stdin.on('error', () => {});
  child.stderr.on('data', (portion) => (session.errors += portion));
  session.exited = new Promise((resolve) => child.on('close', (status, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the proxy ended (${status ?? signal}): ${session.errors.slice(-500)}`));
    resolve({ status, signal });
  }));
  child.stdout.on('data', frameSplitter((header, body) => {
    // The id is near the beginning, or near the end.
    const ends = [body.subarray(0, 60), body.subarray(-60)].map((part) => part.toString('latin1'));
    const id = /"id": ?(\d+)/.exec(ends[0])?.[1] ?? /"id": ?(\d+)\}$/.exec(ends[1])?.[1];
    const one = waiting.get(Number(id));
    if (!one) session.unexpected.push(body.subarray(0, 200));
    waiting.delete(Number(id));
    ++session.replies;
    one?.resolve(body);
  }));
  session.write = (message) => child.stdin.write(frame(JSON.stringify({ jsonrpc: '2.0', ...message })));
  session.notify = (method, params) => session.write({ method, params });
  /** The body of the reply, a Buffer. */
  session.request = (method, params) => {
    const id = ++lastId;
    session.write({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  session.open = (uri, text) => session.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'x', version: 1, text } });
  session.close = (uri) => session.notify('textDocument/didClose', { textDocument: { uri } });
  session.symbols = (uri, options = {}) => session.request('textDocument/documentSymbol', { textDocument: { uri }, ...options });
  session.hover = (uri, options = {}) => session.request('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 2 }, ...options });
  /** Everything that was sent has been answered once, and the proxy ends well. */
  session.finish = async () => {
    await session.request('shutdown');
    session.notify('exit');
    assert.deepEqual(await session.exited, { status: 0, signal: null }, session.errors);
    assert.deepEqual(session.unexpected, [], 'answered twice, or nobody asked');
    assert.equal(session.replies, lastId);
  };
  await session.request('initialize', { processId: null, rootUri: null, capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } } });
  session.notify('initialized', {});
  return session;
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
  const child = start(['--language', 'x', '--server', largeServer(server).map((word) => `'${word}'`).join(' '), ...args, 'a.x'],
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
