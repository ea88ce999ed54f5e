// The sizes of what OpenCode's model reads of a file's symbols: tables and trees behind `symbols proxy` against the server's own reply.
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { languageServers } from './language_servers.mjs';
import { askBehind, characters } from './opencode.mjs';
import { askServer, inPreOrder } from './plain_client.mjs';
import { folderWith, sourcesFolder } from './program.mjs';

const rxjs = join(sourcesFolder, 'node_modules/rxjs');
const nlohmann = '/usr/include/nlohmann';
const zod = join(sourcesFolder, 'node_modules/zod');

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
