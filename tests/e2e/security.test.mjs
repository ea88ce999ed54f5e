// What a hostile server, project or neighbour on the machine cannot do: lines of docs/security.md that no other test holds.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownEnvironment } from './language_servers.mjs';
import { fakeServer, fixture, folder, inOneOrder, run, scriptedServers, symbolsPath } from './program.mjs';

const alone = ['--language', 'x'];

test('a server that names a pipe, a device, a folder or a file of gigabytes as the place of a use has none of it read', async (t) => {
  const cwd = folder(t, { 'project/a.txt': 'alpha\n', 'project/folder/.keep': '' });
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  execFileSync('truncate', ['-s', '3G', join(cwd, 'large')]);
  for (const place of [join(cwd, 'pipe'), '/dev/zero', '/dev/stdin', join(cwd, 'project/folder'), join(cwd, 'large'), '/proc/kmsg', join(cwd, 'nothing')]) {
    const { status, signal, stdout } = await run(['context', ...alone, '--server', fakeServer('used-elsewhere', place), 'a.txt', 'alpha'],
      { cwd: join(cwd, 'project'), keepInput: true });
    assert.deepEqual([status, signal], [0, null], place);
    assert.match(stdout, /alpha/, place);
    assert.ok(stdout.length < 2000, `${place}: ${stdout.length} bytes`);
  }
});

test('a project as an archive leaves it, with links to itself, out of it and to nothing, pipes and odd names, is answered', async (t) => {
  const cwd = folder(t, { 'secret.txt': 'secret\n', 'project/a.txt': 'alpha\n', 'project/b\n==> c.txt <==\n.txt': 'beta\n', 'project/-n.txt': 'gamma\n',
    'project/deep/.gitignore': '*'.repeat(5000) + 'b\n!**/**/**/**/**/x\n' });
  const project = join(cwd, 'project');
  for (const [name, to] of [['round', '.'], ['up', '..'], ['loop.txt', 'loop.txt'], ['gone.txt', 'nowhere'], ['out.txt', '../secret.txt'], ['dev.txt', '/dev/zero']])
    symlinkSync(to, join(project, name));
  execFileSync('mkfifo', [join(project, 'pipe.txt')]);
  mkdirSync(join(project, 'd'.repeat(200), 'd'.repeat(200)), { recursive: true });
  const env = ownEnvironment(t, scriptedServers('plain', { languages: [{ id: 'x', extensions: ['.txt'] }] }));
  const { status, signal, stdout, stderr } = await run(['--no-hover', '.'], { cwd: project, env });
  assert.deepEqual([status, signal], [0, null], stderr);
  assert.match(stdout, /alpha/);
  assert.match(stdout, /gamma/);
  assert.doesNotMatch(stdout, /secret/);
  // The name of a file is one line, whatever is in it.
  assert.equal(stdout.split('\n').filter((line) => line === '==> c.txt <==').length, 0);
});

test('what is kept or written for a user is for no other: the index, the log, sockets', async (t) => {
  const cwd = folder(t, { 'a.ts': 'export const a = 1;\n', 'tsconfig.json': '{}', 'run/.keep': '', 'cache/.keep': '' });
  const env = { XDG_CACHE_HOME: join(cwd, 'cache'), XDG_RUNTIME_DIR: join(cwd, 'run') };
  const open = (command) => run(['-c', `umask 0; exec "$@"`, 'bash', symbolsPath, ...command], { program: 'bash', cwd, env });
  t.after(() => open(['warm', '--stop']));
  for (const command of [['index'], ['--log', 'log', 'a.ts'], ['--warm', 'a.ts']]) {
    const { status, stderr } = await open(command);
    assert.equal(status, 0, `${command.join(' ')}: ${stderr}`);
  }
  // A folder that only its owner may enter keeps what is in it.
  const reachable = (path) => {
    const { mode } = statSync(path);
    if (!(mode & 0o077)) return [];
    return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => reachable(join(path, name))) : [path];
  };
  assert.ok(existsSync(join(cwd, 'log')));
  assert.deepEqual([...reachable(join(cwd, 'log')), ...reachable(join(cwd, 'run')), ...reachable(join(cwd, 'cache'))].filter((path) => !path.endsWith('.keep')), []);
});

test('the program needs no network, and has none where there is none', async (t) => {
  const without = (args) => run(['-rn', symbolsPath, ...args], { program: 'unshare' });
  if ((await without(['--version'])).status !== 0) return t.skip('no network can be taken away here');
  for (const name of ['geometry.ts', 'geometry.cpp']) {
    const { status, stdout, stderr } = await without([fixture(name)]);
    assert.equal(status, 0, stderr);
    assert.equal(inOneOrder(stdout), inOneOrder((await run([fixture(name)])).stdout));
  }
});
