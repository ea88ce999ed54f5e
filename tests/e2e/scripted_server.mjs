// A language server whose script is the test itself: it tells the test over a socket what comes to it, and does what the test
// tells it, so that nothing needs to be left to the clock. The test's side is in scenario.mjs.
//
//   node scripted_server.mjs SOCKET [stay]
//
// Both sides write a line of JSON for each thing that they have to say; every command is acknowledged once it is done. By itself
// the server ends on `exit` and at the end of its standard input; with `stay` on nothing, signals included.
import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { frame, frameSplitter } from './lsp_stream.mjs';

const [path, stay] = process.argv.slice(2);
const control = connect(path);
const stdout = new Socket({ fd: 1, readable: false, writable: true });
stdout.on('error', () => {});
let filling = 0;
let atShutdown;
let checkFilling = () => {};
const tell = (what) => control.write(`${JSON.stringify(what)}\n`);
const written = (bytes) => new Promise((resolve) => stdout.write(bytes, resolve));

const commands = {
  write: ({ bytes }) => written(Buffer.from(bytes, 'base64')),
  // To be written when `shutdown` comes, without the test's round trip: the proxy waits 2 s for them.
  atShutdown: ({ bytes }) => { atShutdown = Buffer.from(bytes, 'base64'); },
  // Notifications, or requests with one id, until so many bytes are written.
  async flood({ bytes, size, id, method = 'test/flood' }) {
    const message = frame(JSON.stringify({ jsonrpc: '2.0', id, method, params: 'x'.repeat(size) }));
    const portion = Buffer.concat(Array(Math.ceil(65536 / message.length)).fill(message));
    for (let done = 0; done < bytes; done += portion.length) await written(portion);
  },
  // A reply with so many bytes of result before its id.
  bigReply: ({ bytes, id }) => written(frame(`{"jsonrpc":"2.0","result":"${'x'.repeat(bytes)}","id":${JSON.stringify(id)}}`)),
  stderr: ({ text }) => writeSync(2, text),
  // Resolves when so many notifications test/filling have come, which are counted and not told.
  filled: ({ count }) => new Promise((resolve) => (checkFilling = () => filling >= count && resolve(filling))()),
  pause: () => process.stdin.pause(),
  resume: () => process.stdin.resume(),
  // Node leaves the descriptors of standard streams open by itself.
  closeStdin() {
    process.stdin.destroy();
    closeSync(0);
  },
  closeStdout() {
    stdout.destroy();
    closeSync(1);
  },
  // A process of its own, with the server's own streams, that stays.
  child({ ignores = [] }) {
    const script = `${JSON.stringify(ignores)}.forEach((signal) => process.on(signal, () => {})); console.error(process.pid); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['inherit', 'inherit', 'pipe'] });
    return new Promise((resolve) => child.stderr.once('data', (pid) => resolve(Number(pid))));
  },
  exit: ({ status }) => process.exit(status),
  kill: ({ signal }) => process.kill(process.pid, signal),
};

createInterface({ input: control }).on('line', async (line) => {
  const { number, command, ...rest } = JSON.parse(line);
  tell({ done: number, result: await commands[command](rest) });
});
control.on('close', () => process.exit(70));
control.on('error', () => process.exit(70));

tell({ pid: process.pid });
if (stay) {
  setInterval(() => {}, 1000);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => tell({ signal }));
}
process.stdin.on('data', frameSplitter((header, body) => {
  const start = body.subarray(0, 100).toString('latin1');
  if (start.includes('"test/filling"')) {
    ++filling;
    checkFilling();
    return;
  }
  tell({ body: body.toString('base64') });
  if (atShutdown && start.includes('"shutdown"')) written(atShutdown);
  if (!stay && start.includes('"exit"')) process.exit(0);
}));
process.stdin.on('end', () => stay || process.exit(0));
