// Where the kernel does not keep a server from writing (no Landlock, or --no-confine) clangd gets only compile flags that are known to write nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostile, ways } from './hostile_projects.mjs';
import { kernelWithout, landlock } from './kernel_without.mjs';
import { folder, run } from './program.mjs';

const without_landlock = (t) => kernelWithout(t, landlock);

const note = / compile flags? of the project left out, as the kernel does not keep clangd from writing files that they name; pass --trust-project/;

const asked = [['--no-hover', '.'], ['--server', 'clangd', 'a.cpp'], ['context', 'a.cpp:1']];
const kernels = { 'without Landlock': (t) => [without_landlock(t), asked], 'with --no-confine': () => [{}, [['--no-confine', 'a.cpp']]] };

for (const [name, kernel_of] of Object.entries(kernels)) {
  for (const [way, [files, flags]] of Object.entries(ways)) {
    test(`${name} ${way} overwrites no file of the user`, async (t) => {
      const [kernel, calls] = kernel_of(t);
      if (!kernel) return t.skip('no C compiler');
      for (const args of calls) {
        const { project, keys, tmp, env } = hostile(t, files, flags);
        const { stdout, stderr } = await run(args, { cwd: project, env: { ...env, ...kernel } });
        assert.equal(readFileSync(keys, 'utf8'), 'ssh-ed25519 AAAA me\n', args.join(' '));
        assert.ok(!readdirSync(project).includes('cache'), 'the project was written to');
        if (args[0] !== 'context') assert.match(stdout, /answer/);
        if (way !== '.clangd') assert.match(stderr, note);
        assert.deepEqual(readdirSync(tmp), []);
      }
    });
  }
}

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
    const { status, stdout, stderr } = await run(['a.cpp'], { cwd, env: kernel });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /int values\[6\]/);
  }
});

test('without Landlock context knows the references in other files, with an index in the user\'s cache', async (t) => {
  const kernel = without_landlock(t);
  if (!kernel) return t.skip('no C compiler');
  const cwd = folder(t, { 'area.h': 'int area(int);\n', 'area.cpp': '#include "area.h"\nint area(int x) { return WIDTH * x; }\n', 'user.cpp': '#include "area.h"\nint user() { return area(1); }\n' });
  const units = (...flags) => JSON.stringify(['area.cpp', 'user.cpp'].map((file) => ({ directory: cwd, file, arguments: ['c++', '-DWIDTH=2', ...flags, '-c', file] })));
  writeFileSync(join(cwd, 'compile_commands.json'), units());
  const cache = folder(t, {});
  const ask = (...args) => run(['context', 'area.cpp', 'area', ...args], { cwd, env: { ...kernel, XDG_CACHE_HOME: cache } });
  const trusted = await ask('--trust-project');
  for (const how of ['an index that is built', 'an index that is there']) assert.deepEqual(await ask(), trusted, how);
  assert.match(trusted.stdout, /\n# references 1, whole project\nuser\.cpp: 2\n# callers 1, whole project\nuser user\.cpp:2: 2\n# diagnostics\nno diagnostics\n/);
  const indexes = readdirSync(join(cache, 'symbols/clangd')).sort();
  assert.equal(indexes.length, 2);
  assert.ok(readdirSync(join(cache, 'symbols/clangd', indexes[1]), { recursive: true }).some((name) => name.endsWith('.idx')), indexes[1]);
  // Flags that are not allowed are left out of the copy each time, for each file.
  writeFileSync(join(cwd, 'compile_commands.json'), units('-serialize-diagnostics', join(cwd, 'overwritten')));
  const answer = await ask();
  assert.equal(answer.stdout, trusted.stdout);
  assert.match(answer.stderr, note);
  assert.deepEqual(readdirSync(cwd).sort(), ['area.cpp', 'area.h', 'compile_commands.json', 'user.cpp']);
  assert.match(readFileSync(join(cwd, 'compile_commands.json'), 'utf8'), /overwritten/);
  assert.match((await run(['context', 'area.cpp', 'area'], { cwd, env: { ...kernel, XDG_CACHE_HOME: '/proc/none' } })).stdout, /# references 0, open files only/);
});

test('without Landlock ccls, which cannot be told, is not started', async (t) => {
  const kernel = without_landlock(t);
  if (!kernel) return t.skip('no C compiler');
  const cwd = folder(t, { 'a.cpp': 'int a;\n', 'bin/ccls': '#!/bin/sh\necho started >&2\n' });
  spawnSync('chmod', ['+x', join(cwd, 'bin/ccls')]);
  const { status, stderr } = await run(['--server', join(cwd, 'bin/ccls'), 'a.cpp'], { cwd, env: kernel });
  assert.equal(status, 1);
  assert.match(stderr, /cannot start the server ccls: .*the kernel does not keep it from writing them; use clangd, or pass --trust-project/);
});
