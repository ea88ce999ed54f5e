// Real servers behind `symbols proxy`: the rows of a table and its hovers are what the same server says when it is asked directly.
// The options of a request: tests/proxy/session/conversations/.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { languageServers, serverSettings } from './language_servers.mjs';
import { inPreOrder, openInServer, rangeText } from './plain_client.mjs';
import { cells, folder, folderWith, inOneOrder, proxied, sourcesFolder } from './program.mjs';

const modules = join(sourcesFolder, 'node_modules');
const columns = 'NAME | KIND | RANGE | SELECTION | PARENT';
const hoverColumns = `${columns} | HOVER_INFO | EOL`;
// Its row has all that clangd's hover says, which is left out there.
const namespace = '3';

/** The rows of an answer in the object form, after a check of all else in it. */
function rows({ success, format, symbols, ...rest }, header = hoverColumns) {
  assert.deepEqual([success, format, rest], [true, 'table', {}]);
  assert.equal(symbols.split('\n')[0], header);
  return cells(symbols);
}

/** The rows without hovers that a DocumentSymbol[] of the server should become. */
const expectedRows = (symbols) =>
  inPreOrder(symbols).map(({ name, kind, range, selectionRange, parent }) => [name, String(kind), rangeText(range), rangeText(selectionRange), parent]);
const assertSameText = (actual, expected, message) => assert.equal(inOneOrder(JSON.stringify(actual)), inOneOrder(JSON.stringify(expected)), message);

// `other` is not opened by the client; nothing stands at the start of the line `blank`.
for (const { server, name, other, blank } of [
  { server: 'clangd', name: 'geometry.cpp', other: '/usr/include/nlohmann/json.hpp', blank: 2 },
  { server: 'TypeScript 7', name: 'geometry.ts', other: join(modules, 'zod/src/v3/types.ts'), blank: 1 },
  { server: 'typescript-language-server', name: 'geometry.ts', other: join(modules, 'rxjs/src/internal/Observable.ts'), blank: 1 },
]) {
  test(`${server}: tables, and hovers as a row, as text, as they are`, async (t) => {
    const cwd = folderWith(t, name);
    const { command, args, language, initializationOptions } = languageServers[server];
    const start = async (words) => {
      const session = await openInServer('env', [`XDG_CONFIG_HOME=${folder(t, serverSettings)}`, ...words], join(cwd, name), language, initializationOptions);
      t.after(session.finish);
      const result = async (method, params) => (await session.request(`textDocument/${method}`, { textDocument: { uri: session.uri }, ...params })).result;
      return {
        ...session,
        symbols: (options) => result('documentSymbol', options),
        hover: (position, options) => result('hover', { position, ...options }),
      };
    };
    const own = await start([command, ...args]);
    const proxy = await start(proxied([], [command, ...args]));

    const tree = await own.symbols();
    const whole = rows(await proxy.symbols({ return_children: 'yes', hover_chars: 0 }));
    assert.deepEqual(whole.map((row) => row.slice(0, 5)), expectedRows(tree));
    assert.ok(whole.every(([, kind, , , parent, hover, end]) => (hover !== '' || parent !== '' || kind === namespace) && end === '<<<'));
    const topLevel = tree.map(({ children, ...symbol }) => symbol);
    assert.deepEqual(rows(await proxy.symbols({ include_hover: false }), columns), expectedRows(topLevel));
    assert.deepEqual(await proxy.symbols({ format: 'standard' }), tree);

    for (const [i, { name, selectionRange: { start: position } }] of inPreOrder(tree).entries()) {
      const direct = await own.hover(position);
      assertSameText(await proxy.hover(position, { hover_reply: 'standard' }), direct, name);
      if (direct === null) {
        assert.equal(await proxy.hover(position), null, name);
        continue;
      }
      const { contents, range } = await proxy.hover(position);
      assert.deepEqual([range, contents.kind], [direct.range, 'plaintext'], name);
      const [[word, ...row]] = rows({ success: true, format: 'table', symbols: contents.value });
      assertSameText(row, whole[i].slice(1), name);
      assert.ok(name.includes(word), `${word} of ${name}`);
      const [, , , , hover] = row;
      const text = row[0] === namespace && hover === '' ? `namespace ${name} {}` : hover;
      assert.deepEqual(await proxy.hover(position, { hover_reply: 'text' }), { contents: { kind: 'plaintext', value: text }, range }, name);
    }
    const nothing = { line: blank, character: 0 };
    assert.deepEqual([await own.hover(nothing), await proxy.hover(nothing)], [null, null]);

    const textDocument = { uri: pathToFileURL(other).href };
    own.open(textDocument.uri, readFileSync(other, 'utf8'), language);
    const answer = await proxy.symbols({ textDocument, return_children: 'yes', include_hover: false });
    assert.deepEqual(rows(answer, columns), expectedRows(await own.symbols({ textDocument })));
  });
}
