// `symbols context --warm` and `--warm --include diagnostics`: what depends on other files, on what a server has open and on what
// it has published is the cold answer too.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { indexedProject } from './indexed_project.mjs';
import { eventually, fakeServer, fixture, isRunning, start } from './program.mjs';
import { below, editAtRandom, isMissing, kinds, rounds, warmProject } from './warm_project.mjs';

const typescript = {
  'tsconfig.json': '{}', 'geometry.ts': readFileSync(fixture('geometry.ts'), 'utf8'), 'a.ts': 'export const one = (a: number) => a;\n',
  'b.ts': "import { one } from './a';\nimport { calculateArea } from './geometry';\nexport function two() { return one(calculateArea(1, 2)); }\nconst bad: number = two;\n",
};

test('TypeScript 7: the same server answers about several targets, after edits too; the second answer is kept', async (t) => {
  const project = warmProject(t, typescript);
  const targets = [['geometry.ts', 'calculateArea'], ['geometry.ts:24'], ['geometry.ts', 'Rectangle', '--children', 'yes', '--kind-names'], ['b.ts', 'two'],
    ['geometry.ts:37:7', '--include', 'references:50,callers:0'], ['a.ts', 'one', '--max-tokens', '150'], ['geometry.ts', 'area'], ['none.ts', 'x']];
  for (const target of targets) await project.same('context', ...target);
  const [server] = project.servers();
  assert.match(await project.kept(), /answers kept: 6,/);  // of errors none
  for (const target of targets) assert.deepEqual(await project.warm('context', ...target), await project.cold('context', '--no-warm', ...target));
  const two = async () => (await project.same('context', 'a.ts', 'one')).stdout;
  assert.match(await two(), /\n# references 1, whole project\n/);
  project.write('c.ts', "import { one } from './a';\none(one(1));\n");
  assert.match(await two(), /\n# references 3, /);
  project.write('b.ts', 'export {};\n');
  assert.match(await two(), /\n# references 2, /);
  renameSync(join(project.cwd, 'c.ts'), join(project.cwd, 'd.ts'));
  assert.match(await two(), /\nd\.ts: /);
  rmSync(join(project.cwd, 'd.ts'));
  assert.match(await two(), /\n# references 0, /);
  assert.ok(isRunning(server), 'one server did it all');
});

test('paths are from the folder of the call, also in an answer that is kept', async (t) => {
  const project = warmProject(t, { ...typescript, 'sub/.keep': '' });
  const ask = async (cwd) => (await project.call(['--warm', 'context', join(project.cwd, 'a.ts'), 'one', '-H'], { cwd })).stdout;
  for (const [cwd, place] of [[project.cwd, 'a.ts'], [join(project.cwd, 'sub'), '../a.ts'], [project.cwd, 'a.ts']])
    assert.match(await ask(cwd), new RegExp(`\n# source ${place}:1\n`));
});

test('files that were asked about before change nothing: a project without tsconfig.json, and one with two', async (t) => {
  const project = warmProject(t, {
    'package.json': '{}', 'a.ts': 'export function one() {}\n', 'b.ts': "import { one } from './a';\nexport const two = () => one();\n",
    'p/tsconfig.json': '{"include": ["."]}', 'p/p.ts': 'export function three() {}\n', 'q/tsconfig.json': '{"include": ["."]}', 'q/q.ts': "import { three } from '../p/p';\nthree();\n",
  });
  for (const [file, name] of [['b.ts', 'two'], ['a.ts', 'one'], ['q/q.ts:1', undefined], ['p/p.ts', 'three'], ['b.ts:1', undefined], ['a.ts', 'one']]) {
    await project.same('context', file, ...(name ? [name] : []), '--root', '.');
    await project.same('--include', 'diagnostics', '--root', '.', file.replace(/:.*/, ''));
    project.write('new.txt', name ?? '');
  }
});

test('diagnostics of a document, published or asked for, are those of now', async (t) => {
  const project = warmProject(t, { ...typescript, 'compile_flags.txt': '-std=c++20\n', 'h.h': 'inline int one;\n', 'c.cpp': '#include "h.h"\nint two = one;\nint three = one + 1;\n', 'd.cpp': 'int four = five;\n' });
  const list = async (file) => /# diagnostics .*\n[^]*$/.exec((await project.same('--no-hover', '--include', 'diagnostics', file)).stdout)[0];
  for (const file of ['b.ts', 'c.cpp', 'd.cpp', 'c.cpp', 'a.ts', 'd.cpp']) await list(file);
  assert.match(await list('b.ts'), /# diagnostics 2\n/);
  project.write('a.ts', 'export const one = 1;\n');
  assert.match(await list('b.ts'), /# diagnostics 3\n/);
  project.write('h.h', 'inline int other;\n');
  assert.match(await list('c.cpp'), /# diagnostics 2\n/);
  project.write('c.cpp', '#include "h.h"\nint two = other;\n');
  assert.match(await list('c.cpp'), /# diagnostics 0\n/);
  assert.match((await project.same('context', 'd.cpp', 'four')).stdout, /# diagnostics\n1 diagnostic:\n/);
});

// s5.cpp is in no index.
const clangdProject = (cwd) => ({
  'compile_commands.json': JSON.stringify([3, 4].map((i) => ({ directory: cwd, file: `s${i}.cpp`, arguments: ['c++', '-std=c++20', '-c', `s${i}.cpp`] }))),
});
const asked = { TypeScript: (i) => `f${i}`, pyright: (i) => `f${i}`, gopls: (i) => `F${i}` };
for (const server of Object.keys(asked)) {
  test(`random edits: ${server}`, { skip: isMissing(server) }, (t) =>
    editAtRandom(t, server, Math.ceil(rounds / 2), async (project, name, i) => {
      project.env.XDG_CACHE_HOME ??= join(project.runtime, 'cache');
      await project.same('context', name, asked[server](i));
    }));
}

/** What a C++ answer lists, as `references PATH:LINE` and `callers NAME PATH:LINE`. */
const usesIn = (stdout) => [...stdout.matchAll(/^# (references|callers) .*\n((?:[^#\n].*\n)*)/gm)].flatMap(([, part, rows]) =>
  [...rows.matchAll(/^(?:(\w+) \S+:\d+|(\S+)): ([\d ]+)$/gm)].flatMap(([row, caller, path, lines]) =>
    lines.split(' ').map((line) => `${part} ${caller ? row.replace(/:.*/, '') : path}:${line}`)));
/** All else in it; clangd finds fixes by its index. */
const withoutUses = ({ stdout, ...rest }) => ({
  ...rest, stdout: stdout.replaceAll(/^(# (?:references|callers)) \d+(.*\n)(?:[^#\n].*\n)*/gm, '$1$2').replaceAll(' (fix available)', ''),
});
/** All uses of a function of the generated C++ project, by the texts of its files: their includes lead to its declaration. */
function usesInTexts(cwd, name) {
  const texts = new Map(readdirSync(cwd, { recursive: true }).filter((path) => /\.(h|cpp)$/.test(path)).map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
  const reaches = (path, seen) => texts.has(path) && !seen.has(path) && seen.add(path) && (texts.get(path).includes(` ${name}() {`)
    || [...texts.get(path).matchAll(/#include "(.*)"/g)].some(([, header]) => reaches(join(dirname(path), header), seen)));
  return [...texts].filter(([path]) => reaches(path, new Set())).flatMap(([path, text]) => text.split('\n').flatMap((line, i) => {
    const caller = line.match(`(\\w+)\\(\\) \\{ return ${name}\\(`)?.[1];
    return caller ? [`references ${path}:${i + 1}`, `callers ${caller} ${path}:${i + 1}`] : [];
  }));
}

// The kept index may agree with itself and be wrong, so a third answer comes from an empty one. A warm clangd may list more,
// as it knows documents that it had open; these uses have to be in the texts.
test('random edits: clangd', async (t) => {
  let compared = 0;
  const failures = [];
  await editAtRandom(t, 'clangd', rounds, async (project, _, i) => {
    const kept = join(project.runtime, 'cache');
    const empty = mkdtempSync(join(project.runtime, 'empty-'));
    const one = below(3) ? i % 3 : i;  // mostly a header
    const args = ['context', kinds.clangd.name(one), `g${one}`, '--trust-project'];
    const ask = (words, cache) => project.call(words, { env: { ...project.env, XDG_CACHE_HOME: cache } });
    const answers = { warm: await ask(['--warm', ...args], kept), cold: await ask(args, kept), fresh: await ask(args, empty) };
    rmSync(empty, { recursive: true });
    const inTexts = usesInTexts(project.cwd, `g${one}`);
    const fresh = usesIn(answers.fresh.stdout);
    compared += fresh.length;
    for (const [which, answer] of Object.entries(answers)) {
      assert.deepEqual(withoutUses(answer), withoutUses(answers.fresh), which);
      const uses = usesIn(answer.stdout);
      const isWhole = /^# references \d+, whole project$/m.test(answer.stdout);
      const lacking = (isWhole ? inTexts : fresh).filter((use) => !uses.includes(use));
      const wrong = uses.filter((use) => !inTexts.includes(use));
      if (lacking.length + wrong.length > 0) failures.push({ which, of: `g${one}`, isWhole, lacking, wrong });
    }
  }, clangdProject);
  t.diagnostic(`${compared} uses compared`);
  assert.deepEqual(failures, []);
});

test('clangd keeps its index of the project: the next symbols, of other files too, need not wait for it', async (t) => {
  const project = warmProject(t, { 'area.h': 'int area(int width, int height);\n', 'area.cpp': '#include "area.h"\nint area(int width, int height) { return width * height; }\n',
    'square.cpp': '#include "area.h"\nint square(int side) { return area(side, side); }\n' });
  project.env.XDG_CACHE_HOME = join(project.runtime, 'cache');
  project.write('compile_commands.json', JSON.stringify(['area.cpp', 'square.cpp'].map((file) => ({ directory: project.cwd, file, arguments: ['c++', '-c', file] }))));
  const area = async () => (await project.same('context', 'area.cpp', 'area', '--trust-project')).stdout;
  assert.match(await area(), /\n# references 1, whole project\nsquare\.cpp: 2\n# callers 1, whole project\nsquare square\.cpp:2: 2\n/);
  const [server] = project.servers();
  assert.match((await project.same('context', 'square.cpp', 'square', '--trust-project')).stdout, /\n# references 0, whole project\n/);
  await project.same('context', 'area.h:1', '--trust-project');
  assert.ok(isRunning(server));
  writeFileSync(join(project.cwd, 'square.cpp'), '#include "area.h"\n\nint square(int side) { return area(side, area(1, side)); }\n');
  assert.match(await area(), /\n# references 2, whole project\nsquare\.cpp: 3\n/);
  writeFileSync(join(project.cwd, 'area.cpp'), '#include "area.h"\n\nint area(int width, int height) { return width < 1 ? 0 : height + area(width - 1, height); }\n');
  assert.match(await area(), /\n# references 3, whole project\narea\.cpp: 3\nsquare\.cpp: 3\n/);
  assert.ok(isRunning(server), 'it read both sources anew');
  for (const [path, text] of [['square.cpp', '#include "area.h"\nint square(int side) { return area(side); }\n'], ['area.h', '\nint area(int width, int height);\n'],
    ['new.cpp', '#include "area.h"\nint two = area(1, 2);\n'], ['area.h', '\nint area(int, int);\n#include "square.cpp"\n'], ['square.cpp', 'inline int one = 1;\n']]) {
    const [before] = project.servers();
    project.write(path, text);
    await area();
    assert.ok(!isRunning(before), `a new one after ${path}: ${text}`);
  }
});

test('clangd: the index that is kept knows of files that come and go', async (t) => {
  const project = warmProject(t, { 'use.cpp': '#include "late.h"\nint use() { return late(); }\n', 'other.cpp': 'int other() { return 1; }\n' });
  project.env.XDG_CACHE_HOME = join(project.runtime, 'cache');
  project.write('compile_commands.json', JSON.stringify(['use.cpp', 'other.cpp'].map((file) => ({ directory: project.cwd, file, arguments: ['c++', '-c', file] }))));
  const told = async (...place) => (await project.cold('context', ...place, '--trust-project')).stdout;
  assert.match(await told('other.cpp', 'other'), /\n# references 0, /);
  project.write('late.h', 'inline int late() { return 1; }\n');
  assert.match(await told('late.h', 'late'), /\n# references 1, whole project\nuse\.cpp: 2\n/);
  const withFlag = (flag) => project.write('compile_commands.json', JSON.stringify(['use.cpp', 'other.cpp'].map((file) => ({ directory: project.cwd, file, arguments: ['c++', ...flag, '-c', file] }))));
  project.write('late.h', 'inline int late() { return 1; }\n#ifdef MORE\ninline int more() { return late(); }\n#endif\n');
  assert.match(await told('late.h', 'late'), /\n# references 1, /);
  withFlag(['-DMORE']);
  assert.match(await told('late.h', 'late'), /\n# references 2, /);
  rmSync(join(project.cwd, 'use.cpp'));
  assert.match(await told('late.h', 'late'), /\n# references 1, .*\nlate\.h: 3\n/);
});

test('clangd: all sources that use a changed header are read again', async (t) => {
  const sources = ['a', 'b', 'c'];
  const project = warmProject(t, Object.fromEntries(sources.map((name) => [`${name}.cpp`, `#include "late.h"\nint ${name}() { return late(); }\n`])));
  project.env.XDG_CACHE_HOME = join(project.runtime, 'cache');
  project.write('compile_commands.json', JSON.stringify(sources.map((name) => ({ directory: project.cwd, file: `${name}.cpp`, arguments: ['c++', '-c', `${name}.cpp`] }))));
  const told = async (name) => (await project.cold('context', 'late.h', name, '--trust-project')).stdout;
  project.write('late.h', 'int other();\n');
  assert.match(await told('other'), /\n# references 0, whole project\n/);
  project.write('late.h', 'int other();\nint late();\n');
  assert.match(await told('late'), /\n# references 3, whole project\na\.cpp: 2\nb\.cpp: 2\nc\.cpp: 2\n/);
});

test('a name without a file, by the index', async (t) => {
  const { options, index } = indexedProject(t, { 'package.json': '{}', 'src/a.ts': 'export class Alpha {\n  one() {}\n}\n' });
  const project = warmProject(t, {});
  const call = (...args) => project.call(args, { ...options, env: { ...project.env, ...options.env } });
  await index();
  const changes = [[() => {}, 0], [() => writeFileSync(join(options.cwd, 'src/a.ts'), 'export class Alpha {\n\n  one() {}\n}\n'), 1]];
  for (const [change, status] of changes) {
    change();
    const cold = await call('context', 'Alpha');
    assert.equal(cold.status, status, cold.stderr);
    for (const words of [['--warm', 'context', 'Alpha'], ['context', 'Alpha', '--warm']]) assert.deepEqual(await call(...words), cold);
  }
  assert.ok(project.keeper());
});

test('Ctrl-C cancels what the server was asked; a keeper that is killed makes the call cold', async (t) => {
  const project = warmProject(t, { 'a.x': 'alpha\n beta\n' });
  const log = join(project.runtime, 'log');
  const words = (timeout) => ['context', 'a.x:1', '--server', `sh -c 'tee -a ${log} | ${fakeServer('silent-on-references')}'`, '--language', 'x', '--timeout', timeout, '--trust-project'];
  const times = (what) => (existsSync(log) ? readFileSync(log, 'utf8').split(what).length - 1 : 0);
  // Other parts may be late too, on a slow machine.
  const late = /\n# references: not answered within 3000 ms\n/;
  assert.match((await project.cold(...words('4s'))).stdout, late);
  const cancelledBefore = times('"$/cancelRequest"');
  const cancelled = start(['--warm', ...words('1000m')], project);
  await eventually(() => times('"textDocument/references"') === 2);
  cancelled.kill('SIGINT');
  assert.equal((await cancelled.finished).signal, 'SIGINT');
  await eventually(() => times('"$/cancelRequest"') > cancelledBefore);
  // The same server is asked again.
  const call = start(['--warm', ...words('4s')], project);
  await eventually(() => times('"textDocument/references"') === 3);
  process.kill(project.keeper(), 'SIGKILL');
  assert.match((await call.finished).stdout, late);
  assert.equal(times('"initialize"'), 3);
});
