// What the program says of itself and of a wrong command line.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeServer, fixture, folder, project, run, scripted, start, symbolsPath } from './program.mjs';

test('--help shows the uses with examples, --version the version', async () => {
  const help = await run(['--help']);
  assert.equal(help.status, 0);
  assert.equal(help.stderr, '');
  for (const words of ['Usage: symbols [OPTIONS] PATH...', 'Examples:', '--children', '--trust-project', 'servers']) {
    assert.ok(help.stdout.includes(words), words);
  }
  const version = await run(['--version']);
  const { 1: expected } = /project\(symbols VERSION (\S+)/.exec(readFileSync(join(project, 'CMakeLists.txt'), 'utf8'));
  assert.deepEqual([version.status, version.stdout], [0, `symbols ${expected}\n`]);
});

test('symbols help [COMMAND] is --help; a file of that name is a file', async (t) => {
  assert.equal((await run(['help'])).stdout, (await run(['--help'])).stdout);
  assert.equal((await run(['help', 'find'])).stdout, (await run(['find', '--help'])).stdout);
  const cwd = folder(t, { help: 'const help = 1;\n' });
  assert.match((await run(['-H', '-l', 'typescript', 'help'], { cwd })).stdout, /^help \| /m);
  assert.match((await run(['help', '-l', 'typescript'], { cwd })).stdout, /^help \| /m);
});

test('short options do what the long ones do; -- ends the options', async (t) => {
  const cwd = folder(t, { '--a.ts': readFileSync(fixture('geometry.ts'), 'utf8') });
  const long = await run(['--format', 'tree', '--no-hover', '--kind', 'Class', '--match', 'le$', '--max-tokens', '900', '--children', 'no', '--', '--a.ts'], { cwd });
  const short = await run(['-ftree', '-H', '-k', 'Class', '-m', 'le$', '-n', '900', '-c', 'no', '--', '--a.ts'], { cwd });
  assert.deepEqual([long.status, long.stderr], [0, '']);
  assert.match(long.stdout, /^c28-44 Rectangle|^c28/m);
  assert.deepEqual(short, long);
  const context = await run(['context', '-H', '-c', 'no', '--', '--a.ts', 'Rectangle'], { cwd });
  assert.deepEqual([context.status, context.stderr], [0, '']);
});

test('symbols FILE:LINE[:COLUMN] is the context of the symbol there', async (t) => {
  const text = readFileSync(fixture('geometry.ts'), 'utf8');
  const cwd = folder(t, { 'a.ts': text, 'b.ts:2': 'const other = 1;\n' });
  for (const place of ['a.ts:23', 'a.ts:23:17']) {
    const [short, long] = await Promise.all([run([place, '-n', '500'], { cwd }), run(['context', place, '-n', '500'], { cwd })]);
    assert.deepEqual([long.status, long.stderr], [0, '']);
    assert.match(long.stdout, /^f23-26 calculateArea/m);
    assert.deepEqual(short, long);
  }
  const input = await run(['-l', 'typescript', '-:23'], { cwd, input: text });
  assert.equal(input.status, 0, input.stderr);
  assert.match(input.stdout, /^f23-26 calculateArea/m);
  // A file of such a name is a file.
  const file = await run(['-H', '-l', 'typescript', 'b.ts:2'], { cwd });
  assert.match(file.stdout, /^other \| /m, file.stderr);
  const table = await run(['-f', 'table', 'a.ts:23'], { cwd });
  assert.match(table.stdout, /^calculateArea \| 12/m, table.stderr);
  const counts = await run(['--verbosity', 'counts', 'a.ts:23'], { cwd });
  assert.deepEqual([counts.status, counts.stdout], [2, '']);
  assert.match(counts.stderr, /context has no option "--verbosity"/);
  const missing = await run(['none.ts:23'], { cwd });
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /cannot read none\.ts: /);
});

test('context --help tells what holds for a context', async () => {
  const { stdout } = await run(['context', '--help']);
  const help = stdout.replace(/\s+/g, ' ');
  for (const words of [
    'drops the hovers of the children first, then children, source, references, callers, diagnostics; last the symbol\'s own hover',
    'Include the hovers of the symbol and its children (default)', 'default 200 for the children, 0 for the symbol',
    'children:100,source:40,references:10,callers:5,diagnostics:5', 'a number: that many levels; default 1 (its children)',
  ]) assert.ok(help.includes(words), words);
  for (const words of ['then rows', "in 'detail'"]) assert.ok(!help.includes(words), words);
});

test('a wrong command line: status 2, the reason and where help is, no escapes (tests/proxy/cli has all reasons)', async () => {
  for (const [args, says] of [
    [[], "no file given\nTry 'symbols --help'.\n"],
    [['--color', '\x1b[31m', 'a.ts'], "--color cannot be \"\\x1B[31m\"; give auto, always or never\nTry 'symbols --help'.\n"],
    [['proxy', '--carier', 'symbol', '--', 'clangd'], "proxy has no option \"--carier\"; did you mean --carrier? Options of the server go after -- and its name\nTry 'symbols proxy --help'.\n"],
  ]) assert.deepEqual(await run(args).then(({ status, stdout, stderr }) => [status, stdout, stderr]), [2, '', `symbols: ${says}`]);
  const missing = await run(['--root']);
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /^symbols: .*--root/);
});

const meaningless = [
  { args: ['--server', "'open", '--language', 'x'], says: "' is not closed" },
  { args: ['--root', '/nonexistent'], says: '/nonexistent' },
  { args: ['--language', 'nonsense'], says: 'nonsense' },
];
for (const { args, says } of meaningless) {
  test(`wrong whatever the file: symbols ${JSON.stringify(args)}`, async (t) => {
    const cwd = folder(t, { 'a.ts': 'const a = 1;\n' });
    const { status, stdout, stderr } = await run([...args, 'a.ts'], { cwd });
    assert.equal(status, 2, stderr);
    assert.equal(stdout, '');
    assert.ok(stderr.includes(says), stderr);
  });
}

test('wrong --log', async (t) => {
  const cwd = folder(t, { 'a.txt': 'x\n' });
  const log = await run(['--log', 'no/such/folder/log', '--server', fakeServer('plain'), '--language', 'x', 'a.txt'], { cwd });
  assert.equal(log.status, 1);
  assert.match(log.stderr, /cannot write the log/);
});

test('symbols servers: what is found, its version, how to get the others', async () => {
  const versions = [/clangd\s.*19\.\d/, /typescript\s.*7\.0/, /typescript-language-server\s.*4\.\d/];
  let listed;
  // A server that takes too long to say its version, as on a machine busy with other tests, is listed without it.
  for (let i = 0; i < 5; ++i) {
    listed = await run(['servers']);
    if (versions.every((version) => version.test(listed.stdout))) break;
  }
  const { status, stdout, stderr } = listed;
  assert.equal(status, 0, stderr);
  for (const version of versions) assert.match(stdout, version);
  assert.match(stdout, /rust-analyzer/);
});

test("a user's servers.json adds servers; one in the project is not read", async (t) => {
  const entry = (name) => JSON.stringify({
    servers: [{ name, command: [process.execPath, join(project, 'tests/e2e/fake_server.mjs'), 'plain'],
      languages: [{ id: 'odd', extensions: ['.odd'] }] }],
  });
  const home = folder(t, { 'symbols/servers.json': entry('odd-server') });
  const cwd = folder(t, { 'a.odd': 'alpha\n', 'servers.json': entry('evil'), 'symbols/servers.json': entry('evil'), '.config/symbols/servers.json': entry('evil') });
  const own = await run(['--no-hover', 'a.odd'], { cwd, env: { XDG_CONFIG_HOME: home } });
  assert.deepEqual([own.status, own.stderr], [0, '']);
  assert.match(own.stdout, /^alpha \| 12/m);
  for (const env of [{ XDG_CONFIG_HOME: '.' }, { XDG_CONFIG_HOME: '', HOME: '.' }, { XDG_CONFIG_HOME: 'symbols' }]) {
    const none = await run(['a.odd'], { cwd, env });
    assert.equal(none.status, 1);
    assert.match(none.stderr, /a\.odd/);
  }
  const broken = folder(t, { 'symbols/servers.json': '{"servers": [\n  {"name": 5}]}' });
  const { status, stderr } = await run(['a.odd'], { cwd, env: { XDG_CONFIG_HOME: broken } });
  assert.equal(status, 2);
  assert.match(stderr, /servers\.json.*name/s);
});

test('nothing is coloured that is no terminal', async () => {
  const { stdout, stderr } = await run([fixture('geometry.ts'), '/nonexistent'], { env: { TERM: 'xterm' } });
  assert.doesNotMatch(stdout + stderr, /\x1b/);
});

test('a table on a terminal: a progress line that leaves no trace, a coloured header, neither with NO_COLOR or TERM=dumb', async (t) => {
  const cwd = folder(t, { 'a.txt': 'alpha\n' });
  const go = join(cwd, 'go');
  const command = [symbolsPath, '--language', 'x', '--no-hover', '--format', 'table', 'a.txt', ...scripted('busy-until', go)]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const onTerminal = async (env) => {
    const child = start(['-qec', command, '/dev/null'], { cwd, program: 'script', env: { TERM: 'xterm', NO_COLOR: '', ...env } });
    child.stdout.on('data', (text) => text.includes('indexing') && writeFileSync(go, ''));
    return (await child.finished).stdout;
  };
  const shown = await onTerminal({});
  rmSync(go);
  assert.match(shown, /\rsymbols: 0 of 1 files answered; node: indexing: \d+ of 10\x1b\[K/);
  assert.match(shown, /\r\x1b\[K\x1b\[1mNAME \| KIND \| RANGE \| SELECTION \| PARENT\x1b\[0m\r\nalpha \| 12 \| 0:0-5 \| 0:0-5 \| \r\n$/);
  assert.match(await onTerminal({ NO_COLOR: '1' }), /\r\x1b\[KNAME \| KIND/);
  assert.match(await onTerminal({ TERM: 'dumb' }), /^NAME \| KIND/);
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
