// `symbols index --watch`: whatever is done to the project, the index is soon what the servers would say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { counted, counts, indexedProject as project } from './indexed_project.mjs';
import { eventually, folder, marked, run, scripted } from './program.mjs';

/** The run, and `line(expected)`: its next line has these counts; `lineWith(expected)` waits for one that has them. */
function watch(t, p, args = []) {
  const child = p.startIndex(['--watch', ...args], { limit: 0 });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    assert.ok(!done, 'it has ended');
    return counts(`${value}\n`);
  };
  const line = async (expected = {}) => counted(await next(), expected);
  const lineWith = async (expected) => {
    for (let found = await next(); !Object.entries(expected).every(([name, number]) => found[name] === number);) found = await next();
  };
  return { child, line, lineWith };
}

/** The index has what the servers say, and needs none of them. */
async function holds(p) {
  assert.equal(await p.dump(), (await run(['--no-hover', '.'], p.options)).stdout);
}

const git = (p, ...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...args], { cwd: p.cwd });

/** Writes a file of the project at once: between its two steps a write that empties the file first may be seen. */
function replacing(t, p) {
  const besides = folder(t);
  return (name, content) => {
    writeFileSync(join(besides, 'new'), content);
    renameSync(join(besides, 'new'), join(p.cwd, name));
  };
}

const languages = {
  'TypeScript': {
    files: { 'package.json': '{}', 'tsconfig.json': '{}', 'src/a.ts': 'export class Alpha {}\n', 'src/b.ts': "import { Alpha } from './a';\nexport const beta = new Alpha();\n" },
    edited: 'src/a.ts', text: (name) => `export class ${name} { method() {} }\n`, added: 'src/new.ts', renamed: 'src/renamed.ts', asked: 1,
  },
  'C++': {
    files: { 'compile_flags.txt': '-std=c++17\n', 'src/a.h': '#pragma once\nstruct Alpha {};\n', 'src/b.cc': '#include "a.h"\nAlpha *beta();\n' },
    edited: 'src/a.h', text: (name) => `#pragma once\nstruct ${name} { int method(); };\ntypedef ${name} Alpha;\n`, added: 'src/new.cc', renamed: 'src/renamed.cc', asked: 2,
  },
};
for (const [language, { files, edited, text, added, renamed, asked }] of Object.entries(languages)) {
  test(`${language}: edited, added, renamed, removed, switched by git: the index follows`, async (t) => {
    const p = project(t, files);
    git(p, 'init', '-q');
    git(p, 'add', '.');
    git(p, 'commit', '-qm', 'one');
    const { child, line, lineWith } = watch(t, p);
    await line({ asked: 2, failed: 0 });
    await holds(p);
    const replace = replacing(t, p);
    for (const name of ['First', 'Second']) {
      replace(edited, text(name));
      await line({ asked, kept: 2 - asked });
      assert.deepEqual((await p.find([name])).map((row) => row[0])[0].replace(/:\d+$/, ''), edited);
      await holds(p);
    }
    replace(added, text('Added'));
    await line({ asked: 1, kept: 2 });
    assert.equal((await p.names(['Added']))[0], 'Added');
    renameSync(join(p.cwd, added), join(p.cwd, renamed));
    await line({ asked: 1, kept: 2, removed: 1 });
    assert.deepEqual((await p.find(['Added'])).map((row) => row[0].replace(/:\d+$/, ''))[0], renamed);
    await holds(p);
    rmSync(join(p.cwd, renamed));
    await line({ asked: 0, kept: 2, removed: 1 });
    assert.deepEqual(await p.names(['Added']), []);
    git(p, 'commit', '-qam', 'two');
    git(p, 'checkout', '-q', 'HEAD~1');
    // Git removes the file before it writes the other one.
    await lineWith({ asked, kept: 2 - asked, removed: 0 });
    assert.deepEqual(await p.names(['Second']), []);
    await holds(p);
    mkdirSync(join(p.cwd, 'src/deep'));
    replace(added.replace('src/', 'src/deep/'), text('Deep'));
    await line({ asked: 1, kept: 2 });
    // What changes no answer is no line.
    replace('notes.txt', 'nothing');
    await holds(p);
    replace(edited, text('Last'));
    await line({ asked, kept: 3 - asked, removed: 0 });
    child.kill('SIGTERM');
    const { signal, stderr } = await child.finished;
    assert.equal(signal, 'SIGTERM');
    assert.doesNotMatch(stderr.replace(/^symbols: note: .* left out, .*\n/, ''), /./, 'what a folder has no servers for is told once');
  });
}

test('a file that fails is told of once, until it changes', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n', 'b.ts': 'binary\0' });
  const { child, line } = watch(t, p);
  const replace = replacing(t, p);
  await line({ asked: 1, failed: 1 });
  replace('a.ts', 'export const other = 1;\n');
  await line({ asked: 1, failed: 1 });
  replace('b.ts', 'export const text = 1;\n');
  await line({ asked: 1, failed: 0 });
  child.kill('SIGINT');
  const { signal, stderr } = await child.finished;
  assert.equal(signal, 'SIGINT');
  assert.equal(stderr.match(/b\.ts/g).length, 1, stderr);
});

test('ended in the middle of a pass, nothing is left running', async (t) => {
  const go = join(folder(t), 'go');
  const p = project(t, { 'package.json': '{}', 'a.txt': 'alpha\n' }, { server: [...scripted('busy-until', go), '--language', 'x'] });
  const mark = marked();
  Object.assign(p.options.env, mark.env);
  const { child } = watch(t, p);
  await eventually(() => existsSync(`${go}.asked`));
  child.kill('SIGINT');
  assert.equal((await child.finished).signal, 'SIGINT');
  await mark.noneLeft();
  writeFileSync(go, '');
  counted(await p.index(), { files: 2, failed: 0 });
});

test('a project that goes ends it; one with too many folders is an error', async (t) => {
  const p = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n' });
  const { child, line } = watch(t, p, ['--root', p.cwd]);
  await line();
  rmSync(p.cwd, { recursive: true });
  const { status, stderr } = await child.finished;
  assert.equal(status, 1);
  assert.match(stderr, /cannot/);
  const wide = project(t, { 'package.json': '{}', 'a.ts': 'export const alpha = 1;\n' });
  for (let i = 0; i < 8192; ++i) mkdirSync(join(wide.cwd, `${i}`));
  const refused = await wide.startIndex(['--watch']).finished;
  assert.deepEqual([refused.status, refused.stdout, refused.stderr], [1, '', 'symbols: cannot watch the project: there are more than 8192 folders\n']);
});
