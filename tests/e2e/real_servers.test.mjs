// Real servers on real files that nobody here wrote: every row agrees with what the server itself says when asked by a client
// that shares no code with the program.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { languageServers } from './language_servers.mjs';
import { askServer, inPreOrder, rangeText } from './plain_client.mjs';
import { cells, fixture, folder, run, serversFolder, sourcesFolder } from './program.mjs';

const zod = join(sourcesFolder, 'node_modules/zod/src/v3/types.ts');
const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal/Observable.ts');
const dom = join(serversFolder, 'node_modules/typescript/lib/lib.dom.d.ts');

/** Letters and digits of a text: what no flattening may add to, nor put into another order. */
const essence = (text) => text.replace(/[^\p{L}\p{N}]/gu, '');

/** All text of a raw hover. */
function hoverText(hover) {
  const part = (contents) => (typeof contents === 'string' ? contents : contents.value);
  return Array.isArray(hover.contents) ? hover.contents.map(part).join('\n') : part(hover.contents);
}

/** Whether the words of `flattened` all stand in `raw`; the servers' escapes and entities are told apart by essence. */
function comesFrom(flattened, raw) {
  const source = essence(raw.replace(/&(lt|gt|amp|nbsp|quot|#\d+);/g, ' '));
  return flattened.replace(/…$/, '').split(/\s+/).map(essence).every((word) => source.includes(word));
}

/**
 * Compares a run of the program with what the server tells a plain client. Which part of a hover is shown: tests/table/hover/.
 * (TypeScript 7 answers in parallel, and how it names a type parameter depends on what it was asked before, so hovers of two sessions are
 * not always the same.)
 */
async function compare({ server, file, symbols: expected }) {
  const { command, args, language, initializationOptions } = languageServers[server];
  const option = server === 'typescript-language-server' ? ['--server', server] : [];
  const raw = await askServer(command, args, file, language, initializationOptions);
  const { status, stdout, stderr } = await run([...option, '--root', dirname(file), file]);
  assert.equal(status, 0, stderr);
  const rows = cells(stdout);
  assert.deepEqual(rows.map(([name, kind, range, selection, parent]) => [name, kind, range, selection, parent.replace(/\^\d+$/, '')]),
    inPreOrder(raw.symbols).map(({ name, kind, range, selectionRange, parent }) =>
      [Buffer.from(name, 'utf8').toString('utf8'), String(kind), rangeText(range), rangeText(selectionRange), parent]));
  assert.equal(rows.length, expected);
  const wrong = rows.filter(([, , , , , hover], i) => hover !== '' && !(raw.hovers[i] && comesFrom(hover, hoverText(raw.hovers[i]))));
  assert.ok(wrong.length <= expected * 0.02, JSON.stringify(wrong));
  const empty = rows.filter(([, , , , , hover]) => hover === '').length;
  const own = raw.hovers.filter((hover) => hover === null || isOfAnother(hoverText(hover))).length;
  assert.ok(empty - own < expected * 0.15, `${empty} hovers are empty, ${own} of the server's own`);
}

/** Whether this hover is not about the row: what an import names, a macro that is used, the parameter of a callback. */
const isOfAnother = (hover) => /```[^\n]*\n(\(alias\) |\(parameter\) |.*#define )/.test(hover);

const cases = [
  { server: 'clangd', file: '/usr/include/nlohmann/json.hpp', symbols: 320 },
  { server: 'clangd', file: fixture('geometry.cpp'), symbols: 15 },
  { server: 'TypeScript 7', file: zod, symbols: 1992 },
  { server: 'TypeScript 7', file: rxjs, symbols: 65 },
  { server: 'TypeScript 7', file: fixture('geometry.ts'), symbols: 25 },
  { server: 'typescript-language-server', file: rxjs, symbols: 51 },
  { server: 'typescript-language-server', file: fixture('geometry.ts'), symbols: 25 },
];
for (const { server, file, symbols } of cases) {
  test(`${server} on ${file.split('/').slice(-3).join('/')}: ${symbols} rows as the server has them`, async () => {
    assert.ok(existsSync(file));
    await compare({ server, file, symbols });
  });
}

test('lib.dom.d.ts: all of its symbols, in order', async () => {
  const { status, stdout, stderr } = await run(['--no-hover', '--server', 'typescript-language-server', dom]);
  assert.equal(status, 0, stderr);
  const rows = cells(stdout);
  assert.equal(rows.length, 11202);
  const names = new Set(rows.map(([name]) => name));
  for (const name of ['HTMLElement', 'addEventListener', 'onclick', 'querySelector']) assert.ok(names.has(name), name);
});

test('clangd: extensions that its compiler does not know', async (t) => {
  const names = ['a.h++', 'a.inl', 'a.ipp', 'a.tpp', 'a.txx', 'a.cuh', 'flags/a.ipp'];
  const cwd = folder(t, { ...Object.fromEntries(names.map((name) => [name, 'namespace n { int f(); }\n'])),
    'm.ixx': 'export module m;\nexport int f();\n', 'flags/compile_flags.txt': '-std=c++20\n' });
  const { status, stdout, stderr } = await run(['--no-hover', '--match', '^f$', ...names, 'm.ixx'], { cwd });
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout.match(/^f \| 12 \| 0:14-21 \| 0:18-19 \| n$/gm)?.length, names.length, stdout);
  assert.match(stdout, /^f \| 12 \| 1:7-14 \| 1:11-12 \| $/m);
});

test('several languages in one call', async () => {
  const files = [fixture('geometry.cpp'), fixture('geometry.ts'), rxjs];
  const { status, stdout, stderr } = await run(['--no-hover', ...files]);
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.match(/(?<===> ).*(?= <==)/g), files);
});
