// `symbols mcp` while files and folders of its root are replaced by links out of it: it shows nothing of what is outside, nor does it
// send that to a server. LINK_CALLS is how many calls are made meanwhile.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kernelWithout } from './kernel_without.mjs';
import { ownEnvironment } from './language_servers.mjs';
import { mcp } from './mcp_session.mjs';
import { dice, eventually, fakeServer, folder, project as here, run, scriptedServers, start } from './program.mjs';

/** The numbers of openat2(), the same on all architectures. */
const openat2 = [437, 437];
const calls = Number(process.env.LINK_CALLS ?? 100);

/** A project, what is outside of it, and the environment in which the scripted server answers for both. */
const places = (t) => ({
  cwd: folder(t, { '.git/HEAD': '', 'a.x': 'inside_a\n', 'in/b.x': 'inside_b\n  child\n', 'in/sub/c.x': 'inside_c\n' }),
  outside: folder(t, { 'a.x': 'private_a\n', 'b.x': 'private_b\n  child\n', 'sub/c.x': 'private_c\n', 'private_name.x': 'private_d\n' }),
  // Under the name of one that is told of changes, for which it need not be started again.
  env: ownEnvironment(t, scriptedServers('called-by-all-it-was-sent', { name: 'pyright' })),
});

/** What swaps links: `some(what)` ten times, meanwhile; `end()` waits until all is in its place. */
function swaps(t, cwd, outside) {
  const swapping = start([join(here, 'tests/e2e/swap_links.mjs'), cwd, outside], { program: process.execPath, keepInput: true, limit: 0 });
  t.after(() => swapping.kill('SIGKILL'));
  return {
    some: (what) => swapping.stdin.write(what),
    async end() {
      swapping.stdin.end();
      assert.deepEqual(await swapping.finished, { status: 0, signal: null, stdout: '', stderr: '' });
    },
  };
}

async function isSafe(t, more) {
  const { cwd, outside, env } = places(t);
  const client = await mcp(t, { cwd, env: { ...env, ...more } });
  const links = swaps(t, cwd, outside);
  const random = dice(20261126);
  const one = (list) => list[random(list.length)];
  const next = () => {
    const path = one(['a.x', 'in', 'in/b.x', 'in/sub/c.x', 'in/sub', '.', join(cwd, 'in/b.x'), 'in/../a.x']);
    return one([['outline', { paths: [path, 'a.x'], verbosity: 'full' }], ['diagnostics', { paths: [path] }], ['context', { path, line: 1, callers: 1000 }], ['hover', { path, line: 1 }],
      ['map', { folder: path }], ['find', { query: one(['inside', 'private']) }], ['context', { name: 'inside_b', callers: 1000 }]]);
  };
  let made = 0;
  let shown = 0;
  async function ask() {
    while (made++ < calls) {
      const call = next();
      // A server is started anew after each change of a folder.
      links.some('ffffffffd'[random(9)]);
      const answer = await client.call(...call);
      assert.doesNotMatch(answer.error ?? answer, /private_/, JSON.stringify(call));
      if (!answer.error && answer.includes('inside_')) ++shown;
    }
  }
  await Promise.all(Array.from({ length: 8 }, ask));
  await links.end();
  assert.match(await client.call('outline', { paths: ['.'] }), /inside_a[^]*inside_b[^]*inside_c/);
  assert.match(await client.call('find', { query: 'inside' }), /inside_a[^]*inside_b[^]*inside_c/);
  assert.ok(shown > 0);
  t.diagnostic(`${calls} calls, of which ${shown} showed something of the project`);
}

test('links that are swapped during calls show nothing of what is outside', (t) => isSafe(t));

test('the same on a kernel without openat2', (t) => {
  const env = kernelWithout(t, openat2);
  return env ? isSafe(t, env) : t.skip('no C compiler, or a sanitizer');
});

test('what could not be indexed is told at each question; a file that is what it was before is asked for', async (t) => {
  const start = join(folder(t), 'start');
  const cwd = folder(t, { 'a.x': 'inside_a\n', 'b.x': 'inside_b\n', 'binary.x': 'inside\0' });
  const command = [process.execPath, join(here, 'tests/e2e/fake_server.mjs'), 'starts-when', start];
  const client = await mcp(t, { cwd, args: ['--trust-project'], env: ownEnvironment(t, scriptedServers('', { command })) });
  const find = () => client.call('find', { query: 'inside' });
  const found = find();
  await eventually(() => existsSync(`${start}.asked`));
  renameSync(join(cwd, 'a.x'), join(cwd, '.a'));
  symlinkSync('b.x', join(cwd, 'a.x'));
  writeFileSync(`${start}.go`, '');
  assert.match(await found, /inside_b\nnote: cannot read .*\/a\.x: it is a symbolic link.*\nnote: cannot read .*\/binary\.x: it is binary .*$/);
  renameSync(join(cwd, '.a'), join(cwd, 'a.x'));
  for (let i = 0; i < 2; ++i) assert.match(await find(), /inside_a\n.* inside_b\nnote: cannot read .*\/binary\.x: it is binary .*$/);
});

test('links that stay in the root lead where they lead, relative or absolute', async (t) => {
  const { cwd, env } = places(t);
  symlinkSync('in/b.x', join(cwd, 'relative.x'));
  symlinkSync(join(cwd, 'in'), join(cwd, 'absolute'));
  for (const more of [{}, kernelWithout(t, openat2)]) {
    const client = await mcp(t, { cwd, env: { ...env, ...more } });
    assert.match(await client.call('outline', { paths: ['relative.x'] }), /inside_b/);
    assert.match(await client.call('outline', { paths: ['absolute/sub/c.x'] }), /inside_c/);
    assert.match(await client.call('outline', { paths: ['absolute'] }), /inside_b[^]*inside_c/);
    assert.match(await client.call('context', { path: 'absolute/b.x', line: 1 }), /inside_b/);
    assert.match(await client.call('map', { folder: 'absolute' }), /^in\/\n b\.x: inside_b/);
  }
});

test('a symbol is not looked up in the index of a folder around the root', async (t) => {
  const { cwd, env } = places(t);
  const index = (root) => run(['index', '--root', root, root], { cwd, env });
  const indexes = join(env.XDG_CACHE_HOME, 'symbols/index');
  // A folder is in the way of the root's own.
  await index(join(cwd, 'in/sub'));
  for (const file of readdirSync(indexes)) {
    rmSync(join(indexes, file));
    mkdirSync(join(indexes, file));
  }
  await index(cwd);
  const client = await mcp(t, { cwd: join(cwd, 'in/sub'), env });
  const { error } = await client.call('context', { name: 'inside_b' });
  assert.match(error, /there is no index of the project/);
  assert.doesNotMatch(error, /b\.x/);
});

test('a folder that becomes a link is not walked by the command either', async (t) => {
  const { cwd, outside, env } = places(t);
  const links = swaps(t, cwd, outside);
  for (let i = 0; i < 10; ++i) {
    links.some('d'.repeat(30));
    const { stdout, stderr } = await run(['--no-hover', '--server', fakeServer('plain'), '--language', 'x', '.'], { cwd, env });
    assert.doesNotMatch(stdout + stderr, /private_/);
  }
  await links.end();
  assert.equal(readFileSync(join(cwd, 'a.x'), 'utf8'), 'inside_a\n');
});
