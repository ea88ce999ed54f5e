// `symbols impact` in real repositories with real servers: what differs since a commit, and who uses it.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { gitRepository } from './git_repository.mjs';
import { ownEnvironment } from './language_servers.mjs';
import { mcp } from './mcp_session.mjs';
import { folder, run } from './program.mjs';

const sources = {
  'tsconfig.json': '{}',
  'src/area.ts': `export function area(width: number, height: number) {
  return width * height;
}
export function gone() {}
export interface Shape {
  size(): number;
}
`,
  'src/use.ts': `import { area, gone } from './area';
import type { Shape } from './area';
export function twice() {
  return area(1, 2) + area(3, 4);
}
export const first = area(1, 1);
gone();
export class Square implements Shape {
  size() { return 1; }
}
`,
  'test/area.test.ts': `import { area } from '../src/area';
if (area(2, 3) !== 6) throw new Error();
`,
};

/** A repository with these files in its first commit (git_repository.mjs), and `impact`. */
function repository(t, files = sources, options) {
  const made = gitRepository(t, files, options);
  return { ...made, impact: (...args) => run(['impact', ...args], made) };
}

test('a declaration, a body and a removed function: users, tests apart, and where the name still stands', async (t) => {
  const { impact, edit } = repository(t);
  const none = await impact();
  assert.deepEqual([none.status, none.stderr], [0, '']);
  assert.equal(none.stdout, '# 0 symbols in 0 files, changed since HEAD\n# used in 0 lines in 0 files, whole project\n');
  edit('src/area.ts', 'width: number, ', 'width: number | string, ');
  edit('src/area.ts', 'export function gone() {}\n', '');
  edit('src/use.ts', 'area(3, 4)', 'area(5, 6)');
  const { stdout, stderr, status } = await impact();
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout, `# 3 symbols in 2 files, changed since HEAD
src/area.ts
 declaration f1 area
 removed f4 gone
src/use.ts
 body f3 twice
# gone still stands in 1 file
src/use.ts: 1 7
# used in 2 lines in 1 file, whole project
src/use.ts
 4 twice: area
 6: area
# tests and the like 1 line in 1 file, whole project
test/area.test.ts
 2: area
`);
  const json = JSON.parse((await impact('-f', 'json')).stdout);
  assert.deepEqual(json.changed.map(({ path, line, name, kind, change }) => [path, line, name, kind, change]), [['src/area.ts', 1, 'area', 12, 'declaration'], ['src/area.ts', 4, 'gone', 12, 'removed'], ['src/use.ts', 3, 'twice', 12, 'body']]);
  assert.deepEqual(json.used.map(({ path, line, callers, uses, support }) => [path, line, callers.join(), uses.join(), support]), [['src/use.ts', 4, 'twice', 'area', false], ['src/use.ts', 6, '', 'area', false], ['test/area.test.ts', 2, '', 'area', true]]);
  assert.deepEqual([json.since, json.is_whole, json.mentioned], ['HEAD', true, [{ name: 'gone', path: 'src/use.ts', lines: [1, 7] }]]);
  const rows = (await impact('-f', 'ndjson')).stdout.trimEnd().split('\n').map((row) => JSON.parse(row));
  const { changed, used, mentioned, others, ...rest } = json;
  assert.deepEqual(rows, [...Object.entries({ changed, used, mentioned, others }).flatMap(([list, all]) => all.map((one) => ({ list, ...one }))), { list: null, ...rest }]);
  const small = await impact('-n', '110');
  assert.match(small.stdout, /\n# truncated: \d+ -> \d+ tokens; dropped: \d+ lines from the end\n$/);
});

test('a place in place of a commit: implementations too; --depth: the users of the callers', async (t) => {
  const { impact, write } = repository(t);
  const { stdout, stderr } = await impact('src/area.ts:5');
  assert.equal(stderr, '');
  assert.equal(stdout, `# 1 symbol in 1 file
src/area.ts
 given i5 Shape, loaded files only
# used in 1 line in 1 file, not known to be all
src/use.ts
 8 implements Shape
`);
  write('src/more.ts', "import { twice } from './use';\nexport function four() {\n  return twice() + twice();\n}\n");
  const deep = ['src/area.ts:1', '--depth'];
  assert.doesNotMatch((await impact(...deep, '1')).stdout, /four/);
  assert.match((await impact(...deep, '2')).stdout, /\n# used in 3 lines in 2 files, whole project\nsrc\/use\.ts\n 4 twice: area\n 6: area\nsrc\/more\.ts\n 3 four: twice\n/);
});

test('staged: what is staged is compared, and users are not asked of a file that has changed since', async (t) => {
  const { impact, edit, git } = repository(t);
  edit('src/area.ts', 'return width', 'return 2 * width');
  assert.match((await impact('--staged')).stdout, /^# 0 symbols/);
  git('add', '.');
  assert.match((await impact('--staged')).stdout, /^# 1 symbol in 1 file, changed since HEAD\nsrc\/area\.ts\n body f1 area\n# used in 2 lines/);
  edit('src/area.ts', 'export function area', '\nexport function area');
  assert.match((await impact('--staged')).stdout, / body f1 area, users: its file has changes that are not staged\n# used in 0 lines in 0 files, not known to be all\n$/);
  assert.match((await impact()).stdout, / body f2 area\n# used in 2 lines in 1 file, whole project\n/);
});

test('no commit yet, renamed and moved files, what is no text, a submodule, a merge, a shallow clone', async (t) => {
  await t.test('no commit yet', async (t) => {
    const { impact, git } = repository(t, sources, { commits: false });
    git('add', 'src/area.ts');
    const { stdout } = await impact();
    assert.match(stdout, /^# 3 symbols in 1 file, changed since nothing\nsrc\/area\.ts\n added f1 area\n added f4 gone\n added i5 Shape, loaded files only\n# used in 4 lines in 1 file, not known to be all\n/);
  });
  await t.test('renamed', async (t) => {
    const { cwd, impact, edit, git } = repository(t);
    edit('src/area.ts', 'function area', 'function extent');
    renameSync(join(cwd, 'src/area.ts'), join(cwd, 'src/size.ts'));
    git('add', '-A');
    const { stdout } = await impact();
    assert.match(stdout, /^# 1 symbol in 1 file, changed since HEAD\nsrc\/size\.ts\n renamed f1 extent from area\n/);
    assert.match(stdout, /\nsrc\/size\.ts: moved from .*src\/area\.ts\n# area still stands in 2 files\nsrc\/use\.ts: 1 2 4 6\ntest\/area\.test\.ts: 1 2\n/);
  });
  await t.test('no text', async (t) => {
    const { cwd, impact, write } = repository(t, { ...sources, 'src/image.ts': 'a\0b', 'notes.unknown': 'a\n', 'link.ts': 'x' });
    write('src/image.ts', 'a\0c');
    write('notes.unknown', 'b\n');
    rmSync(join(cwd, 'link.ts'));
    symlinkSync('src/area.ts', join(cwd, 'link.ts'));
    const { stdout, stderr } = await impact();
    assert.equal(stdout, '# 0 symbols in 0 files, changed since HEAD\nlink.ts: is a link\nnotes.unknown: is in no known language\nsrc/image.ts: cannot read src/image.ts: it is binary (a NUL byte in line 1)\n# used in 0 lines in 0 files, not known to be all\n');
    assert.equal(stderr, '');
  });
  await t.test('a source that is none any more, and a tree whose files have new times', async (t) => {
    const { cwd, impact } = repository(t, { ...sources, 'README.none': 'a\n' });
    for (const file of ['src/use.ts', 'README.none']) utimesSync(join(cwd, file), 1, 1);
    assert.match((await impact()).stdout, /^# 0 symbols in 0 files, changed since HEAD\n# used in 0/);
    renameSync(join(cwd, 'src/area.ts'), join(cwd, 'src/area.ts.bak'));
    assert.match((await impact()).stdout, /\n removed f1 area\n removed f4 gone\n removed i5 Shape\n/);
  });
  await t.test('a submodule, and a merge', async (t) => {
    const other = repository(t);
    const { impact, edit, git } = repository(t);
    git('submodule', '-q', 'add', other.cwd, 'sub');
    git('commit', '-qm', 'sub');
    other.git('commit', '-q', '--allow-empty', '-m', 'more');
    git('-C', 'sub', 'pull', '-q');
    git('checkout', '-q', '-b', 'side');
    edit('src/area.ts', 'return width', 'return 3 * width');
    git('commit', '-qm', 'side', 'src/area.ts');
    git('checkout', '-q', 'main');
    edit('src/area.ts', 'return width', 'return 4 * width');
    git('commit', '-qm', 'main', 'src/area.ts');
    assert.throws(() => git('merge', '-q', 'side'));
    const { stdout, status } = await impact();
    assert.equal(status, 0);
    assert.match(stdout, /\nsrc\/area\.ts: is being merged\nsub: is a submodule\n/);
  });
  await t.test('a shallow clone', async (t) => {
    const { cwd, git } = repository(t);
    git('commit', '-q', '--allow-empty', '-m', 'second');
    const clone = folder(t, {});
    spawnSync('git', ['clone', '-q', '--depth', '1', `file://${cwd}`, join(clone, 'c')]);
    const { stderr, status } = await run(['impact', 'HEAD~1'], { cwd: join(clone, 'c'), env: ownEnvironment(t) });
    assert.deepEqual([status, stderr], [1, 'symbols: git knows no commit "HEAD~1"; give a commit, or FILE:LINE; a shallow clone has only its last commits\n']);
  });
});

test("git runs none of the project's programs, and writes nothing", async (t) => {
  const { cwd, impact, edit, git, write } = repository(t);
  const ran = join(cwd, 'ran');
  write('evil.sh', `#!/bin/sh\ntouch '${ran}'\ncat\n`);
  chmodSync(join(cwd, 'evil.sh'), 0o755);
  const evil = join(cwd, 'evil.sh');
  write('.gitattributes', '*.ts filter=evil diff=evil\n');
  const other = repository(t);
  git('submodule', '-q', 'add', other.cwd, 'sub');
  git('-C', 'sub', 'config', 'core.fsmonitor', evil);
  for (const name of ['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.textconv', 'diff.evil.command', 'diff.external', 'core.fsmonitor', 'core.pager', 'core.sshCommand']) git('config', name, evil);
  mkdirSync(join(cwd, '.git/hooks'), { recursive: true });
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction']) symlinkSync(evil, join(cwd, '.git/hooks', hook));
  edit('src/area.ts', 'return width', 'return 2 * width');
  const index = readFileSync(join(cwd, '.git/index'));
  rmSync(ran, { force: true });
  const { stdout, stderr } = await impact();
  assert.match(stdout, / body f1 area/, stderr);
  assert.ok(!existsSync(ran), 'a program of the project ran');
  assert.deepEqual(readFileSync(join(cwd, '.git/index')), index);
});

test('a function that moved to another file, and one that has no server', async (t) => {
  const { impact, edit, write, git } = repository(t);
  edit('src/area.ts', 'export function gone() {}\n', '');
  edit('src/use.ts', "import { area, gone } from './area';", "import { area } from './area';\nimport { gone } from './gone';");
  write('src/gone.ts', 'export function gone() {}\n');
  git('add', '.');
  const { stdout } = await impact();
  assert.match(stdout, /\n removed f4 gone\nsrc\/gone\.ts\n added f1 gone\n/);
  assert.match(stdout, /\n 8: gone\n/);
  write('src/gone.ts', 'export function gone() { return 1; }\n');
  const none = await impact('--server', '/nowhere/server');
  assert.match(none.stdout, /\nsrc\/gone\.ts: .*\/nowhere\/server/);
  assert.match(none.stdout, /not known to be all\n$/);
});

test('the tool of MCP: the same answers from servers that stay, and nothing of what lies outside of the roots', async (t) => {
  const { impact, cwd, edit, env, git, write } = repository(t);
  const client = await mcp(t, { cwd, env });
  const same = async (args, ...given) => {
    const { stdout, stderr } = await impact(...given);
    assert.equal(await client.call('impact', args), stdout.trimEnd() + stderr, given.join(' '));
  };
  await same({});
  edit('src/area.ts', 'width: number, ', 'width: number | string, ');
  edit('src/area.ts', 'export function gone() {}\n', '');
  await same({});
  edit('src/use.ts', 'area(3, 4)', 'area(5, 6)');
  await same({ revision: 'main' }, 'main');
  await same({ path: 'src/area.ts', line: 4 }, 'src/area.ts:4');
  await same({ path: 'src/area.ts', line: 1, column: 17, depth: 2 }, 'src/area.ts:1:17', '--depth', '2');
  git('commit', '-qam', 'second');
  await same({});
  await same({ revision: 'HEAD~' }, 'HEAD~');
  assert.match(await client.call('impact', { revision: 'HEAD~', max_tokens: 110 }), /\n# truncated: .*\n# to see more: give max_tokens, or a path and a line$/);
  for (const [args, message] of [
    [{ revision: 'nowhere' }, /^git knows no commit "nowhere"; /],
    [{ path: 'src/area.ts' }, /^a path needs a line, and a line a path; give both$/],
    [{ column: 1 }, /^a column needs a line; give both$/],
    [{ path: 'src/area.ts', line: 1, revision: 'main' }, /^both a revision and a path are given; give one of them$/],
    [{ path: 'src/area.ts', line: 99 }, /^there is no symbol at src\/area\.ts:99$/],
    [{ path: '../x.ts', line: 1 }, /is not in/],
  ]) assert.match((await client.call('impact', args)).error, message, JSON.stringify(args));
  // Settings leave symbols out of answers, not out of what is compared.
  write('.symbols.json', '{"verbosity": "minimal", "fold": "locals"}');
  write('src/api.ts', 'export const api = {\n  get() {\n    return 1;\n  },\n};\napi.get();\n');
  git('add', 'src/api.ts');
  git('commit', '-qm', 'third');
  edit('src/api.ts', 'return 1', 'return 2');
  await same({});
  assert.match(await client.call('impact'), /^# 1 symbol in 1 file, changed since HEAD\nsrc\/api\.ts\n body m2 get$/m);
  const narrow = await mcp(t, { cwd, env, args: ['--root', join(cwd, 'src')] });
  assert.match((await narrow.call('impact')).error, /^the folders that may be read hold a part of a repository only; ask about a path and a line$/);
  assert.match(await narrow.call('impact', { path: 'use.ts', line: 3 }), /^# 1 symbol in 1 file\nuse\.ts\n given f3 twice/);
});

test('what is wrong is told', async (t) => {
  const { impact } = repository(t);
  for (const [args, status, message] of [
    [['nowhere'], 1, 'git knows no commit "nowhere"; give a commit, or FILE:LINE; a shallow clone has only its last commits'],
    [['main', 'HEAD'], 2, '"HEAD" is a second revision; give one, or places: FILE:LINE'],
    [['main', 'src/area.ts:1'], 2, 'a place needs no revision and no --staged; leave them out'],
    [['src/area.ts:99'], 1, 'there is no symbol at src/area.ts:99'],
    [['--staged', '--', '--help'], 1, 'git knows no commit "--help"; give a commit, or FILE:LINE; a shallow clone has only its last commits'],
  ]) {
    const answer = await impact(...args);
    assert.deepEqual([answer.status, answer.stdout, answer.stderr.split('\n')[0]], [status, '', `symbols: ${message}`], args.join(' '));
  }
  const outside = await run(['impact'], { cwd: folder(t, {}), env: ownEnvironment(t) });
  assert.equal(outside.status, 1);
  assert.match(outside.stderr, /^symbols: git: fatal: not a git repository/);
});
