// bench/soak: for half a minute before real servers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
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
