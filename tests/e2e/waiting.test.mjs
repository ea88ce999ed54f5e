// Servers that are still loading, or say so for ever: how long they are waited for.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, fakeServer, folder, project, run, timeFactor } from './program.mjs';

const text = 'alpha\n beta\ngamma\n';
const limit = 20_000 * timeFactor;

/** Runs the program on one file whose server, by the user's servers.json, is to be waited for. */
async function askLoading(t, scenario, args = []) {
  const servers = [{
    name: 'loading-server',
    command: [process.execPath, join(project, 'tests/e2e/fake_server.mjs'), scenario],
    languages: [{ id: 'odd', extensions: ['.odd'] }],
    wait_for_progress: true,
  }];
  const home = folder(t, { 'symbols/servers.json': JSON.stringify({ servers }) });
  const cwd = folder(t, { 'a.odd': text });
  return run([...args, 'a.odd'], { cwd, env: { XDG_CONFIG_HOME: home }, limit });
}

test('wait_for_progress: nothing is asked before the progress has ended', async (t) => {
  const { status, stdout, stderr } = await askLoading(t, 'wait-for-progress');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(cells(stdout).map((row) => [row[0], row[5]]),
    ['alpha', 'beta', 'gamma'].map((name) => [name, `hover of ${name}`]));
});

test('wait_for_progress: progress that begins and is never heard of again is an error after --timeout', async (t) => {
  const begin = Date.now();
  const { status, stdout, stderr } = await askLoading(t, 'progress-without-end', ['--timeout', '500ms']);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /a\.odd: loading-server .*has not answered for 0\.5 s/);
  assert.ok(Date.now() - begin < 5000 * timeFactor);
});

/** Runs the program with --timeout 1s and tells how long that took. */
// So long that a server on a busy machine has started by then.
async function askBriefly(t, scenario) {
  const cwd = folder(t, { 'a.txt': text });
  const begin = Date.now();
  const ended = await run(['--timeout', '3s', '--server', fakeServer(scenario), '--language', 'x', 'a.txt'], { cwd, limit });
  return { ...ended, took: Date.now() - begin };
}

test('documentSymbol that is ContentModified each time is an error after --timeout', async (t) => {
  const { status, stdout, stderr, took } = await askBriefly(t, 'always-modified');
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^symbols: a\.txt: /);
  assert.ok(took < 15_000 * timeFactor, `${took} ms`);
});

test('a hover that is ServerCancelled each time costs its cell after --timeout', async (t) => {
  const { status, stdout, stderr, took } = await askBriefly(t, 'hover-always-modified');
  assert.equal(status, 0, stderr);
  assert.deepEqual(cells(stdout).map((row) => row[5]), ['hover of alpha', '', 'hover of gamma']);
  assert.ok(took < 15_000 * timeFactor, `${took} ms`);
});
