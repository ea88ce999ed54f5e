// What the program says of itself and of a wrong command line.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeServer, fixture, folder, project, quoted, run, scripted, scriptedServers, start, symbolsPath } from './program.mjs';

test('--help shows the uses with examples, --version the version', async () => {
  const help = await run(['--help']);
  assert.deepEqual([help.status, help.stderr], [0, '']);
  for (const words of ['Usage: symbols [OPTIONS] PATH...', 'Examples:', '--children', '--trust-project', 'servers']) {
    assert.ok(help.stdout.includes(words), words);
  }
  const version = await run(['--version']);
  const { 1: expected } = /project\(symbols VERSION (\S+)/.exec(readFileSync(join(project, 'CMakeLists.txt'), 'utf8'));
  assert.deepEqual([version.status, version.stdout], [0, `symbols ${expected}\n`]);
});

test('symbols FILE:LINE[:COLUMN] is the context of the symbol there; a file of such a name, or called help, is a file', async (t) => {
  const text = readFileSync(fixture('geometry.ts'), 'utf8');
  const cwd = folder(t, { 'a.ts': text, 'b.ts:2': 'const other = 1;\n', help: 'const help = 1;\n' });
  for (const place of ['a.ts:23', 'a.ts:23:17']) {
    const [short, long] = await Promise.all([run([place, '-n', '500'], { cwd }), run(['context', place, '-n', '500'], { cwd })]);
    assert.deepEqual([long.status, long.stderr], [0, '']);
    assert.match(long.stdout, /^f23-26 calculateArea/m);
    assert.deepEqual(short, long);
  }
  for (const [file, row] of [['b.ts:2', /^other \| /m], ['help', /^help \| /m]])
    assert.match((await run(['-H', '-l', 'typescript', file], { cwd })).stdout, row);
});

test('wrong whatever the file: the status, the reason and where help is, no escapes (tests/proxy/cli has all reasons)', async (t) => {
  const cwd = folder(t, { 'a.ts': 'const a = 1;\n', nul: 'a.ts\nb\0c\n' });
  const fake = ['--server', fakeServer('plain'), '--language', 'x'];
  for (const [args, status, says] of [
    [['--color', '\x1b[31m', 'a.ts'], 2, /^symbols: --color cannot be "\\x1B\[31m"; give auto, always or never\nTry 'symbols --help'\.\n$/],
    [['proxy', '--carier', 'symbol', '--', 'clangd'], 2, /^symbols: proxy has no option .*\nTry 'symbols proxy --help'\.\n$/],
    [['--root'], 2, /^symbols: .*--root/],
    [['--server', "'open", '--language', 'x', 'a.ts'], 2, /' is not closed/],
    [['--root', '/nonexistent', 'a.ts'], 2, /\/nonexistent/],
    [['--language', 'nonsense', 'a.ts'], 2, /nonsense/],
    [['--log', 'no/such/folder/log', ...fake, 'a.ts'], 1, /cannot write the log/],
    [['proxy', '--log', 'no/such/folder/log', '--', 'sh', '-c', 'echo started >&2'], 2, /^symbols: cannot write the log [^\n]*\n$/],
    ...['0/3', '5/0', '/', 'a/b', '5/3/1', '-1/3', '1001/3'].map((limit) =>
      [['proxy', '--restart', `--restart-limit=${limit}`, '--', 'true'], 2, /^symbols: --restart-limit cannot be ".*"; give 1 to 1000 restarts and 1 to 1440 minutes/]),
    [['--shard', '9/8', 'a.ts'], 2, /^symbols: --shard cannot be "9\/8".*1\/8 for the first of 8 shards/s],
    [['--files-from', 'nul'], 2, /^symbols: --files-from: nul: line 2 has a NUL byte.*--null/s],
    [['--files-from', 'none'], 2, /^symbols: --files-from: cannot read none: No such file/],
  ]) {
    const answer = await run(args, { cwd });
    assert.deepEqual([answer.status, answer.stdout], [status, ''], answer.stderr);
    assert.match(answer.stderr, says);
  }
});

test('symbols servers: what is found, its version, how to get the others', async () => {
  const { status, stdout, stderr } = await run(['servers']);
  assert.equal(status, 0, stderr);
  for (const listed of [/clangd\s/, /typescript\s.*7\.0/, /typescript-language-server\s.*4\.\d/, /rust-analyzer/]) assert.match(stdout, listed);
});

test("a user's servers.json adds servers; one in the project is not read", async (t) => {
  const entry = (name) => scriptedServers('plain', { name, languages: [{ id: 'odd', extensions: ['.odd'] }] })['symbols/servers.json'];
  const config = folder(t, { 'symbols/servers.json': entry('odd-server') });
  const cwd = folder(t, { 'a.odd': 'alpha\n', 'servers.json': entry('evil'), 'symbols/servers.json': entry('evil'), '.config/symbols/servers.json': entry('evil') });
  const broken = folder(t, { 'symbols/servers.json': '{"servers": [\n  {"name": 5}]}' });
  for (const [env, status, says] of [
    [{ XDG_CONFIG_HOME: config }, 0, /^$/],
    [{ XDG_CONFIG_HOME: '.' }, 1, /a\.odd/],
    [{ XDG_CONFIG_HOME: '', HOME: '.' }, 1, /a\.odd/],
    [{ XDG_CONFIG_HOME: broken }, 2, /servers\.json.*name/s],
  ]) {
    const answer = await run(['--no-hover', 'a.odd'], { cwd, env });
    assert.deepEqual([answer.status, /^alpha \| 12/m.test(answer.stdout)], [status, status === 0], answer.stderr);
    assert.match(answer.stderr, says);
  }
});

test('a table on a terminal: a progress line that leaves no trace, a coloured header (terminal.test.mjs has NO_COLOR and TERM)', async (t) => {
  const cwd = folder(t, { 'a.txt': 'alpha\n' });
  const go = join(cwd, 'go');
  const command = quoted([symbolsPath, '--language', 'x', '--no-hover', '--format', 'table', 'a.txt', ...scripted('busy-until', go)]);
  const child = start(['-qec', command, '/dev/null'], { cwd, program: 'script', env: { TERM: 'xterm', NO_COLOR: '' } });
  child.stdout.on('data', (text) => text.includes('indexing') && writeFileSync(go, ''));
  const { stdout } = await child.finished;
  assert.match(stdout, /\rsymbols: 0 of 1 files answered; node: indexing: \d+ of 10\x1b\[K/);
  assert.match(stdout, /\r\x1b\[K\x1b\[1mNAME \| KIND \| RANGE \| SELECTION \| PARENT\x1b\[0m\r\nalpha \| 12 \| 0:0-5 \| 0:0-5 \| \r\n$/);
});

test('the table in docs/spec.md has the options of answers, with their letters', async () => {
  const flagsOf = async (...command) => new Map([...(await run([...command, '--help'])).stdout.matchAll(/^ {2}(?:-(\w),| {3})--([a-z-]+)/gm)].map(([, letter, name]) => [name, letter]));
  const [ofCommand, ofProxy] = await Promise.all([flagsOf(), flagsOf('proxy')]);
  const table = readFileSync(join(project, 'docs/spec.md'), 'utf8').split('## 4. Options')[1].split('## 5. ')[0];
  const described = new Set();
  for (const row of table.match(/^\| `.*$/gm)) {
    const [, names, flags] = row.split('|');
    for (const [, letter, name] of flags.matchAll(/(?:`-(\w)` )?`--([a-z-]+)`/g)) {
      assert.deepEqual([ofCommand.has(name) || ofProxy.has(name), ofCommand.get(name) ?? ofProxy.get(name)], [true, letter], row);
      assert.ok(names.includes(`\`${name.replace(/^no-/, '').replaceAll('-', '_')}\``), row);
      described.add(name);
    }
  }
  const others = ['help', 'log', 'confine', 'no-confine'];
  assert.deepEqual([...ofCommand.keys()].filter((name) => ofProxy.has(name) && !others.includes(name) && !described.has(name)), []);
});
