// A language server that attacks its user. Asked for the symbols of a file it tries what its argument says, and gives a symbol for
// each attempt: `what` and how it ended, "done" or an error's code.
//   node hostile_server.mjs '{"tcp":PORT,"udp":PORT,"unix":PATH,"abstract":PATH,"write":FILE,"file":FILE,"pid":PID}'
// With "leave":true it starts a process in a session of its own.
// `exit` as a notification ends it, and so does `test/crash`, with status 3.
import { fork, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMessages, writeMessage } from './lsp_stream.mjs';

const { tcp, udp, unix, abstract, write, file, pid, leave } = JSON.parse(process.argv[2]);
let client;  // the processId of initialize

const connected = (where) => new Promise((resolve, reject) => {
  const socket = createConnection(where, () => resolve(socket.end('stolen')));
  socket.on('error', reject);
});
const sent = (port) => new Promise((resolve, reject) => {
  const socket = createSocket('udp4');
  socket.on('error', reject);
  socket.send('stolen', port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
});
// Node.js calls setsid, the shell ends at once, and what it leaves behind calls it again.
const left = () => new Promise((resolve, reject) => {
  spawn('sh', ['-c', 'setsid sleep 60 &'], { detached: true, stdio: 'ignore' }).on('error', reject).on('exit', resolve);
});
const answered = () => new Promise((resolve, reject) => {
  const child = fork(fileURLToPath(import.meta.url), ['"child"']);  // by a pair of sockets
  child.on('message', (message) => resolve(child.kill() && message));
  child.on('error', reject);
});

const attempts = {
  TCP: () => connected({ port: tcp, host: '127.0.0.1' }),
  UDP: () => sent(udp),
  'Unix socket': () => connected({ path: unix }),
  'abstract Unix socket': () => connected({ path: abstract }),
  write: () => writeFileSync(write, 'stolen'),
  chmod: () => chmodSync(file, 0o666),
  utimes: () => utimesSync(file, 1, 1),
  signal: () => process.kill(pid, 'SIGUSR2'),
  environment: () => readFileSync(`/proc/${pid}/environ`),
  'own file': () => writeFileSync(join(tmpdir(), 'own'), 'x'),
  'own process': answered,
  ...(leave ? { leave: left } : {}),
};

const position = { line: 0, character: 0 };
const symbol = (name) => ({ name, kind: 13, range: { start: position, end: position }, selectionRange: { start: position, end: position } });

async function results() {
  const found = [symbol(`client: ${client}`)];
  for (const [what, attempt] of Object.entries(attempts)) {
    const how = await Promise.resolve().then(attempt).then(() => 'done', (error) => error.code);
    found.push(symbol(`${what}: ${how}`));
  }
  return found;
}

if (process.send) {
  process.send('here');
} else {
  readMessages(process.stdin, async ({ id, method, params }) => {
    if (method === 'test/crash') process.exit(3);
    if (method === 'exit') process.exit(0);
    if (id === undefined) return;
    let result = null;
    if (method === 'initialize') {
      client = params.processId;
      result = { capabilities: { documentSymbolProvider: true } };
    } else if (method === 'textDocument/documentSymbol') {
      result = await results();
    }
    writeMessage(process.stdout, { id, result });
  });
  process.stdin.on('end', () => process.exit(0));
}
