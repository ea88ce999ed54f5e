// What people see at a terminal, what settings change in it, and that a pipe gets the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeServer, folder, folderWith, quoted, run, symbolsPath } from './program.mjs';

const bare = { TERM: 'xterm', NO_COLOR: '', COLUMNS: '', SYMBOLS_FORMAT: '', SYMBOLS_COLOR: '' };

/** What the program writes to a terminal of so many columns, with both standard streams on it; lines end in \n. */
async function onTerminal(args, { cwd, env, columns = 80 }) {
  const command = `stty cols ${columns}; exec ${quoted([symbolsPath, ...args])}`;
  const { stdout, status } = await run(['-qec', command, '/dev/null'], { cwd, program: 'script', env: { ...bare, ...env } });
  // The progress line is there and gone.
  return { status, text: stdout.replaceAll('\r\n', '\n').replace(/(\rsymbols: [^\r\n]*\x1b\[K)*\r\x1b\[K/g, '') };
}
const inPipe = (args, { cwd, env }) => run(args, { cwd, env: { ...bare, ...env } });

const width = (line) => [...line.replace(/\x1b\[[0-9;]*m/g, '')].length;
const plain = (text) => text.replace(/\x1b\[[0-9;]*m/g, '');

test('a terminal shows aligned columns in colour, cut to its width: TypeScript', async (t) => {
  const cwd = folderWith(t, 'geometry.ts');
  for (const columns of [40, 80, 200]) {
    const { status, text } = await onTerminal(['geometry.ts'], { cwd, columns });
    assert.equal(status, 0, text);
    const lines = text.split('\n').slice(0, -1);
    assert.equal(lines.length, 23, text);
    assert.ok(lines.every((line) => width(line) <= columns), text);
    assert.match(lines[0], /^ \x1b\[32m4-6\x1b\[0m {3}\x1b\[33mInterface\x1b\[0m {4}Named/);
  }
  const at80 = plain((await onTerminal(['geometry.ts'], { cwd })).text);
  assert.match(at80, /^23-26 {2}Function {5}calculateArea \+1 {7}function calculateArea\(width: number…$/m);
  assert.match(at80, /^28-44 {2}Class {8}Rectangle\n29 {5}Property {7}name {17}name: "rectangle"$/m);
  assert.doesNotMatch(plain((await onTerminal(['geometry.ts'], { cwd, columns: 40 })).text), /function calc/);
  assert.match(plain((await onTerminal(['geometry.ts'], { cwd, columns: 200 })).text), /calculateArea\(width: number, height: number\): number - Calculates.*…$/m);
  const { stdout } = await inPipe(['--format', 'pretty', '--fold', 'no', 'geometry.ts'], { cwd });
  assert.match(stdout, /^24 {5}Variable {7}area {2,}const area: number$/m);
});

test('several files stream with a heading each, columns as wide as each needs: clangd and TypeScript', async (t) => {
  const cwd = folderWith(t, 'geometry.cpp', 'geometry.ts');
  const { status, text } = await onTerminal(['--no-hover', '--children', 'no', 'geometry.cpp', 'geometry.ts'], { cwd });
  assert.equal(status, 0, text);
  assert.match(text, /^\x1b\[1m==> geometry\.cpp <==\x1b\[0m\n/);
  assert.equal(plain(text), `==> geometry.cpp <==
 2-32  Namespace  geometry +4
34-37  Function   main

==> geometry.ts <==
 4-6   Interface  Named +1
 8-11  Enum       Unit +2
13     Variable   DEFAULT_UNIT
15     Class      Shape
23-26  Function   calculateArea +1
28-44  Class      Rectangle +7
46-55  Class      Circle +5
58-60  Function   totalArea +1
`);
});

const asking = (...args) => ['--language', 'x', '--no-hover', '--server', fakeServer('plain'), ...args, 'a.txt'];
const view = /^\x1b\[32m1\x1b\[0m {2}\x1b\[35mFunction\x1b\[0m {2}alpha\n$/;
const viewWithoutColour = '1  Function  alpha\n';
const table = 'NAME | KIND | RANGE | SELECTION | PARENT\nalpha | 12 | 0:0-5 | 0:0-5 | \n';
const tree = /^f1 alpha:0-5\S*\n$/;

test('which format, in a pipe and at a terminal (config.test.mjs has what counts before what)', async (t) => {
  const cwd = folder(t, { 'a.txt': 'alpha\n' });
  const config = folder(t, { 'symbols/config.json': '{"format": "outline", "color": null}' });
  const cases = [
    { env: {}, pipe: table, terminal: view },
    { args: ['--format', 'table'], env: {}, pipe: table, terminal: `\x1b[1m${table.replace('\n', '\x1b[0m\n')}` },
    { args: ['--format', 'pretty'], env: {}, pipe: viewWithoutColour, terminal: view },
    { env: { SYMBOLS_FORMAT: 'pretty' }, pipe: viewWithoutColour, terminal: view },
    { env: { XDG_CONFIG_HOME: config }, pipe: '[L1] (f) alpha\n', terminal: '[L1] (f) alpha\n' },
    { env: { XDG_CONFIG_HOME: '', HOME: folder(t, { '.config/symbols/config.json': '{"format":"tree"}' }) }, pipe: tree, terminal: tree },
    { env: { TERM: 'dumb' }, terminal: viewWithoutColour },
  ];
  const check = (actual, expected) => (typeof expected === 'string' ? assert.equal(actual, expected) : assert.match(actual, expected));
  for (const { args = [], env, pipe, terminal } of cases) {
    if (pipe) {
      const { status, stdout, stderr } = await inPipe(asking(...args), { cwd, env });
      assert.deepEqual([status, stderr], [0, '']);
      check(stdout, pipe);
    }
    if (terminal) check((await onTerminal(asking(...args), { cwd, env })).text, terminal);
  }
});

test('colour: --color, SYMBOLS_COLOR, config.json, then NO_COLOR and the terminal', async (t) => {
  const cwd = folder(t, { 'a.txt': 'alpha\n' });
  const never = folder(t, { 'symbols/config.json': '{"color": "never"}' });
  const always = folder(t, { 'symbols/config.json': '{"color": "always"}' });
  const coloured = async (where, args, env) => /\x1b/.test((await where(asking('--format', 'pretty', ...args), { cwd, env }))[where === inPipe ? 'stdout' : 'text']);
  const cases = [
    [onTerminal, [], {}, true],
    [onTerminal, [], { NO_COLOR: '1' }, false],
    [onTerminal, ['--color', 'never'], {}, false],
    [onTerminal, ['--color', 'always'], { NO_COLOR: '1' }, true],
    [onTerminal, [], { SYMBOLS_COLOR: 'never' }, false],
    [onTerminal, [], { XDG_CONFIG_HOME: never }, false],
    [onTerminal, ['--color', 'auto'], { XDG_CONFIG_HOME: never }, true],
    [onTerminal, [], { XDG_CONFIG_HOME: always, NO_COLOR: '1' }, true],
    [inPipe, [], {}, false],
    [inPipe, ['--color', 'always'], { NO_COLOR: '1' }, true],
    [inPipe, [], { SYMBOLS_COLOR: 'always' }, true],
    [inPipe, [], { SYMBOLS_COLOR: 'auto', XDG_CONFIG_HOME: always }, false],
  ];
  for (const [where, args, env, expected] of cases) {
    assert.equal(await coloured(where, args, env), expected, JSON.stringify([where.name, args, env]));
  }
  // A program that reads a pipe is not surprised by what its user has set; only a flag can do that.
  assert.equal((await inPipe(asking(), { cwd, env: { XDG_CONFIG_HOME: always } })).stdout, table);
  assert.match((await inPipe(asking('--color', 'always'), { cwd, env: {} })).stdout, /^\x1b\[1mNAME/);
});

test('the width: COLUMNS, else the window; a pipe has none', async (t) => {
  const cwd = folder(t, { 'a.txt': 'alpha_beta_gamma\n' });
  const shown = async (where, env) => plain((await where(asking('--format', 'pretty'), { cwd, env, columns: 24 }))[where === inPipe ? 'stdout' : 'text']);
  assert.equal(await shown(onTerminal, {}), '1  Function  alpha_beta…\n');
  assert.equal(await shown(onTerminal, { COLUMNS: '20' }), '1  Function  alpha_…\n');
  assert.equal(await shown(onTerminal, { COLUMNS: 'x' }), '1  Function  alpha_beta…\n');
  assert.equal(await shown(inPipe, {}), '1  Function  alpha_beta_gamma\n');
  assert.equal(await shown(inPipe, { COLUMNS: '20' }), '1  Function  alpha_…\n');
});

test('settings are for the command: convert does not read them', async (t) => {
  const cwd = folder(t, { 'a.json': JSON.stringify([{ name: 'alpha', kind: 12, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } }, selectionRange: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } } }]) });
  const env = { XDG_CONFIG_HOME: folder(t, { 'symbols/config.json': 'broken' }), SYMBOLS_FORMAT: 'xml' };
  const { status, stdout, stderr } = await inPipe(['convert', '--from', 'json', '--to', 'table', 'a.json'], { cwd, env });
  assert.deepEqual([status, stdout, stderr], [0, table, '']);
});

test('names and paths control no terminal', async (t) => {
  const name = 'a\x1b[2J\x9b.txt';
  const cwd = folder(t, { [name]: 'alpha\x1b[2J\u202e\n', 'b.txt': '面積\n' });
  const { text } = await onTerminal(['--language', 'x', '--no-hover', '--color', 'never', '--server', fakeServer('plain'), name, 'b.txt'], { cwd });
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  assert.match(text, /^==> a\\x1B\[2J\\x9B\.txt <==\n/);
});

test('more rows than anybody reads: a note says how to get fewer', async (t) => {
  const source = Array.from({ length: 1001 }, (_, i) => `name${i}\n`).join('');
  const cwd = folder(t, { 'a.txt': source });
  const note = 'symbols: note: 1001 rows; fewer: --children no, --kind, --match, --max-tokens N\n';
  assert.equal((await inPipe(asking(), { cwd, env: {} })).stderr, note);
  assert.ok(plain((await onTerminal(asking(), { cwd, env: {} })).text).endsWith(`\n1001  Function  name1000\n${note}`));
  for (const args of [['--format', 'tree'], ['--children', 'yes'], ['--match', 'name'], ['--kind', 'Function'], ['--max-tokens', '500'], ['--verbosity', 'counts']]) {
    assert.equal((await inPipe(asking(...args), { cwd, env: {} })).stderr, '', args.join(' '));
  }
});
