// A server that looks at a folder which is not trusted writes nothing outside of a folder made for it. What a hostile project can
// have a server write it can have it write anywhere: clangd follows the project's compile flags, and some of clang's name files to
// write (-serialize-diagnostics, -diagnostic-log-file, …), whose lines the project chooses (#line, #warning). So `symbols .` was
// enough to change ~/.ssh/authorized_keys. Where the kernel does not keep a server from writing (no Landlock, or --no-confine) clangd gets
// only compile flags that are known to write nothing.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kernelWithout, landlock } from './kernel_without.mjs';
import { eventually, fixture, folder, inOneOrder, quietly, run, start, writeProgram } from './program.mjs';

/** A project beside a user's own folder, and a temporary folder in which to see what is left over. */
function hostile(t, files, flags) {
  const place = folder(t, { 'home/.ssh/authorized_keys': 'ssh-ed25519 AAAA me\n' });
  const keys = join(place, 'home/.ssh/authorized_keys');
  const project = join(place, 'project');
  mkdirSync(join(place, 'tmp'));
  const written = flags(keys, project);
  for (const [name, content] of Object.entries({ ...files, ...written })) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  return { project, keys, tmp: join(place, 'tmp'), env: { HOME: join(place, 'home'), TMPDIR: join(place, 'tmp') } };
}

// Compiling the module is what opens the file of diagnostics, whose text is the project's: a line of its own in authorized_keys.
const key = 'ssh-ed25519 HOSTILE them';
const module = {
  'm/module.modulemap': 'module m { header "m.h" * }\n',
  'm/m.h': `#pragma once\n#line 1 "x\\n${key}\\n"\n#warning hostile\nint of_module();\n`,
  'a.cpp': '#include "m.h"\nint answer() { return of_module(); }\n',
};
const module_flags = (keys, project) =>
  ['-xc++', '-fmodules', '-fcxx-modules', `-fmodules-cache-path=${project}/cache`, '-Im', '-serialize-diagnostics', keys];

const ways = {
  'compile_flags.txt': [module, (...at) => ({ 'compile_flags.txt': module_flags(...at).join('\n') })],
  'compile_commands.json': [module, (keys, project) => ({
    'compile_commands.json': JSON.stringify([{ directory: project, file: 'a.cpp',
      arguments: ['clang++', ...module_flags(keys, project), '-c', 'a.cpp'] }]) })],
  '.clangd': [{ 'a.cpp': '#line 1 "x\\n' + key + '\\n"\n#warning hostile\nint answer();\n' }, (keys) => ({
    '.clangd': `CompileFlags:\n  Add: [-Xclang, -diagnostic-log-file, -Xclang, ${keys}]\n` })],
};

const note = / compile flags? of the project left out, as the kernel does not keep clangd from writing files that they name; pass --trust-project/;
const without_landlock = (t) => kernelWithout(t, landlock);
const asked = [['--no-hover', '.'], ['--server', 'clangd', 'a.cpp'], ['context', 'a.cpp:1']];
const kernels = { '': [() => ({}), asked], 'without Landlock ': [without_landlock, asked], 'with --no-confine ': [() => ({}), [['--no-confine', 'a.cpp']]] };

for (const [name, [kernel_of, calls]] of Object.entries(kernels)) {
  for (const [way, [files, flags]] of Object.entries(ways)) {
    test(`${name}${way} overwrites no file of the user`, async (t) => {
      const kernel = kernel_of(t);
      if (!kernel) return t.skip('no C compiler');
      for (const args of calls) {
        const { project, keys, tmp, env } = hostile(t, files, flags);
        const { status, stdout, stderr } = await run(args, { cwd: project, env: { ...env, ...kernel } });
        assert.equal(readFileSync(keys, 'utf8'), 'ssh-ed25519 AAAA me\n', args.join(' '));
        assert.ok(!existsSync(join(project, 'cache')), 'the project was written to');
        if (args[0] !== 'context') assert.match(stdout, /answer/);
        if (name === '' && args[0] !== 'context') assert.equal(status, 0, stderr);
        if (name !== '' && way !== '.clangd') assert.match(stderr, note);
        assert.deepEqual(readdirSync(tmp), [], 'the folder made for the server is left');
      }
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

test('without Landlock the flags that matter still reach clangd, and nothing is said', async (t) => {
  const kernel = without_landlock(t);
  if (!kernel) return t.skip('no C compiler');
  const source = '#include "width.h"\nint values[WIDTH * BY];\n';
  const databases = {
    'compile_flags.txt': '-Iinc\n-DBY=2\n-c\n',
    'build/compile_commands.json': JSON.stringify([{ directory: '..', file: 'a.cpp', command: 'c++ -I inc -DBY=2 -g -MD -MF x -o a.o -c a.cpp' }]),
  };
  for (const [name, text] of Object.entries(databases)) {
    const cwd = folder(t, { 'a.cpp': source, 'inc/width.h': '#pragma once\n#define WIDTH 3\n', [name]: text });
    const stdout = await quietly(['a.cpp'], { cwd, env: kernel });
    assert.match(stdout, /int values\[6\]/);
  }
});

test('without Landlock ccls, which cannot be told, is not started', async (t) => {
  const kernel = without_landlock(t);
  if (!kernel) return t.skip('no C compiler');
  const cwd = folder(t, { 'a.cpp': 'int a;\n' });
  writeProgram(join(cwd, 'bin/ccls'), '#!/bin/sh\necho started >&2\n');
  const { status, stderr } = await run(['--server', join(cwd, 'bin/ccls'), 'a.cpp'], { cwd, env: kernel });
  assert.equal(status, 1);
  assert.match(stderr, /cannot start the server ccls: .*the kernel does not keep it from writing them; use clangd, or pass --trust-project/);
});
