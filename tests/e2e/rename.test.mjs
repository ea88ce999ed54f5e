// `symbols rename`: the patch of real servers, taken by git, and back; what cannot be renamed, and why.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownEnvironment } from './language_servers.mjs';
import { fakeServer, folder, run } from './program.mjs';

function project(t, files) {
  const cwd = folder(t, files);
  const env = ownEnvironment(t, { 'clangd/config.yaml': 'Index:\n  StandardLibrary: No\n' });
  const units = Object.keys(files).filter((name) => name.endsWith('.cpp'));
  if (units.length > 0) writeFileSync(join(cwd, 'compile_commands.json'), JSON.stringify(units.map((file) => ({ directory: cwd, file, arguments: ['c++', '-c', file] }))));
  return {
    cwd,
    rename: (...args) => run(['rename', ...args], { cwd, env }),
    apply(patch) {
      const applied = spawnSync('git', ['apply', '-p1', '-'], { cwd, input: patch, encoding: 'utf8' });
      assert.deepEqual([applied.status, applied.stderr], [0, ''], patch);
    },
    texts: () => Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(cwd, name), 'utf8')])),
  };
}

const marked = '\ufeff';
const cases = {
  clangd: {
    files: {
      'a.h': 'int area(int width);\n',
      'a.cpp': '#include "a.h"\r\nint area(int width) { return width; }\r\n',
      'my user.cpp': '#include "a.h"\n#define AREA(x) area (x)\nint twice() { return area(1) + area(2); }',
    },
    // clangd leaves the bodies of macros as they are.
    place: ['a.cpp:2'], count: 4, words: /\barea\b(?! )/g, back: ['a.cpp', 'size', 'area'],
    toldThere: 'symbols: note: the old name still stands in my user.cpp\n', told: 'symbols: note: "area" already stands in my user.cpp\n',
  },
  typescript: {
    files: {
      'tsconfig.json': '{}',
      'area.ts': `${marked}/* é😀 */ export const area = (side: number) => side * side;\n`,
      'use.ts': `import { area } from './area';\n\nexport const two = area(1) + area(2);\n// area\n`,
    },
    place: ['area.ts', 'area'], count: 4, words: /\barea\b(?!'|$)/gm, back: ['area.ts:1', 'area'],
    toldThere: 'symbols: note: the old name still stands in use.ts\n', told: 'symbols: note: "area" already stands in use.ts\n',
  },
};

test('clangd and TypeScript: git takes the patch, and renaming back gives the same bytes', async (t) => {
  for (const [server, { files, place, count, words, back, toldThere, told }] of Object.entries(cases)) {
    await t.test(server, async (t) => {
      const { rename, apply, texts } = project(t, files);
      const before = texts();
      const there = await rename(...place, 'size');
      assert.deepEqual([there.status, there.stderr], [0, toldThere]);
      assert.deepEqual(texts(), before, 'something was written');
      apply(there.stdout);
      const renamed = texts();
      assert.equal(Object.values(renamed).join('').match(/\bsize\b/g).length, count);
      assert.deepEqual(Object.values(before).map((text) => text.replace(words, 'size')), Object.values(renamed));
      const again = await rename(...back.slice(0, -1), back.at(-1));
      assert.deepEqual([again.status, again.stderr], [0, told]);
      apply(again.stdout);
      assert.deepEqual(texts(), before);
    });
  }
});

test('with a column what is there is renamed, a local variable too; what already has the name is told', async (t) => {
  const { rename } = project(t, { 'tsconfig.json': '{}', 'a.ts': 'export function f(x: number) {\n  const y = x;\n  return y;\n}\nexport const z = 1;\n', 'b.ts': "import { f } from './a';\nf(1);\n" });
  const local = await rename('a.ts:3:10', 'kept');
  assert.equal(local.stdout, '--- a/a.ts\n+++ b/a.ts\n@@ -1,5 +1,5 @@\n export function f(x: number) {\n-  const y = x;\n-  return y;\n+  const kept = x;\n+  return kept;\n }\n export const z = 1;\n');
  assert.deepEqual([local.status, local.stderr], [0, '']);
  const outside = await rename('b.ts:2:1', 'g');
  assert.match(outside.stdout, /\n-f\(1\);\n/, outside.stderr);
  const taken = await rename('a.ts:3:10', 'z');
  assert.equal(taken.status, 0);
  assert.match(taken.stderr, /note: "z" already stands in a\.ts\n$/);
});

test('in a folder of a repository, also one that has its name inside', async (t) => {
  const { cwd, rename, apply, texts } = project(t, { 'tsconfig.json': '{}', 'sub/a.ts': 'export const a = 1;\n' });
  const name = cwd.split('/').at(-1);
  spawnSync('git', ['init', '-q', join(cwd, '..', '..', 'none')].slice(0, 0));
  apply((await rename('sub/a.ts:1', name.replace(/\W/g, ''))).stdout);
  assert.notEqual(texts()['sub/a.ts'], 'export const a = 1;\n');
});

test('what cannot be renamed is told, and nothing is printed', async (t) => {
  const { rename } = project(t, { 'a.cpp': 'int f() { return 1; }\n', 'geometry.ts': 'export function a() {\n  return 1;\n}\n' });
  const refused = [
    [['a.cpp:1:13', 'g'], 1, /^symbols: a\.cpp: .+\n/],
    [['a.cpp', 'nobody', 'g'], 1, /there is no symbol called "nobody"/],
    [['geometry.ts:2', 'b'], 1, /no symbol has its name on this line; give the column too/],
    [['-', 'f', 'g', '--language', 'cpp'], 2, /rename needs a file, not standard input/],
    [['a.cpp:1'], 2, /no new name given; give FILE:LINE/],
    [['a.cpp:1', 'two words'], 2, /the new name is empty, contains whitespace or is not UTF-8/],
    [['a.cpp', 'f', 'g', 'h'], 2, /rename takes no further word, such as "h"/],
    [['geometry.ts:1', 'b', '--server', fakeServer('plain')], 1, /renaming is not offered by the server/],
  ];
  for (const [args, status, message] of refused) {
    const answer = await rename(...args);
    assert.deepEqual([answer.status, answer.stdout], [status, ''], args.join(' '));
    assert.match(answer.stderr, message);
  }
});
