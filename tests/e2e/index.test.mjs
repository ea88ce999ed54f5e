// `symbols index` and `symbols find`: what is asked again and what is not, and that nothing stale is ever shown.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeServer, folder, run, start } from './program.mjs';
import { serverSettings } from './language_servers.mjs';

/** A project with a cache of its own: `index` and `find` run in it, `counts` gives index's last line as an object. */
function project(t, files, { server = [] } = {}) {
  const cwd = folder(t, files);
  const home = folder(t, Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [`config/${name}`, text])));
  const env = { XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config') };
  const options = { cwd, env };
  const write = (name, text) => writeFileSync(join(cwd, name), text);
  return {
    cwd, write, options,
    indexes: join(env.XDG_CACHE_HOME, 'symbols', 'index'),
    database() { return join(this.indexes, readdirSync(this.indexes).find((name) => name.endsWith('.db'))); },
    startIndex: (args = []) => start(['index', ...server, ...args], options),
    async index(args = [], status = 0) {
      const done = await run(['index', ...server, ...args], options);
      assert.equal(done.status, status, done.stderr);
      return { ...counts(done.stdout), stderr: done.stderr };
    },
    /** The rows as arrays of cells, without the header. */
    async find(args) {
      const { status, stdout, stderr } = await run(['find', ...args], options);
      assert.equal(status, 0, stderr);
      const [header, ...rows] = stdout.trimEnd().split('\n');
      assert.equal(header, 'PLACE | KIND | CONTAINER | NAME');
      return Object.assign(rows.map((row) => row.split(' | ')), { stderr });
    },
    async names(args) { return (await this.find(args)).map((row) => row[3]); },
  };
}

function counts(line) {
  const found = line.match(/^(?<files>\d+) files, (?<rows>\d+) rows: (?<asked>\d+) asked, (?<kept>\d+) kept, (?<failed>\d+) failed, (?<removed>\d+) removed, [\d.]+ s\n$/);
  assert.ok(found, line);
  return Object.fromEntries(Object.entries(found.groups).map(([name, number]) => [name, Number(number)]));
}

/** `actual` has these members. */
function counted(actual, expected) {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key]])), expected);
}

test('TypeScript: a second run asks for nothing, later ones for what changed, was added or went', async (t) => {
  const p = project(t, {
    'package.json': '{}', 'src/a.ts': 'export class Alpha { one() {} }\n', 'src/b.ts': 'export const beta = 1;\n',
    'src/c.ts': 'export function gamma() {}\n',
  });
  counted(await p.index(), { files: 3, rows: 4, asked: 3, kept: 0, failed: 0 });
  counted(await p.index(), { files: 3, rows: 4, asked: 0, kept: 3 });
  // Touched, but the same.
  utimesSync(join(p.cwd, 'src/a.ts'), 1, 1);
  counted(await p.index(), { asked: 0, kept: 3 });
  // Changed, of the same size and with its old times.
  const { atime, mtime } = statSync(join(p.cwd, 'src/b.ts'));
  p.write('src/b.ts', 'export const zeta = 1;\n');
  utimesSync(join(p.cwd, 'src/b.ts'), atime, mtime);
  assert.deepEqual(await p.names(['beta']), []);
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
  // One that now hides another.
  p.write('base.h', 'struct Base { int nearer; };\n');
  counted(await p.index(), { asked: 1, kept: 5 });
  p.write('deep.h', '#define two twice\n');
  counted(await p.index(), { asked: 2, kept: 5 });
  p.write('compile_flags.txt', '-Iinclude\n-DX\n');
  counted(await p.index(), { asked: 7, kept: 0 });
});

test('C++: only the file whose compile command changed is asked again, and headers', async (t) => {
  const entry = (file, ...flags) => ({ directory: '.', file, arguments: ['c++', ...flags, '-c', file] });
  const p = project(t, {
    'compile_commands.json': JSON.stringify([entry('a.cc'), entry('b.cc')]), 'a.cc': 'int a;\n', 'b.cc': 'int b;\n', 'c.h': 'int c();\n',
  });
  counted(await p.index(), { files: 3, asked: 3 });
  p.write('compile_commands.json', JSON.stringify([entry('a.cc'), entry('b.cc', '-DX')]));
  counted(await p.index(), { asked: 2, kept: 1 });
});

test('find ranks: exact, prefix, start of a word, inside, letters of words', async (t) => {
  const p = project(t, {
    'package.json': '{}',
    'a.ts': 'export const cache = 1;\nexport class Cache { evict() {} }\nexport class HoverCache {}\nexport const cached = 2;\nexport function uncached() {}\n' +
      'export const CacheLine = 3;\nexport const cellArrayCount_hot_entry = 4;\nexport const unrelated = 5;\n',
    'b.ts': 'export interface Store { cache(): void }\n',
  });
  await p.index();
  assert.deepEqual(await p.names(['cache']), ['cache', 'cache', 'Cache', 'cached', 'CacheLine', 'HoverCache', 'uncached', 'cellArrayCount_hot_entry']);
  assert.deepEqual(await p.names(['Cache', '--limit', '2']), ['Cache', 'cache']);
  assert.match((await p.find(['Cache', '--limit', '2'])).stderr, /note: only the first 2 are shown/);
  assert.deepEqual(await p.names(['cache', '--kind', 'Class']), ['Cache', 'HoverCache']);
  assert.deepEqual(await p.names(['hc']), ['HoverCache']);
  assert.deepEqual([...await p.find(['Store.cache'])], [['b.ts:1', 'Method', 'Store', 'cache']]);
  assert.deepEqual(await p.names(['Cache::evict']), ['evict']);
  assert.deepEqual(await p.names(['nothing like it']), []);
});

test('find never shows rows of a file that has changed, and says so', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n', 'b.ts': 'export const alpha = 2;\n' });
  await p.index();
  p.write('a.ts', '\nexport const alpha = 1;\n');
  const rows = await p.find(['alpha']);
  assert.deepEqual([...rows].map((row) => row[0]), ['b.ts:1']);
  assert.match(rows.stderr, /^symbols: note: 1 file changed since they were indexed; run symbols index\n$/);
});

test('find without an index says what to do', async (t) => {
  const p = project(t, { 'a.ts': '' });
  const { status, stdout, stderr } = await run(['find', 'x'], p.options);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /there is no index of .*; make one with: symbols index/);
});

test('find from a folder inside, and from elsewhere', async (t) => {
  const p = project(t, { 'package.json': '{}', 'src/in/a.ts': 'export const alpha = 1;\n', 'src/b.ts': 'export const beta = 1;\n' });
  await p.index();
  const inside = await run(['find', 'beta'], { ...p.options, cwd: join(p.cwd, 'src/in') });
  assert.match(inside.stdout, /^\.\.\/b\.ts:1 \| Variable \|  \| beta$/m);
  const elsewhere = await run(['find', 'alpha', '--root', p.cwd], { ...p.options, cwd: folder(t) });
  assert.ok(elsewhere.stdout.includes(`${p.cwd}/src/in/a.ts:1 | Variable |  | alpha\n`), elsewhere.stdout);
});

test('a damaged index, and one of another version, are made anew', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n' });
  await p.index();
  for (const damage of [
    (file) => writeFileSync(file, 'this is no database, and long enough to be told from an empty one'.repeat(100)),
    (file) => truncateSync(file, 5000),
    (file) => writeFileSync(file, readFileSync(file).fill(0x55, 4096)),
    (file) => writeFileSync(file, ''),
  ]) {
    damage(p.database());
    counted(await p.index(), { asked: 1, failed: 0 });
    assert.deepEqual(await p.names(['alpha']), ['alpha']);
    counted(await p.index(), { asked: 0, kept: 1 });
  }
});

test('a cache folder that cannot be written is an error', async (t) => {
  const p = project(t, { 'a.ts': 'export const alpha = 1;\n' });
  const { status, stderr } = await run(['index'], { ...p.options, env: { ...p.options.env, XDG_CACHE_HOME: '/proc/none' } });
  assert.equal(status, 1);
  assert.match(stderr, /cannot make the folder \/proc\/none\/symbols\/index/);
});

/** Many small files for a server that answers at once. */
function many(t, count) {
  const files = Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.txt`, `text ${i}\n`]));
  return project(t, { 'package.json': '{}', ...files }, { server: ['--server', fakeServer('plain'), '--language', 'x'] });
}

test('killed at any moment, the index is whole and the next run goes on', async (t) => {
  const p = many(t, 60);
  const whole = await p.index();
  counted(whole, { failed: 0, kept: 0 });
  const dump = async () => [...await p.find(['a', '--limit', '10000'])];
  const undisturbed = await dump();
  const started = Date.now();
  await p.index(['--rebuild']);
  const length = Date.now() - started;
  let kept = 0;
  for (let i = 0; i < 20; ++i) {
    const child = p.startIndex(i % 5 === 0 ? ['--rebuild'] : []);
    setTimeout(() => child.kill('SIGKILL'), Math.random() * length);
    await child.finished;
    if (i % 5 === 4) {
      const next = await p.index();
      kept += next.kept;
      assert.deepEqual([next.failed, next.asked + next.kept, next.rows], [0, whole.asked, whole.rows]);
      assert.deepEqual(await dump(), undisturbed);
    }
  }
  assert.ok(kept > 0, 'the killed runs kept nothing');
});

test('two runs at once do not hinder each other', async (t) => {
  const p = many(t, 60);
  const both = await Promise.all([p.startIndex().finished, p.startIndex().finished]);
  for (const { status, stdout, stderr } of both) {
    assert.equal(status, 0, stderr);
    counted(counts(stdout), { failed: 0 });
  }
  counted(await p.index(), { asked: 0, failed: 0 });
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
  const log = join(folder(t), 'log');
  const kept = await run(['--from-index', '--no-hover', '--log', log, '.'], p.options);
  assert.deepEqual([kept.status, readFileSync(log, 'utf8')], [0, '']);
  await both('--no-hover', '.');
  await both('--no-hover', 'src/b.ts', 'y.cc', 'src/a.ts');
  await both('--no-hover', '--format', 'json', 'src');
  await both('--no-hover', '--format', 'tree', '--verbosity', 'minimal', '.');
  await both('--no-hover', '--match', 'a', '--sort', '-name', '.');
  p.write('x.h', '#pragma once\nnamespace m { struct X { int b; }; }\n');
  p.write('src/b.ts', 'export const now = 1;\n');
  await both('--no-hover', '.');
  const hovers = await run(['--from-index', '.'], p.options);
  assert.deepEqual([hovers.status, hovers.stdout], [2, '']);
  assert.match(hovers.stderr, /the index has neither hovers nor diagnostics; give --from-index with --no-hover/);
});
