// However the program ends, its servers end, and their children too.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, eventually, folder, isRunning, marked, run, scripted, serversFolder, start, symbolsPath, untilStuck } from './program.mjs';

function project(t) {
  const cwd = folder(t, { 'a.txt': 'alpha\n beta\n' });
  const file = join(cwd, 'pids');
  return { cwd, file, pids: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []) };
}
const args = (scenario, file) => [...scripted(scenario, file), '--language', 'x', 'a.txt'];
const gone = (pids) => eventually(() => !pids.some(isRunning));
/** Arguments for `bash` (dash cannot ignore SIGCHLD) that run the program under test with a signal ignored: its name without SIG. */
const ignoring = (signal, args) => ['-c', `trap '' ${signal}; exec "$@"`, 'bash', symbolsPath, ...args];

for (const [what, scenario, expected] of [['normal end', 'never-ends', 0], ['an error', 'never-ends-and-refuses', 1]]) {
  test(`${what}: a server that ignores shutdown, exit, SIGTERM and its closed stdin is made to go`, async (t) => {
    const { cwd, file, pids } = project(t);
    const { status, stdout } = await run(args(scenario, file), { cwd });
    assert.deepEqual([status, stdout.includes('beta')], [expected, expected === 0]);
    assert.equal(pids().length, 2);
    await gone(pids());
  });
}

// By SIGKILL the kernel kills the server itself; its child ends with the pipe from it that it reads, if it does.
for (const [signal, scenario = 'never-ends-nor-answers'] of [['SIGINT'], ['SIGTERM'], ['SIGHUP'], ['SIGKILL'], ['SIGKILL', 'never-ends-child-reads']]) {
  test(`${signal}, ${scenario}: servers are ended, and the program dies by it`, async (t) => {
    const { cwd, file, pids } = project(t);
    const child = start(args(scenario, file), { cwd });
    await eventually(() => pids().length === 2);
    const [server, grandchild] = pids();
    t.after(() => isRunning(grandchild) && process.kill(grandchild, 'SIGKILL'));
    child.kill(signal);
    const ended = await child.finished;
    assert.deepEqual([ended.signal, ended.stdout], [signal, '']);
    await gone(signal === 'SIGKILL' && scenario === 'never-ends-nor-answers' ? [server] : pids());
  });
}

test('the reader is gone: the program ends quietly by SIGPIPE', async (t) => {
  const { cwd, file, pids } = project(t);
  const { status, stderr } = await run(['-c', '"$@" | true; exit "${PIPESTATUS[0]}"', 'bash', symbolsPath, ...args('never-ends', file)], { cwd, program: 'bash' });
  assert.deepEqual([status, stderr], [141, '']);
  await gone(pids());
});

test('a reader that stalls does not keep SIGINT from working', async (t) => {
  const { cwd, file, pids } = project(t);
  const big = folder(t, { 'big.txt': Array.from({ length: 20_000 }, (_, i) => `name${i}\n`).join('') });
  const child = start([...scripted('never-ends', file), '--language', 'x', '--no-hover', join(big, 'big.txt')], { cwd });
  child.stdout.pause();
  await untilStuck(child);
  child.kill('SIGINT');
  await gone(pids());
  child.stdout.resume();
  assert.equal((await child.finished).signal, 'SIGINT');
});

test('real servers leave nothing, even when the program is killed', async (t) => {
  const cwd = folder(t);
  const servers = [
    ['--no-hover', '--server', 'clangd-19 --log=error', '/usr/include/nlohmann/json.hpp'],
    ['--no-hover', '--server', 'typescript-language-server', join(serversFolder, 'node_modules/typescript/lib/lib.es5.d.ts')],
  ];
  for (const args of servers) {
    for (const how of ['SIGKILL', 'SIGTERM', undefined]) {
      const { env, pids, noneLeft } = marked();
      const log = join(cwd, `${args[2]} ${how}.log`);
      const child = start(['--log', log, ...args], { cwd, env });
      // Not before the server has spoken: then all of its processes are there.
      await eventually(() => existsSync(log) && / <-- /.test(readFileSync(log, 'utf8')));
      if (how) assert.ok(pids().length > 1);
      if (how) child.kill(how);
      const { status, signal } = await child.finished;
      assert.deepEqual([status, signal], how ? [null, how] : [0, null]);
      await noneLeft();
    }
  }
});

// Signals, as a parent left them and as they come while the program waits.
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
  const { cwd } = project(t);
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
  const { cwd } = project(t);
  const plain = await run(ignoring('CHLD', args('plain')), { cwd, program: 'bash' });
  assert.deepEqual([plain.status, plain.stderr], [0, '']);
  assert.deepEqual(cells(plain.stdout).map((row) => row[0]), ['alpha', 'beta']);
  const crash = await run(ignoring('CHLD', args('exit-on-symbols')), { cwd, program: 'bash' });
  assert.equal(crash.status, 1);
  assert.match(crash.stderr, /exited with status 4/);
});
