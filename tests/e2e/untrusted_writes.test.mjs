// A server that looks at a folder which is not trusted writes nothing outside of a folder made for it. What a hostile project can
// have a server write it can have it write anywhere: clangd follows the project's compile flags, and some of clang's name files to
// write (-serialize-diagnostics, -diagnostic-log-file, …), whose lines the project chooses (#line, #warning). So `symbols .` was
// enough to change ~/.ssh/authorized_keys.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostile, ways } from './hostile_projects.mjs';
import { inOneOrder } from './union_order.mjs';
import { eventually, fixture, folder, run, start } from './program.mjs';

for (const [way, [files, flags]] of Object.entries(ways)) {
  for (const args of [['--no-hover', '.'], ['--server', 'clangd', 'a.cpp'], ['context', 'a.cpp:1']]) {
    test(`${way} overwrites no file of the user: symbols ${args.join(' ')}`, async (t) => {
      const { project, keys, tmp, env } = hostile(t, files, flags);
      const { status, stdout, stderr } = await run(args, { cwd: project, env });
      assert.equal(readFileSync(keys, 'utf8'), 'ssh-ed25519 AAAA me\n');
      assert.ok(!existsSync(join(project, 'cache')), 'the project was written to');
      if (args[0] !== 'context') {
        assert.equal(status, 0, stderr);
        assert.match(stdout, /answer/);
      }
      assert.deepEqual(readdirSync(tmp), [], 'the folder made for the server is left');
    });
  }
}

// With --trust-project it is the user who wants what the project says; this also shows that the projects above are hostile indeed.
for (const [way, [files, flags]] of Object.entries(ways)) {
  test(`${way} is followed with --trust-project`, async (t) => {
    const { project, keys, tmp, env } = hostile(t, files, flags);
    await run(['--trust-project', 'a.cpp'], { cwd: project, env });
    assert.notEqual(readFileSync(keys, 'latin1'), 'ssh-ed25519 AAAA me\n');
    assert.deepEqual(readdirSync(tmp), []);
  });
}

for (const [server, name] of [['clangd', 'geometry.cpp'], ['clangd-14', 'geometry.cpp'], ['typescript', 'geometry.ts'],
  ['typescript-language-server', 'geometry.ts']]) {
  test(`${server} answers as it does in a trusted project, without a word`, async (t) => {
    const place = folder(t, { [`project/${name}`]: readFileSync(fixture(name)), 'project/tsconfig.json': '{}', 'tmp/.keep': '' });
    const options = { cwd: join(place, 'project'), env: { TMPDIR: join(place, 'tmp') } };
    const trusted = await run(['--server', server, '--trust-project', name], options);
    if (server === 'clangd-14' && /there is no clangd-14 on the PATH/.test(trusted.stderr)) return t.skip('not installed');
    rmSync(join(place, 'tmp'), { recursive: true });  // typescript-language-server leaves a folder where it may
    mkdirSync(join(place, 'tmp'));
    const untrusted = await run(['--server', server, name], options);
    assert.deepEqual([untrusted.status, untrusted.stderr, inOneOrder(untrusted.stdout)], [0, '', inOneOrder(trusted.stdout)]);
    assert.deepEqual(readdirSync(join(place, 'tmp')), []);
  });
}

// A server that fills the folder made for it, tells where it is, and does what a test says then.
const filling = (then) => `sh -c 'mkdir -p "$XDG_CACHE_HOME/a" && echo text > "$TMPDIR/b" && echo made >&2; ${then}'`;

test('the folder made for a server goes with it, however it ends', async (t) => {
  const place = folder(t, { 'project/a.txt': 'x\n' });
  const tmp = join(place, 'tmp');
  mkdirSync(tmp);
  const options = { cwd: join(place, 'project'), env: { TMPDIR: tmp } };
  const args = (then) => ['--language', 'x', '--timeout', '1s', '--server', filling(then), 'a.txt'];
  for (const then of ['exit 3', 'kill -9 $$', 'echo no protocol; cat', 'exec sleep 100']) {
    const { status, stderr } = await run(args(then), options);
    assert.equal(status, 1);
    assert.match(stderr, /its stderr ends with: .*made/);
    assert.deepEqual(readdirSync(tmp), [], then);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const child = start(args('exec sleep 100').map((arg) => arg.replace(/^1s$/, '100s')), options);
    await eventually(() => readdirSync(tmp).some((made) => existsSync(join(tmp, made, 'b'))));
    assert.equal(statSync(join(tmp, readdirSync(tmp)[0])).mode & 0o777, 0o700);
    child.kill(signal);
    assert.equal((await child.finished).signal, signal);
    assert.deepEqual(readdirSync(tmp), [], signal);
  }
});

test('where no folder can be made no server is started', async (t) => {
  const place = folder(t, { 'a.txt': 'x\n', tmp: '' });
  const { status, stderr } = await run(['--language', 'x', '--server', `sh -c 'echo started >&2'`, 'a.txt'],
    { cwd: place, env: { TMPDIR: '/proc' } });
  assert.equal(status, 1);
  assert.match(stderr, /cannot be run: cannot make a folder for its files, .*; set TMPDIR to a folder that may be written\n$/);
});

test('the server that a client chose for the proxy is not confined', async (t) => {
  const cwd = folder(t);
  await run(['proxy', '--', 'sh', '-c', 'echo written > a.txt'], { cwd });
  assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'written\n');
});
