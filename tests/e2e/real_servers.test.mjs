// Real servers on real files that nobody here wrote: every row agrees with what the server itself says when asked by a client
// that shares no code with the program.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { askServer, inPreOrder } from './plain_client.mjs';
import { cells, fixture, run, serversFolder, sourcesFolder } from './program.mjs';

const native = join(serversFolder, 'node_modules', '@typescript',
  readdirSync(join(serversFolder, 'node_modules', '@typescript')).find((name) => name.startsWith('typescript-')), 'lib', 'tsc');
const servers = {
  clangd: { command: 'clangd-19', args: [], language: 'cpp' },
  'TypeScript 7': { command: native, args: ['--lsp', '--stdio'], language: 'typescript' },
  'typescript-language-server': {
    option: ['--server', 'typescript-language-server'],
    command: join(serversFolder, 'node_modules', '.bin', 'typescript-language-server'), args: ['--stdio'], language: 'typescript',
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      tsserver: { path: join(serversFolder, 'node_modules/typescript/lib/tsserver.js'), useSyntaxServer: 'never' },
    },
  },
};
const zod = join(sourcesFolder, 'node_modules/zod/src/v3/types.ts');
const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal/Observable.ts');
const dom = join(serversFolder, 'node_modules/typescript/lib/lib.dom.d.ts');

const rangeText = ({ start, end }) =>
  start.line === end.line ? `${start.line}:${start.character}-${end.character}`
    : `${start.line}:${start.character}-${end.line}:${end.character}`;

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

/** The first fenced code of a raw hover without clangd's comments, in one line. */
function signature(raw) {
  const code = /```[^\n]*\n([^]*?)\n```/.exec(raw.replaceAll('\r\n', '\n'))?.[1];
  return code?.replace(/^\/\/ In .*$/gm, '').replace(/\\$/gm, '').replace(/\s+/g, ' ').trim();
}

async function compare({ server, file, symbols: expected, hovers = true }) {
  const { command, args, language, initializationOptions, option = [] } = servers[server];
  const raw = hovers
    ? await askServer(command, args, file, language, initializationOptions)
    : { symbols: (await askServer(command, args, file, language, initializationOptions)).symbols };
  const { status, stdout, stderr } = await run([...option, '--root', dirname(file), file]);
  assert.equal(status, 0, stderr);
  const rows = cells(stdout);
  const symbols = inPreOrder(raw.symbols);
  assert.equal(symbols.length, expected);
  assert.equal(rows.length, expected);
  let empty = 0;
  rows.forEach(([name, kind, range, selection, parent, hover, end], i) => {
    const symbol = symbols[i];
    assert.deepEqual([name, kind, range, selection, parent.replace(/\^\d+$/, '')],
      [symbol.name.toWellFormed?.() ?? symbol.name, String(symbol.kind), rangeText(symbol.range), rangeText(symbol.selectionRange), symbol.parent]);
    assert.equal(end, '<<<');
    const rawHover = raw.hovers[i] === null ? '' : hoverText(raw.hovers[i]);
    if (rawHover === '') assert.equal(hover, '', `${name}: a hover from nowhere`);
    else assert.ok(comesFrom(hover, rawHover), `${name}: ${hover}\nis not in\n${rawHover}`);
    assert.ok([...hover].length <= 200);
    const code = signature(rawHover);
    if (code) assert.ok(hover.startsWith([...code].slice(0, 199).join('')), `${name}: ${hover}\ndoes not start with\n${code}`);
    if (hover === '') ++empty;
  });
  return { rows: rows.length, empty };
}

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
    const { empty } = await compare({ server, file, symbols });
    assert.ok(empty < symbols * 0.15, `${empty} of ${symbols} hovers are empty`);
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

test('several languages in one call', async () => {
  const files = [fixture('geometry.cpp'), fixture('geometry.ts'), rxjs];
  const { status, stdout, stderr } = await run(['--no-hover', ...files]);
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.match(/(?<===> ).*(?= <==)/g), files);
});
