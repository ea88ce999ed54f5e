// `symbols index --shard`, `--database` and `--merge`: indexes made apart are one, and nothing is lost by a bad one.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { counted, indexedProject as project } from './indexed_project.mjs';
import { folder, run } from './program.mjs';

/** C++ whose commands have absolute paths, as CMake writes them, and TypeScript. */
function mixed(t) {
  const p = project(t, {
    'package.json': '{}', 'tsconfig.json': '{}', 'include/base.h': '#pragma once\nnamespace n { struct Base { int field; }; }\n',
    ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`src/c${i}.cc`, `#include "base.h"\nstruct C${i} : n::Base { int f${i}(); };\nint C${i}::f${i}() { return field; }\n`])),
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`ts/t${i}.ts`, `export class T${i} { method() { return ${i}; } }\n`.repeat(1 + (i % 3))])),
  });
  p.write('compile_commands.json', JSON.stringify(Array.from({ length: 6 }, (_, i) => (
    { directory: p.cwd, file: `${p.cwd}/src/c${i}.cc`, command: `c++ -I${p.cwd}/include -c ${p.cwd}/src/c${i}.cc` }))));
  return p;
}
const merged = /^(\d+) files, (\d+) rows: (\d+) taken from (\d+) indexes, [\d.]+ s\n$/;

test('8 shards of a checkout elsewhere, merged, are one run', async (t) => {
  const [one, elsewhere, p] = [mixed(t), mixed(t), mixed(t)];
  const whole = await one.index();
  counted(whole, { files: 19, failed: 0 });
  const shards = [];
  let asked = 0;
  for (let shard = 1; shard <= 8; ++shard) {
    shards.push(join(folder(t), `${shard}.db`));
    const share = await elsewhere.index(['--shard', `${shard}/8`, '--database', shards.at(-1)]);
    asked += share.asked;
    assert.equal(share.removed, 0);
  }
  assert.equal(asked, 19);
  const run1 = await run(['index', '--merge', ...shards], p.options);
  assert.equal(run1.status, 0, run1.stderr);
  assert.deepEqual(run1.stdout.match(merged)?.slice(1), ['19', `${whole.rows}`, '19', '8']);
  // Nothing has to be asked for, and nothing is another answer.
  const printed = async (from, args) => (await run(args, from.options)).stdout;
  assert.equal(await p.dump(), await printed(one, ['--no-hover', '.']));
  assert.equal(await printed(p, ['find', 'e', '--limit', '1000']), await printed(one, ['find', 'e', '--limit', '1000']));
  counted(await p.index(), { asked: 0, kept: 19, rows: whole.rows });
  // Again, and into a file: the same, and the shards are as they were.
  assert.deepEqual((await run(['index', '--merge', ...shards], p.options)).stdout.match(merged)?.slice(1), ['19', `${whole.rows}`, '0', '8']);
  const file = join(folder(t), 'all.db');
  assert.deepEqual((await run(['index', '--merge', ...shards, '--database', file], p.options)).stdout.match(merged)?.slice(1), ['19', `${whole.rows}`, '19', '8']);
  counted(await elsewhere.index(['--database', file]), { asked: 0, kept: 19, rows: whole.rows });
  // A read-only folder, as shared storage may be.
  const readOnly = folder(t);
  copyFileSync(file, join(readOnly, 'all.db'));
  chmodSync(readOnly, 0o555);
  t.after(() => chmodSync(readOnly, 0o755));
  const fresh = mixed(t);
  assert.equal((await run(['index', '--merge', join(readOnly, 'all.db')], fresh.options)).status, 0);
  counted(await fresh.index(), { asked: 0, kept: 19 });
});

test('what is no index of this project and version is an error, and nothing is lost', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n', 'b.ts': 'export const beta = 1;\n' });
  const foreign = project(t, { 'package.json': '{}', 'other.ts': 'export const other = 1;\n' });
  const at = folder(t, { 'text.db': 'this is no database, and long enough to be told from an empty one'.repeat(100), 'empty.db': '' });
  const path = (name) => join(at, name);
  await p.index();
  await p.index(['--shard', '1/2', '--database', path('good.db')]);
  await foreign.index(['--database', path('foreign.db')]);
  writeFileSync(path('damaged.db'), readFileSync(path('good.db')).fill(0x55, 4096));
  const wrong = [
    ['text.db', /the index .*text\.db" is damaged, or is not an index/], ['empty.db', /empty\.db" is not an index of this version of symbols/],
    ['foreign.db', /foreign\.db" belongs to another project: .* has none of its 1 files/], ['damaged.db', /is damaged/],
    ['none.db', /cannot use the index .*none\.db"/],
  ];
  const contents = () => Object.fromEntries(wrong.slice(0, 4).map(([name]) => [name, readFileSync(path(name), 'hex')]));
  const before = contents();
  for (const [name, says] of wrong) {
    const { status, stdout, stderr } = await run(['index', '--merge', path('good.db'), path(name)], p.options);
    assert.deepEqual([status, stdout], [1, ''], name);
    assert.match(stderr, says);
    // It is no place for an index, either.
    if (name === 'none.db' || name === 'empty.db' || name === 'foreign.db') continue;
    const into = await run(['index', '--database', path(name)], p.options);
    assert.deepEqual([into.status, into.stdout], [1, ''], name);
    assert.match(into.stderr, /is not an index|is damaged|cannot use/);
  }
  assert.deepEqual(contents(), before);
  assert.deepEqual(readdirSync(at).sort(), ['good.db', ...Object.keys(before)].sort());
  assert.deepEqual(await p.names(['alpha']), ['alpha']);
  counted(await p.index(), { asked: 0, kept: 2 });
});

test('a shard keeps what other shards have in the same index', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n', 'b.ts': 'export const beta = 1;\n', 'c.ts': '' });
  for (const shard of [1, 2, 3]) counted(await p.index(['--shard', `${shard}/3`]), { asked: 1, removed: 0 });
  rmSync(join(p.cwd, 'c.ts'));
  counted(await p.index(['--shard', '1/2']), { asked: 0, removed: 1 });
  counted(await p.index(), { asked: 0, kept: 2 });
});
