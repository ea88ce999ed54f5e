// `symbols context`: everything about one symbol on the command line, and the diagnostics of whole documents there, from real servers
// and from a scripted one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownEnvironment } from './language_servers.mjs';
import { indexedProject } from './indexed_project.mjs';
import { fakeServer, fixture, folder, quietly, run } from './program.mjs';
import { range } from './scenario.mjs';

/** Positions as in LSP, which say more. */
const asTable = ['context', '--format', 'table'];

function place(t, files = {}) {
  const sources = Object.fromEntries(['geometry.cpp', 'geometry.ts'].map((name) => [name, readFileSync(fixture(name), 'utf8')]));
  const cwd = folder(t, { ...sources, ...files });
  const env = ownEnvironment(t);
  return { cwd, symbols: (...args) => run(args, { cwd, env }) };
}

function sections(text) {
  const parts = { '': [] };
  let lines = parts[''];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('# ') && !line.includes(' | ')) parts[line.slice(2)] = lines = [];
    else lines.push(line);
  }
  return parts;
}

const broken = { 'bad.cpp': 'int broken = undeclared;\nint fine;\n', 'bad.ts': 'const broken: number = "text";\nconst fine = 1;\n' };

test('clangd: by line, by column and by name, the same symbol', async (t) => {
  const { cwd, symbols } = place(t);
  const byLine = await symbols(...asTable, 'geometry.cpp:10');
  assert.deepEqual([byLine.status, byLine.stderr], [0, '']);
  const parts = sections(byLine.stdout);
  assert.deepEqual(Object.keys(parts), ['', 'source 9:0-77', `references 1, by guessed flags, in ${cwd} only`, `callers 1, by guessed flags, in ${cwd} only`, 'diagnostics 0']);
  assert.match(parts[''][1], /^calculate_area \| 12 \| 9:0-77 \| 9:7-21 \| geometry \| double calculate_area\(double width, double height\) - /);
  assert.deepEqual(parts[`callers 1, by guessed flags, in ${cwd} only`], [`main | 12 | 33:4-8 | 35:35-49 | ${cwd}/geometry.cpp`]);
  for (const args of [['geometry.cpp:10:8'], ['geometry.cpp', 'calculate_area'], [join(cwd, 'geometry.cpp'), 'calculate_area']]) {
    assert.equal((await symbols(...asTable, ...args)).stdout, byLine.stdout, args.join(' '));
  }
});

test('for people and models: lines from one, paths from the working folder, source as it is', async (t) => {
  const shown = 'int shown(int x) {\n\treturn x; // \\d \x1b[2J\n}\n';
  const { symbols } = place(t, { 'src/shown.cpp': shown });
  const none = ['-i', 'references:0,callers:0,diagnostics:0', '-H'];
  const { stdout, stderr, status } = await symbols('context', 'geometry.cpp', 'calculate_area');
  assert.deepEqual([status, stderr], [0, '']);
  const parts = sections(stdout);
  assert.match(parts[''][0], /^f10 calculate_area.*\tdouble calculate_area\(double width, double height\) - /);
  assert.deepEqual(parts['source geometry.cpp:10'], [' double calculate_area(double width, double height) { return width * height; }']);
  assert.deepEqual(Object.keys(parts).slice(2), ['references 1, by guessed flags, in this folder only', 'callers 1, by guessed flags, in this folder only', 'diagnostics']);
  assert.deepEqual(parts['references 1, by guessed flags, in this folder only'], ['geometry.cpp: 36']);
  assert.deepEqual(parts['callers 1, by guessed flags, in this folder only'], ['main geometry.cpp:34: 36']);
  assert.equal((await symbols('context', 'src/shown.cpp:1', ...none)).stdout, `f1-3 shown:-\n# source src/shown.cpp:1-3\n int shown(int x) {\n \treturn x; // \\d \\x1B[2J\n }\n`);
});

test('--format: the text and the reply of symbols.context, and the page of a terminal', async (t) => {
  const { symbols } = place(t);
  const limits = ['geometry.ts:58', '-i', 'diagnostics:0', '--root', '.'];
  const text = (await symbols(...asTable, ...limits)).stdout;
  assert.match(text, /^NAME \| KIND [^]*\n# source 57:0-59:1\n57:export /);
  const json = await symbols('context', '-f', 'json', ...limits);
  assert.deepEqual([json.status, json.stderr], [0, '']);
  assert.deepEqual(JSON.parse(json.stdout), { success: true, format: 'table', symbols: text.trimEnd() });
  const tree = await symbols('context', '-f', 'tree', ...limits);
  assert.equal(tree.stdout, (await symbols('context', ...limits)).stdout);
  assert.match(tree.stdout, /^f58-60 totalArea:-\t/);
  assert.match((await symbols('context', '-f', 'pretty', ...limits)).stdout, /^58-60 {2}Function {2,}totalArea\n {2}function totalArea\([^]*\n# source geometry\.ts:58-60\n export function totalArea/);
});

test('clangd: references and callers in files that are not open, and nothing is written into the project', async (t) => {
  const cwd = folder(t, {
    'src/area.h': 'int area(int width, int height);\n',
    'src/area.cpp': '#include "area.h"\nint area(int width, int height) { return width * height; }\n',
    'src/square.cpp': '#include "area.h"\nint square(int side) { return area(side, side); }\n',
  });
  const units = ['area.cpp', 'square.cpp'].map((file) => ({ directory: join(cwd, 'src'), file, arguments: ['c++', '-c', file] }));
  writeFileSync(join(cwd, 'compile_commands.json'), JSON.stringify(units));
  const before = readdirSync(cwd, { recursive: true });
  const settings = folder(t, { 'clangd/config.yaml': 'Index:\n  StandardLibrary: No\n' });
  const cache = folder(t);
  const ask = (XDG_CACHE_HOME) => run([...asTable, 'src/area.cpp:2'], { cwd, env: { XDG_CONFIG_HOME: settings, XDG_CACHE_HOME } });
  for (const how of ['an index that is built', 'an index that is there']) {
    const { stdout, stderr, status } = await ask(cache);
    assert.deepEqual([status, stderr], [0, ''], how);
    const parts = sections(stdout);
    assert.deepEqual(parts['references 1, whole project'], [`${cwd}/src/square.cpp | 1:30-34`], how);
    assert.deepEqual(parts['callers 1, whole project'], [`square | 12 | 1:4-10 | 1:30-34 | ${cwd}/src/square.cpp`], how);
  }
  assert.deepEqual(readdirSync(cwd, { recursive: true }), before);
  assert.ok(readdirSync(cache, { recursive: true }).some((name) => name.endsWith('.idx')));

  const without = sections((await ask('/proc/none')).stdout);
  assert.deepEqual(Object.keys(without).slice(2, 4), ['references 0, open files only', 'callers 0, open files only']);
  assert.deepEqual(readdirSync(cwd, { recursive: true }), before);
});

test('TypeScript 7: limits, levels, kinds by name, and a budget', async (t) => {
  const { cwd, symbols } = place(t);
  const limits = ['--include', 'references:1,callers:0,source:2,diagnostics:0'];
  const rectangle = await symbols(...asTable, 'geometry.ts', 'Rectangle', '--kind-names', ...limits);
  assert.equal(rectangle.status, 0, rectangle.stderr);
  const parts = sections(rectangle.stdout);
  assert.match(parts[''][1], /^Rectangle \| Class \| /);
  assert.ok(parts[''].length > 5);
  assert.ok(parts[''].slice(2).every((row) => row.includes(' | Rectangle | ')));
  assert.deepEqual(Object.keys(parts).slice(1).map((heading) => heading.replace(/\d+:\d+/g, 'L')), ['source L-L, 2 of 17 lines', `references 1 of 4, in ${cwd} only`]);
  const alone = await symbols(...asTable, 'geometry.ts', 'Rectangle', '--children', 'no', '--no-hover', '--root', '.', ...limits);
  assert.equal(sections(alone.stdout)[''].length, 2);
  assert.match(alone.stdout, /\n# references 1 of 4, whole project\n/);
});

test('TypeScript: callers of functions that are constants or fields; those that its servers have no call hierarchy for are told so', async (t) => {
  const { symbols } = place(t, {
    'tsconfig.json': '{}',
    'arrow.tsx': `type F = (a: number) => number;
export const plain = (a: number) => a;
export const typed: F = async (a) => a;
export const expression = function (a: number) { return plain(a); };
export class K { field = (a: number) => plain(a); static stat = () => plain(1); }
export const App = () => plain(2);
export const list = { arrow: (a: number) => a };
export const wrapped = String((a: number) => a);
`,
    'user.tsx': `import { App, K, expression, list, plain, typed } from './arrow';
export const user = () => plain(typed(expression(new K().field(K.stat() + list.arrow(1)))));
export const Page = () => <App/>;
[1].map(plain);
`,
  });
  for (const server of [[], ['--server', 'typescript-language-server']]) {
    const callers = async (name) => {
      const { stdout, stderr, status } = await symbols(...asTable, 'arrow.tsx', name, ...server, '--no-hover', '--include', 'callers:50,references:0,source:0,diagnostics:0');
      assert.equal(status, 0, stderr);
      const [, told, rows] = /\n# callers(.*)\n([^]*)$/.exec(stdout);
      return [told.trim().replace(/, (whole project|loaded files only)$/, '').replace(': the server has no call hierarchy for this symbol', 'none'), rows.split('\n').slice(0, -1).map((row) => row.split(' | ')[0]).join(' ')];
    };
    assert.deepEqual(await callers('plain'), ['5', 'expression field stat App user'], server.join(' '));
    assert.deepEqual(await callers('App'), ['1', 'Page']);
    for (const name of ['typed', 'expression', 'field', 'stat']) assert.deepEqual(await callers(name), ['1', 'user'], name);
    for (const name of ['arrow', 'wrapped']) assert.deepEqual(await callers(name), ['none', ''], name);
  }
});

test('on demand: implementations, callees, types above and below, or that the server has none of them', async (t) => {
  const { cwd, symbols } = place(t, {
    'shapes.cpp': `struct Shape { virtual int area() = 0; };
struct Square : Shape { int area() override; };
struct Circle : Shape { int area() override; };
int square(int side) { return side * side; }
int Square::area() { return square(2); }
int Circle::area() { return 3; }
`,
    'shapes.ts': `export interface Shape { area(): number }
export class Square implements Shape { area() { return square(2); } }
const square = (side: number) => side * side;
`,
  });
  const only = 'children:0,source:0,references:0,callers:0,diagnostics:0';
  const parts = async (file, name, more) => {
    const { stdout, stderr, status } = await symbols(...asTable, file, name, '-H', '--include', `${only},${more}`);
    assert.equal(status, 0, stderr);
    return Object.fromEntries(Object.entries(sections(stdout)).slice(1).map(([heading, lines]) => [heading.replace(/,.*/, ''), lines]));
  };
  assert.deepEqual(await parts('shapes.cpp', 'Shape.area', 'implementations'), { 'implementations 2': [`${cwd}/shapes.cpp | 4:12-16 5:12-16`] });
  assert.deepEqual(await parts('shapes.cpp', 'Square', 'supertypes'), { 'supertypes 1': [`Shape | 23 | 0:7-12 |  | ${cwd}/shapes.cpp`] });
  assert.deepEqual((await parts('shapes.cpp', 'Shape', 'subtypes:1')), { 'subtypes 1 of 2': [`Square | 23 | 1:7-13 |  | ${cwd}/shapes.cpp`] });
  assert.deepEqual(await parts('shapes.ts', 'Shape', 'implementations'), { 'implementations 1': [`${cwd}/shapes.ts | 1:13-19`] });
  assert.deepEqual(await parts('shapes.ts', 'Square.area', 'callees,supertypes'), {
    'callees 1': [`square | 12 | 2:6-12 | 1:55-61 | ${cwd}/shapes.ts`], 'supertypes: not offered by the server': [],
  });
});

test('a name that several have, one that none has, a line that is not there', async (t) => {
  const { symbols } = place(t, { 'odd:12': 'x' });
  const several = await symbols(...asTable, 'geometry.ts', 'area');
  assert.deepEqual([several.status, several.stdout], [1, '']);
  assert.deepEqual(several.stderr.trimEnd().split('\n'), [
    'symbols: geometry.ts: 3 symbols are called "area"; ask for one of them by its position:',
    'symbols: geometry.ts:24:9  Variable in calculateArea',
    'symbols: geometry.ts:37:7  Property in Rectangle',
    'symbols: geometry.ts:52:7  Property in Circle',
  ]);
  const chosen = await symbols(...asTable, 'geometry.ts:37:7');
  assert.match(chosen.stdout, /\narea \| 7 \| .* \| Rectangle \| /);
  // tests/proxy/cli has what is wrong without a look at any file.
  for (const [args, status, told] of [
    [['geometry.ts', 'nothing'], 1, /geometry\.ts: there is no symbol called "nothing"; 'symbols geometry\.ts' lists/],
    [['geometry.ts:999'], 1, /geometry\.ts: there is no symbol on line 999 or around it/],
    [['geometry.ts:999:1'], 1, /geometry\.ts: there is no symbol at line 999, column 1/],
    [['missing.ts', 'x'], 1, /cannot read missing\.ts: No such file/],
    [['geometry.ts'], 2, /"geometry\.ts" does not say which symbol; give FILE:LINE/],
    [['odd:12'], 2, /"odd:12" does not say which symbol/],
    [['.', 'x'], 2, /"\." is a folder/],
    [['-', 'x'], 2, /needs --language/],
  ]) {
    const answer = await symbols('context', ...args);
    assert.deepEqual([answer.status, answer.stdout], [status, ''], args.join(' '));
    assert.match(answer.stderr, told);
  }
});

test('a name without a file is found by the index', async (t) => {
  const p = indexedProject(t, {
    'package.json': '{}', 'src/a.ts': 'export class Alpha {\n  one() {}\n}\n', 'src/b.ts': 'class Other {\n  Alpha() {}\n  two() {}\n}\n',
    'src/c.ts': 'class Third {\n  two() {}\n}\n',
  });
  const ask = (...args) => run([...asTable, ...args, '--include', 'references:0,callers:0,diagnostics:0'], p.options);
  const before = await ask('Alpha');
  assert.deepEqual([before.status, before.stdout], [1, '']);
  assert.match(before.stderr, /"Alpha" is no file, .* there is no index of .*make one with: symbols index; or give FILE:LINE/);
  await p.index();
  for (const [name, row, note = ''] of [['Alpha', 'Alpha \\| 5 \\| 0:0-2:1', 'symbols: note: 1 more symbol is called "Alpha"; find lists it\n'], ['one', 'one \\| 6 '], ['Third.two', 'two \\| 6 .* \\| Third \\| ']]) {
    const { stdout, stderr, status } = await ask(name);
    assert.deepEqual([status, stderr], [0, note], name);
    assert.match(stdout.split('\n')[1], new RegExp(`^${row}`));
  }
  const several = await ask('two');
  assert.deepEqual([several.status, several.stderr.trimEnd().split('\n')], [1, [
    'symbols: 2 symbols are called "two"; ask for one of them by its place:',
    'symbols: src/b.ts:3  Method two in Other  two() {}',
    'symbols: src/c.ts:2  Method two in Third  two() {}',
  ]]);
  const all = await run(['context', 'two', '--include', 'references:0,callers:0,diagnostics:0'], p.options);
  assert.deepEqual([all.status, all.stderr.split('\n')[0]], [0, 'symbols: note: 2 symbols are called "two", answered in this order:']);
  assert.deepEqual(all.stdout.split('\n\n').map((answer) => /^# source (.*)$/m.exec(answer)[1]), ['src/b.ts:3', 'src/c.ts:2']);
  for (const place of [['src/c.ts:2'], ['c/two'], ['c.ts', 'two'], ['src/c', 'Third.two']])
    assert.match((await ask(...place)).stdout, /\ntwo \| 6 .* \| Third \| /, place.join(' '));
  assert.match((await ask('d.ts', 'two')).stderr, /cannot read d\.ts: No such file/);
  assert.match((await ask('none')).stderr, /there is no file "none" and no symbol of that name in the index; nearest: one; 'symbols index' /);
});

test('standard input, by name and by place', async (t) => {
  const { cwd } = place(t);
  const input = readFileSync(fixture('geometry.ts'));
  const [byName, byPlace] = await Promise.all([['-', 'calculateArea'], ['-:23:17']].map((args) => quietly([...asTable, ...args, '--language', 'typescript'], { cwd, input })));
  assert.match(byName, /\ncalculateArea \| 12 \| [^]*\n# source .*\n22:export function calculateArea/);
  assert.equal(byPlace, byName);
});

const fake = (scenario) => ['--language', 'x', '--server', fakeServer(scenario)];

test('an index is awaited for --timeout and the answer says how far it is, but a name that is not there is told at once', async (t) => {
  const cwd = folder(t, { 'a.x': 'alpha\n' });
  const ask = (name, timeout) => run([...asTable, 'a.x', name, '--timeout', timeout, ...fake('indexes-for-ever')], { cwd });
  const found = await ask('alpha', '4s');
  assert.equal(found.status, 0, found.stderr);
  assert.match(found.stdout, /\n# references 0, still loading: indexing: 37\/104, in /);
  const typo = await ask('alhpa', '1000m');
  assert.equal(typo.status, 1);
  assert.match(typo.stderr, /no symbol called "alhpa"/);
});

test('diagnostics of documents, as text and as JSON', async (t) => {
  const { symbols } = place(t, broken);
  const text = await symbols('--no-hover', '--include', 'diagnostics', 'bad.ts', 'bad.cpp', 'geometry.ts');
  assert.equal(text.status, 0, text.stderr);
  assert.match(text.stdout, new RegExp(`^==> bad\\.ts <==
NAME \\| KIND .*
broken \\| 13 .*
fine \\| 13 .*
# diagnostics 1
0:6-12 \\| error \\| Type 'string' is not assignable to type 'number'\\. \\| .*2322
==> bad\\.cpp <==
NAME .*
broken .*
fine .*
# diagnostics 1
0:13-23 \\| error \\| .*undeclared.* \\| clang undeclared_var_use
==> geometry\\.ts <==
[^]*
# diagnostics 0
$`));

  const alone = JSON.parse((await symbols('--format', 'json', '--include', 'diagnostics:5', 'bad.ts')).stdout);
  assert.deepEqual(Object.keys(alone), ['path', 'symbols', 'diagnostics']);
  assert.equal(alone.path, 'bad.ts');
  assert.deepEqual(alone.symbols.map(({ name }) => name), ['broken', 'fine']);
  assert.deepEqual(alone.diagnostics.map(({ range: where, severity, code }) => ({ where, severity, code })),
    [{ where: range(0, 6, 12), severity: 1, code: 2322 }]);
});
