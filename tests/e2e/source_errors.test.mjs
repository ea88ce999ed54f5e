// C++ whose headers are not found: every way to ask says so, once, and no way says it where there is nothing wrong.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languageServers, ownEnvironment } from './language_servers.mjs';
import { mcp } from './mcp_session.mjs';
import { folder, isInstalled, run, sourcesFolder, symbolsPath } from './program.mjs';
import { openInServer } from './plain_client.mjs';

const wrong = '#include "missing/slice.h"\nStatus Free(Slice s) { return Status(); }\nint area(int x) { return x; }\n';
const right = 'int width() { return 1; }\n';
const errors = String.raw`4 errors, so types and symbols may be wrong; the first, in line 1: 'missing/slice\.h' file not found; .*cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make`;

const project = (t, files) => ({ cwd: folder(t, { '.git/HEAD': '', ...files }), env: ownEnvironment(t) });

const indexed = `note: 2 of 3 files have errors, such as also_wrong\\.cc: ${errors}`;
const asked = {
  'a file': [['wrong.cc'], `note: wrong\\.cc: ${errors}`],
  'a file that has nothing wrong': [['right.cc'], ''],
  'two files': [['right.cc', 'wrong.cc'], `note: wrong\\.cc: ${errors}`],
  'a folder': [['--no-hover', '.'], `note: 2 of 3 files have errors, such as \\./also_wrong\\.cc: ${errors}`],
  'one symbol': [['context', 'wrong.cc', 'area'], `note: wrong\\.cc: ${errors}`],
  'an index': [['index'], indexed],
  'the same index again': [['index'], indexed],
  'rows from it': [['--from-index', '--no-hover', '.'], `note: 2 of 3 files have errors, such as \\./also_wrong\\.cc: ${errors}`],
  'a map of it': [['map'], indexed],
  'a name that it has': [['find', 'area'], ''],
};
test('the command: one line on standard error, and the same answer', async (t) => {
  const { cwd, env } = project(t, { 'wrong.cc': wrong, 'also_wrong.cc': wrong, 'right.cc': right });
  for (const [what, [args, note]] of Object.entries(asked)) {
    const { status, stdout, stderr } = await run(args, { cwd, env });
    assert.match(stderr, new RegExp(`^${note && `symbols: ${note}\n`}$`), what);
    assert.equal(status, 0, what);
    assert.doesNotMatch(stdout, /may be wrong/, what);
  }
  for (const args of [['find', 'Zebra'], ['context', 'Zebra']]) {
    const { status, stderr } = await run(args, { cwd, env });
    assert.match(stderr, new RegExp(`^symbols: ${indexed}$`, 'm'), `a name that it lacks: ${args[0]}`);
    assert.equal(status, 1);
  }
  rmSync(join(cwd, 'also_wrong.cc'));
  writeFileSync(join(cwd, 'wrong.cc'), right);
  assert.equal((await run(['index'], { cwd, env })).stderr, '');
});

// clang goes on with `int` for a type that it does not know; the source has the truth.
test('signatures of what has an error in it are as the source has them', async (t) => {
  const { cwd, env } = project(t, { 'wrong.cc': wrong });
  const asked = {
    'hovers': [['wrong.cc'], /^Free \| 12 .*\| Status Free\(Slice s\) \| <<<$/m],
    'details': [['--format', 'tree', '--verbosity', 'signatures', 'wrong.cc'], /^f2 Free\(Slice s\) -> Status; area\(int\) -> int$/m],
    'fields': [['--fields', 'name,detail,signature', 'wrong.cc'], /^Free \| Status \(Slice s\) \| Status Free\(Slice s\)$/m],
    'a symbol': [['context', 'wrong.cc', 'Free'], /Free:-\tStatus Free\(Slice s\)$/m],
  };
  for (const [what, [args, signature]] of Object.entries(asked)) {
    const { stdout } = await run(args, { cwd, env });
    assert.match(stdout, signature, what);
    assert.doesNotMatch(stdout, /int Free|Free\(int|Free.*int \(int\)/, what);
  }
});

test('a kept answer of --warm says it again, and no more once the header is there', async (t) => {
  const { cwd, env } = project(t, { 'wrong.cc': wrong });
  const ask = () => run(['--warm', 'wrong.cc'], { cwd, env });
  t.after(() => run(['warm', '--stop'], { env }));
  const first = await ask();
  assert.match(first.stderr, new RegExp(`^symbols: note: wrong\\.cc: ${errors}\n$`));
  assert.deepEqual(await ask(), first);
  mkdirSync(join(cwd, 'missing'));
  writeFileSync(join(cwd, 'missing/slice.h'), 'struct Status {};\nstruct Slice {};\n');
  const right = await ask();
  assert.equal(right.stderr, '');
  assert.match(right.stdout, /Status Free\(Slice s\)/);
});

test('MCP: behind the answer', async (t) => {
  const { cwd, env } = project(t, { 'wrong.cc': wrong, 'right.cc': right });
  const client = await mcp(t, { cwd, env });
  assert.match(await client.call('outline', { paths: ['wrong.cc'] }), new RegExp(`\nnote: .*wrong\\.cc: ${errors}$`));
  assert.doesNotMatch(await client.call('outline', { paths: ['right.cc'] }), /may be wrong/);
  assert.match(await client.call('find', { query: 'area' }), new RegExp(`area[^]*wrong\\.cc: ${errors}`));
});

test('the proxy: in meta', async (t) => {
  const { command, args } = languageServers.clangd;
  const { cwd, env } = project(t, { 'wrong.cc': wrong, 'right.cc': right });
  Object.assign(process.env, env);
  for (const [file, meta] of [['wrong.cc', new RegExp(`^${errors}$`)], ['right.cc', /^undefined$/]]) {
    const server = await openInServer(symbolsPath, ['proxy', '--', command, ...args], join(cwd, file), 'cpp');
    const document = { textDocument: { uri: server.uri } };
    const symbols = await server.request('textDocument/documentSymbol', document);
    assert.match(String(symbols.result.meta?.source_errors), meta);
    const name = file === 'wrong.cc' ? 'area' : 'width';
    if (file === 'wrong.cc') {
      const hover = await server.request('textDocument/hover', { ...document, position: { line: 1, character: 8 } });
      assert.match(hover.result.contents.value, /\| Status Free\(Slice s\) \|/);
      assert.match(symbols.result.symbols, /\| Status Free\(Slice s\) \|/);
    }
    const context = await server.request('workspace/executeCommand', { command: 'symbols.context', arguments: [{ ...document, name }] });
    assert.match(String(context.result.meta?.source_errors), meta);
    await server.finish();
  }
});

// What a project requires is not installed: the server that says so is heard, whatever its language.
const packages = {
  'TypeScript 7': {
    files: { 'package.json': '{"dependencies":{"zod":"^3"}}', 'tsconfig.json': '{}', 'a.ts': "import { z } from 'zod';\nimport { b } from './b';\nexport const shape = z.object({});\n", 'c.ts': 'export const c = 1;\n' },
    asked: [['a.ts'], ['.'], ['context', 'a.ts', 'shape']],
    note: /^symbols: note: (\.\/)?a\.ts: 1 error, .* in line 1: Cannot find module 'zod' [^;]*; install the project's packages: npm install/m,
  },
  pyright: {
    server: ['--server', `${join(sourcesFolder, 'node_modules/.bin/pyright-langserver')} --stdio`],
    files: { 'pyrightconfig.json': '{}', 'a.py': 'import no_such_package\nfrom .b import c\ndef shape(x: no_such_package.X): return x\n' },
    asked: [['context', 'a.py', 'shape']],
    note: /^symbols: note: a\.py: 1 error, .* in line 1: Import \\?"no_such_package\\?" could not be resolved; .*pyrightconfig\.json/m,
  },
  gopls: {
    skip: !['gopls', 'go'].every(isInstalled) && 'it needs gopls and go',
    files: { 'go.mod': 'module example.com/m\n\ngo 1.19\n\nrequire example.com/x v1.0.0\n', 'a.go': 'package m\n\nimport "example.com/x"\n\nfunc Shape(s *x.T) *x.T { return s }\n' },
    asked: [['context', 'a.go', 'Shape']],
    // gopls reports the workspace first, and the errors of the file some time later.
    note: /^symbols: note: a\.go: (1 error, .* in line 3: could not import example\.com\/x .*; fetch the project's modules: go mod download|Error loading workspace: .* go mod download example\.com\/x; types and symbols may be wrong)$/m,
  },
};
for (const [name, { server = [], skip = false, files, asked, note }] of Object.entries(packages)) {
  test(`packages that are not installed: ${name}`, { skip }, async (t) => {
    const { cwd, env } = project(t, files);
    for (const args of asked) {
      const { status, stderr } = await run([...args, ...server], { cwd, env });
      assert.match(stderr, note, args.join(' '));
      assert.equal(stderr.match(/may be wrong/g).length, 1, args.join(' '));
      assert.doesNotMatch(stderr, /still loading/, args.join(' '));
      assert.equal(status, 0);
    }
  });
}
