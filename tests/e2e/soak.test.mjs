// bench/soak: for half a minute before real servers; and that it notices what it looks for.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Session, newTally } from '../../bench/soak_session.mjs';
import { project, run, timeFactor } from './program.mjs';

const mayMount = ['-m', '-rm'].some((options) => spawnSync('unshare', [options, 'true']).status === 0);

test('half a minute: servers die, the disk is full, clients stall, and all holds', { skip: !mayMount && 'it needs a mount namespace', timeout: 900_000 * timeFactor }, async () => {
  const { status, stdout, stderr } = await run(['0.5', '--seed', '1', '--kill-every', '7'], { program: join(project, 'bench/soak') });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stderr, /^soak: seed 1, 0\.5 minutes, a kill every 7 s\nsoak: 3\d s: \d+ requests, /);
  const [header, , ...lines] = stdout.split('\n\n')[0].split('\n').map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
  const rows = lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i], cell])));
  assert.deepEqual(rows.map((row) => row['']), ['clangd', 'TypeScript 7', 'pyright', 'gopls', 'daemon']);
  const total = (column) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
  for (const { requests, replies, ...row } of rows.slice(0, 4)) {
    assert.equal(requests, replies);
    assert.ok(Number(requests) > 20 && Number(row['tables compared']) > 5 && Number(row.cancelled) > 0, JSON.stringify(row));
  }
  assert.ok(total('killed') >= 2 && total('restarts') >= 1 && total('stalls') >= 1, stdout);
  assert.match(stdout, /^disk full: [1-9]\d* times; indexes compared: \d+; processes left: 0\nsoak: all held$/m);
});

test('replies that are missing, come twice or were not asked for are noticed', { timeout: 60_000 * timeFactor }, async () => {
  // In place of a proxy: it does with each request what its method says.
  const server = `
    import { readMessages, writeMessage } from ${JSON.stringify(join(project, 'tests/e2e/lsp_stream.mjs'))};
    readMessages(process.stdin, ({ id, method }) => {
      if (method === 'exit') process.exit(0);
      if (method === 'ask') for (let i = 0; i < 2; ++i) writeMessage(process.stdout, { id: 'same', method: 'window/showMessageRequest', params: {} });
      if (id === undefined || method === 'none' || method === undefined) return;
      writeMessage(process.stdout, method === 'error' ? { id, error: { code: -32800, message: 'x' } } : { id, result: null });
      if (method === 'twice') writeMessage(process.stdout, { id, result: null });
      if (method === 'other') writeMessage(process.stdout, { id: String(id) + 'x', result: null });
    });`;
  const found = [];
  const session = new Session({
    name: 'scripted', command: [process.execPath, '--input-type=module', '-e', server], cwd: project, env: process.env, tally: newTally(),
    // Requests have numbers as ids, and the server's are answered late.
    dice: { oneIn: (n) => n === 4, between: (low) => low }, fail: (what, detail) => found.push(`${what}: ${detail}`),
  });
  for (const method of ['once', 'error', 'twice', 'other', 'ask', 'once']) await session.send(method).reply;
  session.send('none');
  await session.quiet(300);
  assert.deepEqual(await session.finish(), { status: 0, signal: null });
  assert.deepEqual(found.map((line) => line.replace(/for \d+ ms/, 'for … ms')), [
    'a request has two replies: scripted: {"jsonrpc":"2.0","id":3,"result":null}',
    'a reply to nothing that was asked: scripted: {"jsonrpc":"2.0","id":"4x","result":null}',
    'two requests of the server have the same id: scripted: window/showMessageRequest, "same"',
    'a request has no reply: scripted: none, id 7, for … ms',
  ]);
  assert.deepEqual([session.tally.requests, session.tally.replies, [...session.tally.errors]], [8, 7, [[-32800, 1]]]);
});
