// A server that plays prepared bytes on its standard output and keeps every byte that comes on its standard input.
//
//   node byte_server.mjs PLAN.json
//
// The plan: { stream, record: paths; chunk, cuts, steps: see byte_peer.mjs; blocking: whether it cannot read while it writes;
// end: { messages } or { bytes }, after so many it ends (it ends with its standard input anyway) }
import { openSync, readFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { BytePeer } from './byte_peer.mjs';

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const record = openSync(plan.record, 'w');
const stdout = plan.blocking ? undefined : new Socket({ fd: 1, readable: false, writable: true });
stdout?.on('error', () => process.exit(74));

function writeAll(bytes) {
  for (let done = 0; done < bytes.length;) done += writeSync(1, bytes, done);
}
const write = (bytes) => (stdout ? new Promise((resolve) => stdout.write(bytes, resolve)) : writeAll(bytes));

const peer = new BytePeer({ ...plan, stream: readFileSync(plan.stream) }, write, process.ppid);
process.stdin.on('data', (portion) => {
  writeSync(record, portion);
  peer.receive(portion);
});
process.stdin.on('end', () => process.exit(0));
await peer.play();
await peer.until(plan.end ?? { messages: Infinity });
process.exit(0);
