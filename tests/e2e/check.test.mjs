// `symbols check` in real repositories with real servers: the errors that are new since a commit, or since the last check.
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitRepository } from './git_repository.mjs';
import { ownEnvironment } from './language_servers.mjs';
import { mcp } from './mcp_session.mjs';
import { folder, run, sourcesFolder } from './program.mjs';

const sources = {
  'tsconfig.json': '{"compilerOptions": {"strict": true}}',
  'src/area.ts': 'export function area(width: number, height: number) {\n  return width * height;\n}\n',
  'src/twice.ts': "import { area } from './area';\nexport const twice = () => 2 * area(1, 2);\n",
  'src/use.ts': "import { twice } from './twice';\nconst known: string = 1;\nexport const sum: number = twice();\n",
  'src/apart.ts': 'export const apart: number = 1;\n',
};

/** A repository with these files in its first commit, and `check`. */
function repository(t, files = sources, options) {
  const made = gitRepository(t, files, options);
  made.env.PATH = `${join(sourcesFolder, 'node_modules/.bin')}:${process.env.PATH}`;  // pyright
  return { ...made, check: (...args) => run(['check', ...args], made) };
}

/** `line:column code` of each error of an answer, and the paths above them; the first line is the heading. */
const rows = (stdout) => stdout.trimEnd().split('\n').slice(1).map((line) => line.replace(/^ (\S+) error (?:\w+ )?(\w+): .*/, '$1 $2'));

test('an error in a file that depends on the changed one by another is new; what was there before and has moved is not', async (t) => {
  const { check, edit } = repository(t);
  assert.equal((await check()).stdout, '# 0 new errors, 0 new warnings since HEAD; looked at 0 files and 0 that may depend on them\n');
  edit('src/area.ts', 'return width * height', 'return `${width * height}`');
  edit('src/use.ts', 'const known', '\nconst known');
  const { status, stdout, stderr } = await check();
  assert.deepEqual([status, stderr], [1, '']);
  assert.equal(stdout, `# 1 new error, 0 new warnings since HEAD; looked at 2 files and 1 that may depend on them
src/twice.ts
 2:32 error ts 2363: The right-hand side of an arithmetic operation must be of type 'any', 'number', 'bigint' or an enum type.
`);
  const json = JSON.parse((await check('-f', 'json')).stdout);
  assert.deepEqual(json.new.map(({ path, line, column, severity, code }) => [path, line, column, severity, code]), [['src/twice.ts', 2, 32, 'error', '2363']]);
  assert.deepEqual([json.since, json.known, json.looked_at.sort(), json.is_whole], ['HEAD', 1, ['src/area.ts', 'src/twice.ts', 'src/use.ts'], true]);
  const lines = (await check('-f', 'ndjson')).stdout.trimEnd().split('\n').map((row) => JSON.parse(row));
  assert.deepEqual(lines, [{ list: 'new', ...json.new[0] }, { list: null, since: 'HEAD', known: 1, looked_at: lines[1].looked_at, notes: [], is_whole: true }]);
});

test('since the last check: what is new in comparison with what that has seen, whatever the commit has', async (t) => {
  const { check, edit } = repository(t);
  const first = await check('--since', 'last');
  assert.deepEqual([first.status, first.stderr], [1, 'symbols: nothing has been checked here before; leave out --since last\n']);
  edit('src/area.ts', 'width: number', 'width: string');
  assert.match((await check()).stdout, /^# 2 new errors.*\nsrc\/area\.ts\n 2:10 .*\nsrc\/twice\.ts\n 2:37 /);
  assert.match((await check('--since', 'last')).stdout, /^# 0 new errors, 0 new warnings since the last check; looked at 0 files/);
  edit('src/apart.ts', '= 1', '= true');
  assert.match((await check('--since', 'last')).stdout, /^# 1 new error, 0 new warnings since the last check; looked at 1 file and 0 that may depend on it\nsrc\/apart\.ts\n 1:14 /);
  edit('src/area.ts', 'width: string', 'width: number');
  assert.match((await check('--since', 'last')).stdout, /^# 0 new errors, 0 new warnings since the last check; looked at 1 file and 2 that may/);
  edit('src/area.ts', 'width: number', 'width: string');
  assert.match((await check('--since', 'last')).stdout, /^# 2 new errors/);
});

test('files that are new, gone or have moved; files that are given', async (t) => {
  await t.test('new, and not tracked', async (t) => {
    const { check, write } = repository(t);
    write('src/new.ts', "import { area } from './area';\nexport const text: string = area(1, 2);\n");
    assert.deepEqual(rows((await check()).stdout), ['src/new.ts', '2:14 2322']);
  });
  await t.test('ignored', async (t) => {
    const { check, write } = repository(t, { ...sources, '.gitignore': 'out/\n' });
    write('out/new.ts', 'export const text: string = 1;\n');
    write('.git/info/exclude', 'more/\n');
    write('more/new.ts', 'export const text: string = 1;\n');
    assert.match((await check()).stdout, /looked at 0 files/);
  });
  await t.test('gone', async (t) => {
    const { cwd, check } = repository(t);
    rmSync(join(cwd, 'src/area.ts'));
    const { stdout } = await check();
    assert.match(stdout, /^# 1 new error, .*; looked at 0 files and 2 that may depend on them\nsrc\/twice\.ts\n 1:22 error ts 2307: /);
  });
  await t.test('moved', async (t) => {
    const { cwd, check, git } = repository(t);
    renameSync(join(cwd, 'src/use.ts'), join(cwd, 'src/user.ts'));
    git('add', '-A');
    assert.match((await check()).stdout, /^# 0 new errors/);
    renameSync(join(cwd, 'src/area.ts'), join(cwd, 'src/size.ts'));
    git('add', '-A');
    assert.deepEqual(rows((await check()).stdout), ['src/twice.ts', '1:22 2307']);
  });
  await t.test('moved without git', async (t) => {
    const { cwd, check } = repository(t);
    renameSync(join(cwd, 'src/use.ts'), join(cwd, 'src/user.ts'));
    assert.match((await check()).stdout, /^# 0 new errors/);
  });
  await t.test('gone, of a server that looks for it on disk', async (t) => {
    const { cwd, check } = repository(t, { 'pyproject.toml': '', 'area.py': 'def area() -> int:\n    return 1\n', 'use.py': 'import area\n' });
    rmSync(join(cwd, 'area.py'));
    assert.deepEqual(rows((await check()).stdout), ['use.py', '1:8 reportMissingImports']);
  });
  await t.test('given', async (t) => {
    const { check, edit } = repository(t);
    edit('src/area.ts', 'width: number', 'width: string');
    edit('src/apart.ts', '= 1', '= true');
    assert.match((await check('src/apart.ts')).stdout, /^# 1 new error, .*; looked at 1 file and 0 that may depend on it\nsrc\/apart\.ts\n/);
    assert.match((await check('src/twice.ts')).stdout, /^# 1 new error, .*; looked at 1 file and 1 that may depend on it\nsrc\/twice\.ts\n/);
  });
});

test('what was not looked at is said, and is no success', async (t) => {
  const none = await run(['check'], { cwd: folder(t, {}), env: ownEnvironment(t) });
  assert.deepEqual([none.status, none.stdout], [1, '']);
  assert.match(none.stderr, /^symbols: git: fatal: not a git repository/);
  const { check, edit, write } = repository(t, { ...sources, 'a.kt': 'val a = 1\n' });
  write('a.kt', 'val a = 2\n');
  const lacking = await check('--no-confine');
  assert.equal(lacking.status, 1);
  assert.match(lacking.stdout, /^# 0 new errors, 0 new warnings since HEAD, not known to be all; looked at 1 file/);
  assert.match(lacking.stderr, /^symbols: note: a\.kt: cannot find the server /);
  edit('tsconfig.json', 'true', 'false');
  assert.match((await check()).stderr, /^symbols: note: tsconfig\.json has changed, which may change the errors of any file\n/);
  assert.match((await check('--since', 'nothing')).stderr, /^symbols: git knows no commit "nothing"/);
  assert.equal((await check('src/none.ts')).status, 1);
  assert.match((await check('src')).stderr, /^symbols: src is a folder; give files, or none: what has changed\n/);
  assert.match((await check(join(folder(t, { 'x.ts': '' }), 'x.ts'))).stderr, /x\.ts is not in the work tree /);
});

const languages = [
  ['C++', {
    'area.h': 'inline int area(int width, int height) { return height; }\n', 'compile_flags.txt': '-xc++\n',
    'use.cc': '#include "area.h"\nint known = "";\nint use() { return area(1, 2); }\n',
  }, ['area.h', 'int width, ', ''], ['use.cc', '3:20 ovl_no_viable_function_in_call']],
  ['Python', {
    'pyproject.toml': '', 'shapes/__init__.py': 'from .area import area\n', 'shapes/area.py': 'def area(width: int, height: int) -> int:\n    return width * height\n',
    'use.py': 'import shapes\n\nknown: str = 1\n\n\ndef use() -> int:\n    return shapes.area(1, 2)\n',
  }, ['shapes/area.py', '-> int:\n    return ', '-> str:\n    return "a" * '], ['use.py', '7:12 reportReturnType']],
  ['Go', {
    'go.mod': 'module example.com/shapes\n\ngo 1.19\n', 'area/area.go': 'package area\n\nfunc Area(width, height int) int {\n\treturn width * height\n}\n',
    'use/use.go': 'package use\n\nimport "example.com/shapes/area"\n\nvar known string = 1\n\nfunc Use() int {\n\treturn area.Area(1, 2)\n}\n',
  }, ['area/area.go', 'height int', 'height string'], ['area/area.go', '4:9 UndefinedOp', 'use/use.go', '8:19 IncompatibleAssign', '8:22 IncompatibleAssign']],
];
for (const [name, files, change, expected] of languages) {
  test(`${name}: a change in one file, the error in another`, async (t) => {
    const { check, edit } = repository(t, files);
    edit(...change);
    const { stdout, stderr } = await check();
    assert.deepEqual(rows(stdout), expected, stdout + stderr);
    assert.match((await check('--since', 'last')).stdout, /^# 0 new errors/);
  });
}

test('MCP: diagnostics since a commit or the last call, as the command prints them', async (t) => {
  const { cwd, env, check, edit } = repository(t);
  edit('src/area.ts', 'return width * height', 'return `${width * height}`');
  const { stdout } = await check();
  const client = await mcp(t, { cwd, env });
  assert.equal(await client.call('diagnostics', { since: 'HEAD' }), stdout.trimEnd());
  assert.match(await client.call('diagnostics', { since: 'last' }), /^# 0 new errors, 0 new warnings since the last check/);
  edit('src/apart.ts', '= 1', '= true');
  assert.match(await client.call('diagnostics', { since: 'last' }), /^# 1 new error/);
  assert.match(await client.call('diagnostics', { since: 'HEAD', paths: ['src/apart.ts'] }), /^# 1 new error, .*; looked at 1 file/);
  assert.match((await client.call('diagnostics')).error, /^neither paths nor a revision are given; /);
  assert.match((await client.call('diagnostics', { since: 'nowhere' })).error, /^git knows no commit "nowhere"/);
});
