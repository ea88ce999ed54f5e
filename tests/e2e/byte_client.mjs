// A client that plays prepared bytes into the standard input of a program, with a byte server behind it, and keeps every byte
// that comes back.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BytePeer } from './byte_peer.mjs';
import { folder, hangLimit, symbolsPath } from './program.mjs';

const byteServer = join(dirname(fileURLToPath(import.meta.url)), 'byte_server.mjs');

/** Ways from the client to the server: arrays of arguments, the server's own given. */
export const direct = (server) => server;
export const proxy = (...options) => (server) => [symbolsPath, 'proxy', ...options, '--', ...server];

/** A pipe, as descriptors; Node's own are sockets. */
export function pipe(path) {
  execFileSync('mkfifo', [path]);
  const keeper = openSync(path, constants.O_RDWR);
  const ends = { readable: openSync(path, constants.O_RDONLY), writable: openSync(path, constants.O_WRONLY) };
  closeSync(keeper);
  return ends;
}

function spawnWithPipes([command, ...args], { cwd, env }) {
  const input = pipe(join(cwd, 'input'));
  const output = pipe(join(cwd, 'output'));
  const child = spawn(command, args, { cwd, env, stdio: [input.readable, output.writable, 'pipe'] });
  closeSync(input.readable);
  closeSync(output.writable);
  return {
    child,
    stdin: new Socket({ fd: input.writable, readable: false, writable: true }),
    stdout: new Socket({ fd: output.readable, readable: true, writable: false }),
  };
}

function spawnWithSockets([command, ...args], { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  return { child, stdin: child.stdin, stdout: child.stdout };
}

/**
 * Plays a session of a client and a server to its end. `client` and `server` are plans as of byte_peer.mjs, `server` with what
 * byte_server.mjs adds; `through` is a way, above. Gives { toClient, toServer: the bytes that came; status, signal, stderr }. When
 * nothing has come to either for `hangLimit` milliseconds, all is killed (signal SIGKILL).
 */
export async function exchange(t, { client, server, through = direct, pipes = false }) {
  const cwd = folder(t);
  const paths = { plan: join(cwd, 'plan'), stream: join(cwd, 'stream'), record: join(cwd, 'record') };
  writeFileSync(paths.stream, server.stream);
  writeFileSync(paths.record, '');
  const { chunk, cuts, steps, blocking, end } = server;
  writeFileSync(paths.plan, JSON.stringify({ chunk, cuts, steps, blocking, end, stream: paths.stream, record: paths.record }));
  const { child, stdin, stdout } = (pipes ? spawnWithPipes : spawnWithSockets)(
    through([process.execPath, byteServer, paths.plan]), { cwd, env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent' } });
  let seen = 0;
  const progress = () => statSync(paths.record).size + received.reduce((sum, { length }) => sum + length, 0);
  const watch = setInterval(() => (progress() > seen ? (seen = progress()) : child.kill('SIGKILL')), hangLimit);
  t.after(() => {
    clearInterval(watch);
    child.kill('SIGKILL');
  });
  const received = [];
  const errors = [];
  const write = (bytes) => new Promise((resolve) => stdin.write(bytes, resolve));
  stdin.on('error', () => {});
  const peer = new BytePeer(client, write, child.pid);
  stdout.on('data', (portion) => {
    received.push(portion);
    peer.receive(portion);
  });
  child.stderr.on('data', (portion) => errors.push(portion));
  const closed = (stream) => new Promise((resolve) => stream.on('close', resolve));
  const ended = Promise.all([
    new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (status, signal) => resolve({ status, signal }));
    }),
    closed(stdout),
    closed(child.stderr),
  ]);
  peer.play();
  const [{ status, signal }] = await ended;
  clearInterval(watch);
  stdin.destroy();
  return {
    toClient: Buffer.concat(received),
    toServer: readFileSync(paths.record),
    status,
    signal,
    stderr: Buffer.concat(errors).toString('utf8'),
  };
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
