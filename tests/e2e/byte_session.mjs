// Sessions of prepared bytes through `symbols proxy`, with every byte kept that comes out at either end. The test plays both ends: the
// server's process passes on what comes, to and from the test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { frameSplitter } from './lsp_stream.mjs';
import { folder, hangLimit, proxied } from './program.mjs';

// Its arguments: a socket of the test's, and the size of the portions in which it writes.
const server = `
  const [path, chunk] = process.argv.slice(1);
  const test = require('node:net').connect(path);
  process.stdin.pipe(test);
  test.on('data', (bytes) => {
    for (let at = 0; at < bytes.length; at += Number(chunk)) process.stdout.write(bytes.subarray(at, at + Number(chunk)));
  });
  test.on('end', () => process.stdout.write('', () => process.exit(0)));`;

/** One end of a session: what has come so far, and how much of it. */
class End {
  received = [];
  messages = 0;
  bytes = 0;
  wake = () => {};
  count = frameSplitter(() => this.messages++);

  constructor(input) {
    input.on('data', (portion) => {
      this.received.push(portion);
      this.bytes += portion.length;
      try {
        this.count(portion);
      } catch {
        this.count = () => {};  // not frames: nothing to count
      }
      this.wake();
    });
  }

  async until({ messages = 0, bytes = 0 }) {
    while (this.messages < messages || this.bytes < bytes) await new Promise((resolve) => (this.wake = resolve));
  }

  async play(steps, output, chunk) {
    for (const { write, ...what } of steps) {
      await this.until(what);
      for (let at = 0; at < write.length; at += chunk) {
        await new Promise((resolve) => output.write(write.subarray(at, at + chunk), resolve));
      }
    }
  }
}

/**
 * Plays a session to its end, with the proxy's `options`, in portions of `chunk` bytes. `client` and `server` are what each writes:
 * [{ messages, bytes, write }], `write` (a Buffer) once so many messages, or bytes, have come to it. The server ends when as much has come as
 * `end` says. Gives { toClient, toServer: the bytes that came; status, signal, stderr }. When nothing has come to either end for
 * `hangLimit` milliseconds the proxy is killed (signal SIGKILL).
 */
export async function exchange(t, { client, server: steps, end, options = [], chunk = 65536 }) {
  const path = join(folder(t), 'socket');
  const listener = createServer().listen(path);
  await once(listener, 'listening');
  const [program, ...args] = proxied(options, [process.execPath, '-e', server, path, String(chunk)]);
  const child = spawn(program, args, { env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent' } });
  const exited = new Promise((resolve) => child.on('close', (status, signal) => resolve({ status, signal })));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  let watch = setTimeout(() => child.kill('SIGKILL'), hangLimit);
  t.after(() => {
    clearInterval(watch);
    child.kill('SIGKILL');
    listener.close();
  });
  const ended = exited.then((end) => { throw new Error(`the proxy ended before its server connected: ${JSON.stringify(end)}: ${stderr}`); });
  const [socket] = await Promise.race([once(listener, 'connection'), ended]);
  ended.catch(() => {});  // it may end after the test
  clearTimeout(watch);
  const ends = { client: new End(child.stdout), server: new End(socket) };
  let before = -1;
  watch = setInterval(() => {
    const now = ends.client.bytes + ends.server.bytes;
    if (now === before) child.kill('SIGKILL');
    before = now;
  }, hangLimit);
  for (const stream of [child.stdin, socket]) stream.on('error', () => {});
  ends.client.play(client, child.stdin, chunk);
  ends.server.play(steps, socket, chunk).then(() => ends.server.until(end)).then(() => socket.end());
  const { status, signal } = await exited;
  return { toClient: Buffer.concat(ends.client.received), toServer: Buffer.concat(ends.server.received), status, signal, stderr };
}

/** Fails with the place of the first difference, in few words whatever the size. */
export function assertSameBytes(actual, expected, what) {
  if (actual.equals(expected)) return;
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) ++at;
  const around = (bytes) => JSON.stringify(bytes.subarray(Math.max(0, at - 80), at + 80).toString('latin1'));
  assert.fail(`${what}: ${actual.length} bytes instead of ${expected.length}, different from byte ${at} on:\n` +
    `got      ${around(actual)}\nexpected ${around(expected)}`);
}
