// Recorded sessions (fixtures/sessions/): a line for each message in order, `--> ` before what the client sent, `<-- ` before what the
// server sent, then the body as it was, as `symbols proxy --log` has it behind time and server; `#` starts a comment.
import { readFileSync } from 'node:fs';
import { fixture } from './program.mjs';
import { frame } from './lsp_stream.mjs';

/** The messages of a session: [{ from: 'client' | 'server', body: text }]. */
export function readTranscript(name) {
  const lines = readFileSync(fixture(`sessions/${name}`), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => ({ from: { '--> ': 'client', '<-- ': 'server' }[line.slice(0, 4)], body: line.slice(4) }));
}

/** What two byte peers need to play a session in lock-step: { client, server }, each { stream, steps }. */
export function plans(messages) {
  const sides = { client: { frames: [], steps: [], length: 0 }, server: { frames: [], steps: [], length: 0 } };
  for (const { from, body } of messages) {
    const side = sides[from];
    const other = sides[from === 'client' ? 'server' : 'client'];
    const bytes = frame(body);
    side.frames.push(bytes);
    side.length += bytes.length;
    side.steps.push({ messages: other.frames.length, upTo: side.length });
  }
  return Object.fromEntries(Object.entries(sides).map(([name, { frames, steps }]) => [name, { stream: Buffer.concat(frames), steps, frames }]));
}
