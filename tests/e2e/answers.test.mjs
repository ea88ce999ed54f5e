// What the program makes of a server's answers, whatever their order and form.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, folder, run, scripted } from './program.mjs';

const text = 'alpha\n beta\ngamma\n delta\n  epsilon\n';
const table = `NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL
alpha | 12 | 0:0-5 | 0:0-5 |  | hover of alpha | <<<
beta | 12 | 1:0-5 | 1:1-5 | alpha | hover of beta | <<<
gamma | 12 | 2:0-5 | 2:0-5 |  | hover of gamma | <<<
delta | 12 | 3:0-6 | 3:1-6 | gamma | hover of delta | <<<
epsilon | 12 | 4:0-9 | 4:2-9 | delta | hover of epsilon | <<<
`;

async function ask(t, scenario, args = [], files = { 'a.txt': text }, path = '') {
  const cwd = folder(t, files);
  const result = await run(
    [...scripted(scenario, path), '--language', 'plaintext', ...args, ...Object.keys(files)], { cwd });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}

for (const scenario of ['plain', 'out-of-order', 'content-modified', 'empty-at-first']) {
  test(`${scenario}: the same table, in row order`, async (t) => {
    assert.equal(await ask(t, scenario), table);
  });
}

test('what servers ask their client is answered', async (t) => {
  const [row] = cells(await ask(t, 'asks-its-client', ['--hover-chars', '0'], { 'a.txt': 'alpha\n' }));
  assert.match(row[5], /1=null 3=\[\{.*\}\] 5=null 7=error -32601/);
  assert.match(row[5], /q0=\[null,null\] q2=null q4=null q6=\{"applied":false\}/);
});

test('several files in the order asked, each under its path, as often as it was asked for', async (t) => {
  const files = { 'b.txt': 'bee\n', 'a.txt': 'ay\n', 'dir/c.txt': 'see\n' };
  assert.equal(await ask(t, 'plain', ['--no-hover', './a.txt'], files), `==> ./a.txt <==
NAME | KIND | RANGE | SELECTION | PARENT
ay | 12 | 0:0-2 | 0:0-2 | 
==> b.txt <==
NAME | KIND | RANGE | SELECTION | PARENT
bee | 12 | 0:0-3 | 0:0-3 | 
==> a.txt <==
NAME | KIND | RANGE | SELECTION | PARENT
ay | 12 | 0:0-2 | 0:0-2 | 
==> dir/c.txt <==
NAME | KIND | RANGE | SELECTION | PARENT
see | 12 | 0:0-3 | 0:0-3 | 
`);
  const { results, errors } = JSON.parse(await ask(t, 'plain', ['--format', 'json'], files));
  assert.deepEqual(results.map(({ path, symbols }) => [path, symbols[0].name]), [['b.txt', 'bee'], ['a.txt', 'ay'], ['dir/c.txt', 'see']]);
  assert.deepEqual(errors, []);
});

test('with a filter, a file without a row has no heading in text, and an empty result in JSON', async (t) => {
  const files = { 'b.txt': 'bee\n', 'a.txt': 'ay\n', 'c.txt': 'see\n' };
  const shown = '==> a.txt <==\nNAME | KIND | RANGE | SELECTION | PARENT\nay | 12 | 0:0-2 | 0:0-2 | \n';
  assert.equal(await ask(t, 'plain', ['--no-hover', '--match', 'y'], files), shown);
  assert.equal(await ask(t, 'plain', ['--no-hover', '--kind', 'Function', '--match', 'y', '--max-tokens', '1000'], files), shown);
  assert.equal(await ask(t, 'plain', ['--verbosity', 'counts', '--match', 'y'], files), '==> a.txt <==\n1 symbol: 1 Function; 1 level\n');
  assert.equal(await ask(t, 'plain', ['--match', 'none'], files), '');
  assert.equal(await ask(t, 'plain', ['--no-hover', '--match', 'none']), 'NAME | KIND | RANGE | SELECTION | PARENT\n');
  const { results } = JSON.parse(await ask(t, 'plain', ['--format', 'json', '--match', 'y'], files));
  assert.deepEqual(results.map(({ path, symbols }) => [path, symbols.length]), [['b.txt', 0], ['a.txt', 1], ['c.txt', 0]]);
});

test('a server is spoken to as the protocol says, and ended properly', async (t) => {
  const cwd = folder(t);
  const record = join(cwd, 'methods');
  await ask(t, 'records-methods', [], { 'a.txt': 'alpha\n' }, record);
  assert.deepEqual(readFileSync(record, 'utf8').trim().split('\n'), [
    'initialize', 'initialized', 'textDocument/didOpen', 'textDocument/documentSymbol', 'textDocument/hover',
    'textDocument/didClose', 'shutdown', 'exit',
  ]);
});

test('--log keeps the traffic, one line a message', async (t) => {
  const cwd = folder(t);
  const log = join(cwd, 'traffic.log');
  await ask(t, 'plain', ['--log', log], { 'a.txt': 'alpha\r\n' });
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  assert.match(lines[0], /^\S+ \S+ run \[".*",".*fake_server\.mjs","plain",""\]$/);
  assert.match(lines[1], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ --> \{"jsonrpc":"2\.0","id":1,"method":"initialize"/);
  assert.match(lines[2], /^\S+ \S+ <-- \{"jsonrpc":"2\.0","id":1,"result":/);
  assert.ok(lines.some((line) => line.includes('"text":"alpha\\r\\n"')));
});
