// Signals, as a parent left them and as they come while the program waits.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, eventually, folder, ignoring, run, scripted, start, untilStuck } from './program.mjs';

const args = (scenario, file) => [...scripted(scenario, file), '--language', 'x', 'a.txt'];

test('standard error that nobody reads does not keep SIGTERM from working', async (t) => {
  const cwd = folder(t);
  // A mebibyte of messages: more than a pipe and its reader's first look hold.
  const long = Array(5).fill('x'.repeat(200)).join('/');
  const files = Array.from({ length: 1000 }, (_, i) => `missing${i}/${long}.ts`);
  const child = start(files, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.pause();
  const exited = new Promise((resolve) => child.on('exit', (status, signal) => resolve({ status, signal })));
  await untilStuck(child, child.stderr);
  assert.equal(child.exitCode, null, 'it should wait for its reader');
  child.kill('SIGTERM');
  assert.equal((await exited).signal, 'SIGTERM');
  child.stderr.destroy();
});

test('SIGHUP that the parent ignores, as nohup does, stays ignored', async (t) => {
  const cwd = folder(t, { 'a.txt': 'alpha\n beta\n' });
  const go = join(cwd, 'go');
  const child = start(ignoring('HUP', args('busy-until', go)), { cwd, program: 'bash' });
  await eventually(() => existsSync(`${go}.asked`));
  child.kill('SIGHUP');
  writeFileSync(go, '');
  const { status, signal, stdout, stderr } = await child.finished;
  assert.deepEqual([status, signal, stderr], [0, null, '']);
  assert.deepEqual(cells(stdout).map((row) => row[0]), ['alpha', 'beta']);
});

test('SIGCHLD that the parent ignores: servers are ended, and how they ended is known', async (t) => {
  const { stdout: mask } = spawnSync('bash', ['-c', `trap '' CHLD; exec grep SigIgn /proc/self/status`], { encoding: 'utf8' });
  const ignored = BigInt(`0x${/[0-9a-f]+$/.exec(mask.trim())?.[0] ?? 0}`);
  if (!((ignored >> BigInt(constants.signals.SIGCHLD - 1)) & 1n)) return t.skip('this bash cannot ignore SIGCHLD');
  const cwd = folder(t, { 'a.txt': 'alpha\n beta\n' });
  const plain = await run(ignoring('CHLD', args('plain')), { cwd, program: 'bash' });
  assert.deepEqual([plain.status, plain.stderr], [0, '']);
  assert.deepEqual(cells(plain.stdout).map((row) => row[0]), ['alpha', 'beta']);
  const crash = await run(ignoring('CHLD', args('exit-on-symbols')), { cwd, program: 'bash' });
  assert.equal(crash.status, 1);
  assert.match(crash.stderr, /exited with status 4/);
});
