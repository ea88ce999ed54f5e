// OpenCode's own `lsp` tool on real servers, with `symbols proxy` before them and without: what its model reads.
// opencode_sizes.test.mjs compares the sizes of it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { languageServers } from './language_servers.mjs';
import { askBehind, characters, startLspTool, withoutNetwork } from './opencode.mjs';
import { askServer, inPreOrder, rangeText } from './plain_client.mjs';
import { cells, eventually, folderWith, proxied, sourcesFolder, timeFactor } from './program.mjs';

const rxjs = join(sourcesFolder, 'node_modules/rxjs');
const nlohmann = '/usr/include/nlohmann';
const zod = join(sourcesFolder, 'node_modules/zod');
const columns = 'NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL';

/** The answer's rows, after a check of the form it came in. */
function rows({ result }) {
  assert.equal(result.length, 1);
  const { meta, ...answer } = result[0];
  assert.deepEqual(Object.keys(answer), ['success', 'format', 'symbols']);
  assert.deepEqual([answer.success, answer.format, meta], [true, 'table', undefined]);
  assert.equal(answer.symbols.split('\n')[0], columns);
  return cells(answer.symbols);
}

for (const { server, file, cwd: folder } of [
  { server: 'clangd', file: 'geometry.cpp' },
  { server: 'TypeScript 7', file: 'geometry.ts' },
  { server: 'typescript-language-server', file: 'src/internal/Observable.ts', cwd: rxjs },
]) {
  test(`${server} on ${basename(file)}: all symbols`, async (t) => {
    const cwd = folder ?? folderWith(t, file);
    const { command, args, language, initializationOptions } = languageServers[server];
    const { symbols } = await askServer(command, args, join(cwd, file), language, initializationOptions);
    // The proxy gives top-level symbols only where nothing is asked for, and OpenCode asks for nothing: its user does.
    const [direct, full] = await askBehind(t, { server, cwd, file, operation: 'documentSymbol' }, ['--children', 'yes']);

    // Every symbol that the model would have been given, and none of the table is cut.
    const place = ([name, , range]) => `${name} ${range}`;
    const found = direct.result.map(({ name, location }) => `${name} ${rangeText(location.range)}`);
    const fullRows = rows(full);
    assert.deepEqual(fullRows.map(place).sort(), found.sort());
    assert.deepEqual([full.truncated, full.text.length], [false, characters(full)]);
    const tree = inPreOrder(symbols);
    assert.deepEqual(fullRows.map((row) => row.slice(0, 5)), tree.map(({ name, kind, range, selectionRange, parent }) =>
      [name, String(kind), rangeText(range), rangeText(selectionRange), parent]));
    assert.ok(fullRows.filter(([, , , , , hover]) => hover !== '').length > tree.length * 0.85);
  });
}

test('with nothing asked for: top-level symbols and their hovers', async (t) => {
  const call = { server: 'TypeScript 7', cwd: zod, file: 'src/v4/core/util.ts', operation: 'documentSymbol' };
  const [direct, usual] = await askBehind(t, call, []);
  const top = rows(usual);
  assert.ok(top.length > 0 && top.length < direct.result.length);
  assert.ok(top.every(([, , , , parent]) => parent === ''));
});

test('a hover: header and one row, whose place is the symbol there', async (t) => {
  const cwd = folderWith(t, 'geometry.cpp');
  const call = { server: 'clangd', cwd, file: 'geometry.cpp', operation: 'hover', line: 10, character: 10 };
  const [direct, tabular] = await askBehind(t, call, []);
  const [{ contents, range }, ...more] = tabular.result;
  assert.deepEqual(more, []);
  assert.equal(contents.kind, 'plaintext');
  assert.deepEqual(range, direct.result[0].range);
  const [header, row, ...rest] = contents.value.split('\n');
  assert.deepEqual([header, rest], [columns, []]);
  assert.match(row, /^calculate_area \| 12 \| 9:0-77 \| 9:7-21 \| geometry \| double calculate_area\(double width, double height\) - Calculates the area of a rectangle.* \| <<<$/);
});

for (const [server, file, folder, calls] of [
  ['clangd', 'geometry.cpp', undefined, [['findReferences', 25, 10], ['incomingCalls', 10, 10]]],
  ['TypeScript 7', 'src/internal/Subject.ts', rxjs, [['findReferences', 17, 14], ['goToDefinition', 17, 35]]],
]) {
  for (const [operation, line, character] of calls) {
    test(`${server}: ${operation} as without the proxy`, async (t) => {
      const cwd = folder ?? folderWith(t, file);
      const call = { server, cwd, file, operation, line, character };
      const [direct, behind] = await askBehind(t, call, []);
      assert.ok(direct.result.length > 0);
      const inOrder = ({ result }) => result.map((one) => JSON.stringify(one)).sort();
      assert.deepEqual(inOrder(behind), inOrder(direct));
    });
  }
}

test('in the form that the server gave it, where that is asked for', async (t) => {
  const cwd = folderWith(t, 'geometry.ts');
  const call = { server: 'TypeScript 7', cwd, file: 'geometry.ts', operation: 'documentSymbol' };
  const [direct, behind] = await askBehind(t, call, ['--format', 'standard']);
  assert.equal(behind.text, direct.text);
});

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`OpenCode ended by ${signal}: nothing is left`, async (t) => {
    const { command, args } = languageServers.clangd;
    const tool = startLspTool(t, {
      command: proxied([], [command, ...args]), cwd: nlohmann, file: 'json.hpp', operation: 'documentSymbol',
    });
    // OpenCode, the proxy, its server
    await eventually(() => tool.pids().length >= 3, 120_000 * timeFactor);
    tool.kill(signal);
    await tool.answer;
    await tool.noneLeft();
  });
}

test('none of this used a network', { skip: withoutNetwork.length > 0 ? false : 'no network namespace to be had here' }, () => {
  const { status } = spawnSync(withoutNetwork[0], [...withoutNetwork.slice(1), process.execPath, '-e',
    `require('node:net').connect(80, '192.0.2.1').on('error', ({ code }) => process.exit(code === 'ENETUNREACH' ? 0 : 1))`]);
  assert.equal(status, 0);
});
