// What `toon` says is what the official decoder reads: the same rows, for every captured reply and for hostile names.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fixture, run, sourcesFolder } from './program.mjs';

const { decode } = await import(pathToFileURL(join(sourcesFolder, 'node_modules/@toon-format/toon/dist/index.mjs')).href);

async function toToon(input, ...options) {
  const { status, stdout, stderr } = await run(['convert', '--from', 'json', '--to', 'toon', ...options, '-'], { input });
  assert.equal(status, 0, stderr);
  return stdout.endsWith('\n') ? stdout.slice(0, -1) : stdout;
}

const rangeText = ({ start, end }) =>
  start.line === end.line ? `${start.line}:${start.character}-${end.character}` : `${start.line}:${start.character}-${end.line}:${end.character}`;

/** The rows of a reply, each with its parent's name: what the decoder is to find, but for the marks of PARENT. */
function rowsOf(symbols) {
  const rows = [];
  const stack = symbols.map((symbol) => ({ symbol, parent: '' })).reverse();
  while (stack.length > 0) {
    const { symbol, parent } = stack.pop();
    rows.push({ name: Buffer.from(symbol.name, 'utf8').toString('utf8'), kind: symbol.kind, range: rangeText(symbol.range), selection: rangeText(symbol.selectionRange), parent });
    for (const child of [...(symbol.children ?? [])].reverse()) stack.push({ symbol: child, parent: rows.at(-1).name });
  }
  return rows;
}

async function check(reply, json = JSON.stringify(reply)) {
  const toon = await toToon(json, '--verbosity', 'standard');
  const { symbols, ...others } = decode(toon);
  assert.deepEqual(others, {});
  const expected = rowsOf(reply);
  assert.equal(symbols.length, expected.length);
  symbols.forEach((symbol, i) => {
    const { parent, ...row } = symbol;
    const { parent: name, ...rest } = expected[i];
    assert.deepEqual(row, rest);
    // The name, with a mark where another row would be found by it.
    assert.equal(parent.startsWith(name), true, `${parent} in place of ${name}`);
    assert.match(parent.slice(name.length), /^(\\\^\d+)?$/);
  });
}

const position = (line, character) => ({ line, character });
const symbolCalled = (name, line, children = []) => ({
  name, kind: 5, range: { start: position(line, 0), end: position(line, 9) }, selectionRange: { start: position(line, 1), end: position(line, 3) }, children,
});

test('every captured reply, read by the official decoder', async () => {
  const root = fixture('captures');
  const files = readdirSync(root, { recursive: true }).filter((file) => file.endsWith('.symbols.json'));
  assert.ok(files.length > 10);
  let rows = 0;
  for (const file of files) {
    const json = readFileSync(join(root, file), 'utf8');
    const reply = JSON.parse(json);
    if (reply.length > 0 && reply[0].location) continue;
    await check(reply, json);
    rows += rowsOf(reply).length;
  }
  assert.ok(rows > 10000);
});

test('hostile names, alone and as parents', async () => {
  const names = [
    '', ' ', ' leading', 'trailing ', '\tleading', '\u00a0nbsp', 'nbsp\u00a0', '\ufeffbom', 'a,b', ',', 'a:b', ':', '"', '"quoted"', 'a"b', '\\', '\\n', 'a\\',
    '[', ']', '[]', '[1]', 'a[0]', '{', '}', '{}', 'x[2]{a,b}:', '- item', '-', '--', '#', '# comment', '# truncated: x', '==> x <==', 'true', 'false', 'null', 'TRUE',
    '0', '42', '-1', '+1', '05', '3.14', '1e6', '1E-6', '.5', '1.', '0x10', 'NaN', 'Infinity', '1_000',
    'a\nb', '\n', 'a\r\nb', '\r', 'a\tb', '\0', '\x01\x1b[2J', '\x7f', '\x80\x85\x9f', '\u2028', '\u2029', '\u202e', '\u2066', '\u061c', '\u200b',
    'é', '日本', '😀', 'e\u0301', '\ufffd', '\uffff', 'C\\^0', '\\^', 'a\\^', '^0', 'a|b', 'a | b', 'operator||', 'operator,', 'symbols[1]{name}:', 'truncated: x',
    'x'.repeat(20000),
  ];
  await check(names.map((name, line) => symbolCalled(name, line)));
  await check(names.map((name, line) => symbolCalled(name, line, [symbolCalled('child', line, [symbolCalled(name, line), symbolCalled(name, line + 1)])])));
});

test('characters of every kind, in names made by chance', async () => {
  let seed = 7;
  const below = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
  const pieces = [',', '"', ':', '[', ']', '{', '}', '\\', '\n', '\r', '\t', ' ', '-', '#', '0', '1', 'a', 'null', '\\^', '\\u0041', '\u0085', '\u2028', 'é', '😀', '\x1b', '\x7f'];
  const name = () => Array.from({ length: below(6) }, () => (below(4) ? pieces[below(pieces.length)] : String.fromCodePoint(below(0xd800)))).join('');
  const tree = (depth) => Array.from({ length: 1 + below(4) }, () => symbolCalled(name(), below(9), depth > 0 && below(2) ? tree(depth - 1) : []));
  for (let round = 0; round < 5; ++round) await check(Array.from({ length: 60 }, () => tree(3)).flat());
});

test('no symbols, and what a budget left out', async () => {
  await check([]);
  const reply = readFileSync(fixture('captures/gopls/strings__builder.go.symbols.json'), 'utf8');
  const toon = await toToon(reply, '--max-tokens', '150');
  const { symbols, truncated } = decode(toon);
  assert.ok(symbols.length > 0);
  assert.match(truncated, /^\d+ -> \d+ tokens; dropped: /);
});
