// `symbols index` and `symbols find`: what is asked again and what is not, and that nothing stale is ever shown.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { counted, indexedProject as project } from './indexed_project.mjs';
import { folder, quietly, run, scripted, symbolsPath } from './program.mjs';

test('TypeScript: a second run asks for nothing, later ones for what changed, was added or went', async (t) => {
  const p = project(t, {
    'package.json': '{}', 'src/a.ts': 'export class Alpha { one() {} }\n', 'src/b.ts': 'export const beta = 1;\n',
    'src/c.ts': 'export function gamma() {}\n',
  });
  counted(await p.index(), { files: 3, rows: 4, asked: 3, kept: 0, failed: 0 });
  counted(await p.index(), { files: 3, rows: 4, asked: 0, kept: 3 });
  utimesSync(join(p.cwd, 'src/a.ts'), 1, 1);
  counted(await p.index(), { asked: 0, kept: 3 });
  // Changed, of the same size and with its old times.
  const { atime, mtime } = statSync(join(p.cwd, 'src/b.ts'));
  p.write('src/b.ts', 'export const zeta = 1;\n');
  utimesSync(join(p.cwd, 'src/b.ts'), atime, mtime);
  const stale = await p.find(['beta']);
  assert.deepEqual([...stale], []);
  assert.match(stale.stderr, /symbols: note: 1 file changed since they were indexed; run symbols index\n$/);
  counted(await p.index(), { asked: 1, kept: 2, rows: 4 });
  assert.deepEqual(await p.names(['zeta']), ['zeta']);
  rmSync(join(p.cwd, 'src/c.ts'));
  p.write('src/d.ts', 'export const delta = 1;\n');
  counted(await p.index(), { asked: 1, kept: 2, removed: 1 });
  assert.deepEqual(await p.names(['gamma']), []);
  assert.deepEqual(await p.find(['delta']), Object.assign([['src/d.ts:1', 'Variable', '', 'delta']], { stderr: '' }));
  // How the project is read.
  p.write('package.json', '{"type": "module"}');
  counted(await p.index(), { asked: 3, kept: 0 });
  counted(await p.index(['--rebuild']), { asked: 3, kept: 0 });
  // A folder of it is kept in the same index.
  counted(await p.index(['src']), { asked: 0, kept: 3, removed: 0 });
});

test('C++: a header that changed has those asked again that include it, and no others', async (t) => {
  const p = project(t, {
    'compile_flags.txt': '-Iinclude\n', 'include/base.h': 'struct Base {};\n', 'include/deep.h': '#include <base.h>\nstruct Deep : Base {};\n',
    'one.cc': '#include "deep.h"\nint one() { return 1; }\n', 'two.cc': 'int two() { return 2; }\n', 'three.cc': '#  include <base.h>\nint three;\n',
  });
  counted(await p.index(), { files: 5, asked: 5, failed: 0 });
  counted(await p.index(), { asked: 0, kept: 5 });
  p.write('include/deep.h', '#include <base.h>\nstruct Deeper : Base {};\n');
  counted(await p.index(), { asked: 2, kept: 3 });
  p.write('include/base.h', 'struct Base { int x; };\n');
  counted(await p.index(), { asked: 4, kept: 1 });
  // One that now hides another, or may.
  p.write('base.h', 'struct Base { int nearer; };\n');
  counted(await p.index(), { asked: 4, kept: 2 });
  p.write('deep.h', '#define two twice\n');
  counted(await p.index(), { asked: 2, kept: 5 });
  p.write('compile_flags.txt', '-Iinclude\n-DX\n');
  counted(await p.index(), { asked: 7, kept: 0 });
});

test('find ranks, and --why gives the reason of each: exact, prefix, start of a word, inside, letters of words, slips', async (t) => {
  const p = project(t, {
    'package.json': '{}', 'a.ts': 'export class Cache { evict() {} }\nexport class CacheLine {}\nexport class HoverCache {}\nexport class Uncached {}\nexport class CellArrayCountHotEntry {}\n',
    'tests/a.ts': 'class Cache {}\n', 'a.d.ts': 'export declare class Cache {}\n', 'b.ts': "import { Other } from 'other';\n",
  });
  await p.index();
  const reasons = async (...query) => (await run(['find', ...query, '--why'], p.options)).stdout.trimEnd().split('\n').map((row) => row.split(' | ').slice(3).join(': '));
  assert.deepEqual(await reasons('cache'), ['NAME: WHY', 'Cache: exact', 'Cache: exact, test or vendored', 'Cache: exact, built', 'CacheLine: prefix', 'HoverCache: word start', 'Uncached: inside', 'CellArrayCountHotEntry: word heads']);
  assert.deepEqual(await reasons('cache', '--limit', '9', 'hover'), ['NAME: WHY', 'HoverCache: words']);
  for (const [query, reason] of [['HovrCache', 'HoverCache: one edit'], ['CacheLimr', 'CacheLine: two edits'], ['Other', 'Other: exact, import']])
    assert.equal((await reasons(query))[1], reason);
  assert.match((await p.find(['Cache', '--limit', '2'])).stderr, /note: only the first 2 are shown/);
  assert.deepEqual([...await p.find(['Cache.evict', '--kind', 'Method'])], [['a.ts:1', 'Method', 'Cache', 'evict']]);
  assert.equal((await p.find(['HovrCache'])).stderr, 'symbols: note: nothing is called "HovrCache"; the first names differ in one or two letters\n');
  for (const [query, told] of [['nothing like it', 'nothing is called like "nothing like it"'], ['HovrCasse', 'nothing is called like "HovrCasse"; nearest: HoverCache']]) {
    const none = await run(['find', query], p.options);
    assert.deepEqual([none.status, none.stdout, none.stderr], [1, '', `symbols: ${told}\n`]);
  }
});

test('find from a folder inside, and from elsewhere', async (t) => {
  const p = project(t, { 'package.json': '{}', 'src/in/a.ts': 'export const alpha = 1;\n', 'src/b.ts': 'export const beta = 1;\n' });
  await p.index();
  const inside = await run(['find', 'beta'], { ...p.options, cwd: join(p.cwd, 'src/in') });
  assert.match(inside.stdout, /^\.\.\/b\.ts:1 \| Variable \|  \| beta$/m);
  const elsewhere = await run(['find', 'alpha', '--root', p.cwd], { ...p.options, cwd: folder(t) });
  assert.ok(elsewhere.stdout.includes(`${p.cwd}/src/in/a.ts:1 | Variable |  | alpha\n`), elsewhere.stdout);
});

test('damage that SQLite does not notice is told by each command, and asked for again by index', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alphabet = 1;\n', 'b.ts': 'export const beta = 1;\n' });
  // A letter of a name, which is in its table, an index of that, and the outline.
  const flip = () => {
    const bytes = readFileSync(p.database());
    for (let at = bytes.indexOf('alphabet'); at >= 0; at = bytes.indexOf('alphabet', at)) bytes.write('alphabit', at);
    writeFileSync(p.database(), bytes);
  };
  await p.index();
  for (const args of [['find', 'alphabet'], ['map'], ['--from-index', '--no-hover', 'a.ts']]) {
    flip();
    const { status, stdout, stderr } = await run(args, p.options);
    assert.deepEqual([status, stdout.includes('alphabit')], [1, false], args[0]);
    assert.match(stderr, /the index ".*" was damaged \(.*\) and is removed; make a new one with: symbols index\n/);
    counted(await p.index(), { asked: 2, failed: 0 });
  }
  flip();
  counted(await p.index(), { asked: 2, failed: 0 });
  assert.deepEqual(await p.names(['alphabet']), ['alphabet']);
  counted(await p.index(), { asked: 0, kept: 2 });
});

test('a cache folder that cannot be written is an error', async (t) => {
  const p = project(t, { 'a.ts': 'export const alpha = 1;\n' });
  const { status, stderr } = await run(['index'], { ...p.options, env: { ...p.options.env, XDG_CACHE_HOME: '/proc/none' } });
  assert.equal(status, 1);
  assert.match(stderr, /cannot make the folder \/proc\/none\/symbols\/index/);
});

/** Merging reads a database by PRAGMA integrity_check. One that was not made yet has nothing to read. */
async function assertIsWhole(t, p) {
  if (!existsSync(p.indexes) || !readdirSync(p.indexes).some((name) => name.endsWith('.db'))) return;
  const checked = await run(['index', '--merge', p.database(), '--database', join(folder(t), 'copy.db')], p.options);
  assert.ok(checked.status === 0 || /is not an index/.test(checked.stderr), checked.stderr);
}

test('killed by its server after so many answers, the index is whole and the next run goes on', async (t) => {
  const place = folder(t);
  const kill = join(place, 'kill');
  // 64 answers are written together.
  const files = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`f${i}.txt`, `text ${i}\n`]));
  const p = project(t, { 'package.json': '{}', ...files }, { server: [...scripted('kills-its-client', place), '--language', 'x'] });
  const whole = await p.index();
  const undisturbed = await p.dump();
  for (const after of [[0], [63], [64], [65, 40], [100, 0, 30], [149], ['shutdown']]) {
    for (const [i, moment] of after.entries()) {
      writeFileSync(kill, String(moment));
      assert.equal((await p.startIndex(i === 0 ? ['--rebuild'] : []).finished).signal, 'SIGKILL', String(after));
      await assertIsWhole(t, p);
    }
    rmSync(kill);
    const next = await p.index();
    if (after[0] >= 100) assert.ok(next.kept > 0, `${after}: the killed runs kept nothing`);
    assert.deepEqual([next.failed, next.asked + next.kept, next.rows], [0, whole.asked, whole.rows], String(after));
    assert.equal(await p.dump(), undisturbed, String(after));
  }
});

test('a file that cannot be answered fails, the others are kept, and it is asked for again', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n', 'b.ts': 'binary\0' });
  const first = await p.index([], 1);
  counted(first, { files: 2, asked: 1, failed: 1 });
  assert.match(first.stderr, /b\.ts.*binary/);
  counted(await p.index([], 1), { asked: 0, kept: 1, failed: 1 });
});

test('--from-index prints what the servers say, byte for byte, and asks them only where it must', async (t) => {
  const p = project(t, {
    'package.json': '{}', 'compile_flags.txt': '-xc++\n', 'x.h': '#pragma once\nnamespace n { struct X { int a; }; }\n', 'y.cc': '#include "x.h"\nint y() { return 1; }\n',
    'src/a.ts': 'export class Alpha { one() { const inner = 1; } }\n', 'src/b.ts': '', 'src/c.ts': 'export enum E { A, B }\n/** @deprecated */ export const gone = 1;\n',
  });
  const printed = async (args) => (await run(args, p.options)).stdout;
  const both = async (...args) => {
    const [asked, kept] = [await printed(args), await printed(['--from-index', ...args])];
    assert.equal(kept, asked);
    assert.notEqual(asked, '');
  };
  const none = await run(['--from-index', '--no-hover', '.'], p.options);
  assert.deepEqual([none.status, none.stdout], [1, '']);
  assert.match(none.stderr, /there is no index/);
  await p.index();
  await p.dump();
  await both('--no-hover', '.');
  await both('--no-hover', 'src/b.ts', 'y.cc', 'src/a.ts');
  await both('--no-hover', '--format', 'json', 'src');
  await both('--no-hover', '--format', 'tree', '--match', 'a', '--sort', '-name', '.');
  p.write('x.h', '#pragma once\nnamespace m { struct X { int b; }; }\n');
  p.write('src/b.ts', 'export const now = 1;\n');
  await both('--no-hover', '.');
  const told = async () => (await run(['--from-index', '--no-hover', '--verbose', 'src/a.ts', 'src/b.ts', 'y.cc', 'new.ts'], p.options)).stderr.split('\n').sort().join('\n').trimStart();
  p.write('new.ts', 'export const young = 1;\n');
  assert.equal(await told(), 'symbols: new.ts: from typescript: it is not in the index\nsymbols: src/a.ts: from the index\n'
    + 'symbols: src/b.ts: from typescript: it changed\nsymbols: y.cc: from clangd: what it depends on changed');
  const hovers = await run(['--from-index', '.'], p.options);
  assert.deepEqual([hovers.status, hovers.stdout], [2, '']);
  assert.match(hovers.stderr, /the index has neither hovers nor diagnostics; give --from-index with --no-hover/);
});

test('an index that may only be read is read', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export class Alpha {}\n' });
  await p.index();
  const found = await p.names(['Alpha']);
  // Root may write everything: as somebody else then, who may not even reach the build folder.
  copyFileSync(symbolsPath, join(p.cwd, 'symbols'));
  const who = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  const places = [...Object.values(p.options.env), p.cwd];
  spawnSync('chmod', ['-R', 'a+rX,a-w', ...places]);
  t.after(() => spawnSync('chmod', ['-R', 'u+w', ...places]));
  const stdout = await quietly(['find', 'Alpha'], { ...p.options, program: join(p.cwd, 'symbols'), ...who });
  assert.deepEqual(stdout.trimEnd().split('\n').slice(1).map((row) => row.split(' | ')[3]), found);
});
