// OpenCode's own `lsp` tool on real servers, with `symbols proxy` before them and without: what its model reads.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { languageServers } from './language_servers.mjs';
import { inPairs, startLspTool, withoutNetwork } from './opencode.mjs';
import { askServer, inPreOrder, rangeText } from './plain_client.mjs';
import { cells, eventually, folderWith, proxied, sourcesFolder, timeFactor } from './program.mjs';

const rxjs = join(sourcesFolder, 'node_modules/rxjs');
const nlohmann = '/usr/include/nlohmann';
const zod = join(sourcesFolder, 'node_modules/zod');

/** Runs the tool to its end; nothing of the run may be left. `proxy`: its options, undefined for none of it. */
async function ask(t, { server, proxy, ...call }) {
  const { command, args, initializationOptions } = languageServers[server];
  const direct = [command, ...args];
  const tool = startLspTool(t, { command: proxy ? proxied(proxy, direct) : direct, initialization: initializationOptions, ...call });
  const answer = await tool.answer;
  assert.equal(answer.failure, undefined);
  assert.equal(answer.status, 0);
  if (proxy) await nothingIsLeft(tool);
  return answer;
}

/** The answers without the proxy and behind each of these. */
const askBehind = (t, call, ...proxies) => inPairs([undefined, ...proxies], (proxy) => ask(t, { ...call, proxy }));

const nothingIsLeft = (tool) => eventually(() => tool.pids().length === 0, 30_000 * timeFactor);

const hoverColumns = ' | HOVER_INFO | EOL';

/** The answer's rows, after a check of the form it came in. */
function rows({ result }, more = '') {
  assert.equal(result.length, 1);
  const { meta, ...answer } = result[0];
  assert.deepEqual(Object.keys(answer), ['success', 'format', 'symbols']);
  assert.deepEqual([answer.success, answer.format, meta], [true, 'table', undefined]);
  assert.equal(answer.symbols.split('\n')[0], `NAME | KIND | RANGE | SELECTION | PARENT${more}`);
  return cells(answer.symbols);
}

/** Characters of an answer as OpenCode would print it if it never cut any (at 50 KB or 2,000 lines). */
const characters = ({ result }) => JSON.stringify(result, null, 2).length;

const isAtMost = (part, answer, whole) =>
  assert.ok(characters(answer) <= part * whole, `${characters(answer)} of ${whole} characters are more than ${part}`);

// OpenCode declares no hierarchy, so without the proxy it gets SymbolInformation[]: neither nesting nor selection, which a table
// has. All tables are an eighth (with hovers a third) of the DocumentSymbol[] with the same in it; of the flat form `ofFlat`. All
// trees are an eighth of the flat form too; with hovers, which that form has none of, a third where they are cut at 70 characters, or
// are no longer than most.
const cases = [
  { server: 'clangd', file: 'geometry.cpp' },
  { server: 'clangd', file: 'json.hpp', cwd: nlohmann, treeOfFlat: 2 / 3 },
  { server: 'TypeScript 7', file: 'geometry.ts', ofFlat: { bare: 1 / 6, full: 1 / 3 } },
  { server: 'TypeScript 7', file: 'src/v4/core/util.ts', cwd: zod },
  { server: 'TypeScript 7', file: 'src/v4/locales/index.ts', cwd: zod, ofFlat: { bare: 1 / 8, full: 1 / 3 } },
  { server: 'typescript-language-server', file: 'src/internal/Observable.ts', cwd: rxjs, treeOfFlat: 2 / 5 },
];
for (const { server, file, cwd: folder, ofFlat = { bare: 1 / 5, full: 1 }, treeOfFlat = 1 / 3 } of cases) {
  test(`${server} on ${basename(file)}: all symbols, in a fraction of the text`, async (t) => {
    const cwd = folder ?? folderWith(t, file);
    const call = { server, cwd, file, operation: 'documentSymbol' };
    const { command, args, language, initializationOptions } = languageServers[server];
    const { symbols } = await askServer(command, args, join(cwd, file), language, initializationOptions);
    // The proxy gives top-level symbols only where nothing is asked for, and OpenCode asks for nothing: its user does.
    const all = ['--children', 'yes'];
    const [direct, bare, full, bareTree, fullTree, briefTree] = await askBehind(t, call, [...all, '--no-hover'], all,
      [...all, '--format', 'tree', '--no-hover'], [...all, '--format', 'tree'], [...all, '--format', 'tree', '--hover-chars', '70']);
    const tree = inPreOrder(symbols);
    const flat = characters(direct);
    const nested = characters({ result: symbols });
    t.diagnostic(`${tree.length} symbols, ${flat} characters flat, ${nested} nested; ` +
      `tables of ${characters(bare)}, with hovers ${characters(full)}; trees of ${characters(bareTree)}, ${characters(fullTree)}, ${characters(briefTree)}`);

    // Every symbol that the model would have been given, and none of the table is cut.
    const place = ([name, , range]) => `${name} ${range}`;
    const found = direct.result.map(({ name, location }) => `${name} ${rangeText(location.range)}`);
    const bareRows = rows(bare);
    assert.deepEqual(bareRows.map(place).sort(), found.sort());
    assert.deepEqual([bare.truncated, bare.text.length], [false, characters(bare)]);
    assert.deepEqual(bareRows, tree.map(({ name, kind, range, selectionRange, parent }) =>
      [name, String(kind), rangeText(range), rangeText(selectionRange), parent]));

    const fullRows = rows(full, hoverColumns);
    assert.deepEqual(fullRows.map((row) => row.slice(0, 5)), bareRows);
    assert.ok(fullRows.filter(([, , , , , hover]) => hover !== '').length > tree.length * 0.85);

    isAtMost(1 / 8, bare, nested);
    isAtMost(1 / 3, full, nested);
    isAtMost(ofFlat.bare, bare, flat);
    isAtMost(ofFlat.full, full, flat);
    isAtMost(1 / 8, bareTree, flat);
    isAtMost(treeOfFlat, fullTree, flat);
    isAtMost(1 / 3, briefTree, flat);
    assert.equal(inPreOrder(decodeTree(briefTree.result[0].symbols)).length, tree.length);
  });
}

test('with nothing asked for: top-level symbols and their hovers', async (t) => {
  const call = { server: 'clangd', cwd: nlohmann, file: 'json.hpp', operation: 'documentSymbol' };
  const [direct, usual, bare] = await askBehind(t, call, [], ['--no-hover']);
  const top = rows(usual, hoverColumns);
  assert.ok(top.length > 0 && top.length < direct.result.length);
  assert.ok(top.every(([, , , , parent]) => parent === ''));
  assert.deepEqual(rows(bare), top.map((row) => row.slice(0, 5)));
  isAtMost(1 / 3, usual, characters(direct));
  isAtMost(1 / 8, bare, characters(direct));
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
  assert.deepEqual([header, rest], [`NAME | KIND | RANGE | SELECTION | PARENT${hoverColumns}`, []]);
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
    await nothingIsLeft(tool);
  });
}

test('none of this used a network', { skip: withoutNetwork.length > 0 ? false : 'no network namespace to be had here' }, () => {
  const { status } = spawnSync(withoutNetwork[0], [...withoutNetwork.slice(1), process.execPath, '-e',
    `require('node:net').connect(80, '192.0.2.1').on('error', ({ code }) => process.exit(code === 'ENETUNREACH' ? 0 : 1))`]);
  assert.equal(status, 0);
});
