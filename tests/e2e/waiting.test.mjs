// Servers that are still loading, or say so for ever: how long they are waited for.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, folder, project, run } from './program.mjs';

/** Runs the program on one file whose server, by the user's servers.json, is to be waited for. */
async function askLoading(t, scenario, args = []) {
  const servers = [{
    name: 'loading-server',
    command: [process.execPath, join(project, 'tests/e2e/fake_server.mjs'), scenario],
    languages: [{ id: 'odd', extensions: ['.odd'] }],
    wait_for_progress: true,
  }];
  const home = folder(t, { 'symbols/servers.json': JSON.stringify({ servers }) });
  const cwd = folder(t, { 'a.odd': 'alpha\n beta\ngamma\n' });
  return run([...args, 'a.odd'], { cwd, env: { XDG_CONFIG_HOME: home } });
}

test('wait_for_progress: nothing is asked before the progress has ended', async (t) => {
  const { status, stdout, stderr } = await askLoading(t, 'wait-for-progress');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(cells(stdout).map((row) => [row[0], row[5]]),
    ['alpha', 'beta', 'gamma'].map((name) => [name, `hover of ${name}`]));
});

// Only this limit of the program ends it.
test('wait_for_progress: progress that begins and is never heard of again is an error after --timeout', async (t) => {
  const { status, stdout, stderr } = await askLoading(t, 'progress-without-end', ['--timeout', '1s']);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /a\.odd: loading-server .*has not answered for 1 s/);
});
