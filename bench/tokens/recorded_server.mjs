// A language server that repeats what another has answered: `symbols --log LOG` has written it down. So each format of the
// same answer is made by the whole program, and the real server is asked once.
//
//   node bench/tokens/recorded_server.mjs LOG
import { readFileSync } from 'node:fs';

/** What an answer depends on. */
const keyOf = ({ method, params }) =>
  method === 'initialize' || method === 'shutdown' ? method : JSON.stringify([method, params?.textDocument?.uri, params?.position]);

const recorded = new Map();
const pending = new Map();
for (const line of readFileSync(process.argv[2], 'utf8').split('\n')) {
  const [, server, direction, body] = line.match(/^\S+ (.+?) (-->|<--) (\{.*)$/) ?? [];
  if (!body) continue;
  const message = JSON.parse(body);
  if (direction === '-->' && message.method && message.id !== undefined) pending.set(`${server} ${message.id}`, keyOf(message));
  if (direction === '<--' && !message.method && message.id !== undefined) recorded.set(pending.get(`${server} ${message.id}`), message);
}

function answer(request) {
  if (request.method === 'exit') process.exit(0);
  if (request.method === undefined || request.id === undefined) return;
  const { result, error } = recorded.get(keyOf(request)) ?? { error: { code: -32603, message: `not recorded: ${keyOf(request)}` } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: request.id, ...(error ? { error } : { result: result ?? null }) });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

let input = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const head = input.indexOf('\r\n\r\n');
    if (head < 0) return;
    const end = head + 4 + Number(/Content-Length: *(\d+)/i.exec(input.toString('latin1', 0, head))[1]);
    if (input.length < end) return;
    answer(JSON.parse(input.toString('utf8', head + 4, end)));
    input = input.subarray(end);
  }
});
process.stdin.on('end', () => process.exit(0));
