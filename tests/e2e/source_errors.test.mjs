// C++ whose headers are not found: every way to ask says so, once, and no way says it where there is nothing wrong.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languageServers, serverSettings } from './language_servers.mjs';
import { mcp } from './mcp_session.mjs';
import { folder, run, symbolsPath } from './program.mjs';
import { openInServer } from './plain_client.mjs';

const wrong = '#include "missing/slice.h"\nStatus Free(Slice s) { return Status(); }\nint area(int x) { return x; }\n';
const right = 'int width() { return 1; }\n';
const errors = String.raw`4 errors, so types and symbols may be wrong; the first, in line 1: 'missing/slice\.h' file not found; .*cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make`;

/** A project with these files, and an environment with a cache of its own. */
function project(t, files) {
  const home = folder(t, Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [`config/${name}`, text])));
  return { cwd: folder(t, { '.git/HEAD': '', ...files }), env: { XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config') } };
}

const asked = {
  'a file': [['wrong.cc'], `note: wrong\\.cc: ${errors}`],
  'a file that has nothing wrong': [['right.cc'], ''],
  'two files': [['right.cc', 'wrong.cc'], `note: wrong\\.cc: ${errors}`],
  'a folder': [['--no-hover', '.'], `note: 2 of 3 files have errors, such as \\./also_wrong\\.cc: ${errors}`],
  'one symbol': [['context', 'wrong.cc', 'area'], `note: wrong\\.cc: ${errors}`],
  'an index': [['index'], `note: 2 of 3 files have errors, such as \\S*/also_wrong\\.cc: ${errors}`],
  'the same index again': [['index'], ''],
};
test('the command: one line on standard error, and the same answer', async (t) => {
  const { cwd, env } = project(t, { 'wrong.cc': wrong, 'also_wrong.cc': wrong, 'right.cc': right });
  for (const [what, [args, note]] of Object.entries(asked)) {
    const { status, stdout, stderr } = await run(args, { cwd, env });
    assert.match(stderr, new RegExp(`^${note && `symbols: ${note}\n`}$`), what);
    assert.equal(status, 0, what);
    assert.doesNotMatch(stdout, /may be wrong/, what);
  }
});

test('a kept answer of --warm says it again, and no more once the header is there', async (t) => {
  const { cwd, env } = project(t, { 'wrong.cc': wrong });
  const runtime = folder(t, {});
  const ask = () => run(['--warm', 'wrong.cc'], { cwd, env: { ...env, XDG_RUNTIME_DIR: runtime } });
  t.after(() => run(['warm', '--stop'], { env: { ...env, XDG_RUNTIME_DIR: runtime } }));
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
    const context = await server.request('workspace/executeCommand', { command: 'symbols.context', arguments: [{ ...document, name }] });
    assert.match(String(context.result.meta?.source_errors), meta);
    await server.finish();
  }
});
