// `symbols convert`: every capture through every format and back, also by the decoders of others (TOON's official one and
// docs/tree-decoder.mjs, which authors of clients can copy), budgets counted with a real tokenizer, and what bad input is told.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { rangeText } from './plain_client.mjs';
import { fixture, folder, quietly, run, sourcesFolder } from './program.mjs';
import { countTokens } from './tokens.mjs';

const { decode } = await import(pathToFileURL(join(sourcesFolder, 'node_modules/@toon-format/toon/dist/index.mjs')));

const captures = readdirSync(fixture('captures'), { recursive: true }).map((file) => `captures/${file}`);
const trees = captures.filter((file) => file.endsWith('.symbols.json'));

const convert = (args, input) => quietly(['convert', ...args], { input });

/** All symbols in pre-order: name, kind, range, selection, level, and `detail`. */
function symbolsOf(reply, level = 0) {
  return reply.flatMap(({ name, kind, range, selectionRange, detail, children }) =>
    [{ name, kind, range, selectionRange, level, detail: detail ?? '' }, ...symbolsOf(children ?? [], level + 1)]);
}
const withoutDetail = (symbols) => symbols.map(({ detail, ...rest }) => rest);
const parse = (text) => symbolsOf(JSON.parse(text));

/** As deepEqual, but says which symbol differs instead of printing thousands. */
function assertSame(actual, expected, message) {
  assert.equal(actual.length, expected.length, message);
  expected.forEach((symbol, i) => assert.deepEqual(actual[i], symbol, `${message}: symbol ${i}`));
}

const hoversOf = (file) => file.replace('.symbols.json', '.hovers.json');
const hasHovers = (file) => captures.includes(hoversOf(file));

test('there are captures', () => assert.ok(trees.length >= 16 && trees.filter(hasHovers).length >= 15));

/** Fails unless the official decoder reads these symbols in `toon`. Of a parent it reads the name, with a mark where another has it. */
function assertToon(toon, symbols) {
  const path = [];
  const rows = decode(toon).symbols;
  assert.equal(rows.length, symbols.length);
  symbols.forEach(({ name, kind, range, selectionRange, level, detail }, i) => {
    path[level] = name;
    const { parent, hover = '', ...row } = rows[i];
    assert.deepEqual({ ...row, hover }, { name, kind, range: rangeText(range), selection: rangeText(selectionRange), hover: detail });
    const expected = level === 0 ? '' : path[level - 1];
    assert.ok(parent.startsWith(expected), `${parent} in place of ${expected}`);
    assert.match(parent.slice(expected.length), /^(\\\^\d+)?$/);
  });
}

/** The symbols of a tree in pre-order, as symbolsOf() has them where JSON has the hover as detail. */
const decodedTree = (text) => {
  const withDetail = (symbols) => symbols.map(({ hover, detail = hover, children, ...rest }) => ({ ...rest, detail, children: withDetail(children) }));
  return symbolsOf(withDetail(decodeTree(text)));
};
const inPreOrder = (symbols) => symbols.flatMap((symbol) => [symbol, ...inPreOrder(symbol.children)]);

// tests/table/formats/round_trip_test.cc has every capture and hostile rows back from each format.
for (const file of trees) {
  test(`${file}: what convert writes, by the decoders of others`, async () => {
    const own = parse(readFileSync(fixture(file), 'utf8'));
    const reply = withoutDetail(own);
    const hovers = hasHovers(file) ? ['--hovers', fixture(hoversOf(file)), '--hover-chars', '0'] : [];
    const to = (format, ...args) => convert(['--from', 'json', '--to', format, ...args, fixture(file)]);
    // JSON has a hover in the place of the detail; a symbol without one keeps its own, which the other formats do not have.
    const withHovers = parse(await to('json', ...hovers)).map((symbol, i) => ({ ...symbol, detail: symbol.detail === own[i].detail ? '' : symbol.detail }));
    assertSame(withoutDetail(withHovers), reply, 'json');
    assert.equal(withHovers.some(({ detail }) => detail !== ''), hovers.length > 0);
    assertToon(await to('toon', ...hovers), withHovers);
    assertSame(decodedTree(await to('tree', ...hovers)), withHovers, 'the decoder');
    // What folds is counted; the rows of one macro, which only clangd sends, become one.
    const shown = inPreOrder(decodeTree(await to('tree', '--verbosity', 'minimal')));
    const all = shown.reduce((sum, { folded = 0, more = 0 }) => sum + 1 + folded + more, 0);
    assert.ok(file.includes('clangd') ? all <= reply.length : all === reply.length, `${all} of ${reply.length}`);
    const lines = inPreOrder(decodeTree(await to('tree', '--verbosity', 'minimal', '--fold', 'no', '--ends', 'all')));
    assert.deepEqual(lines.map(({ name, line, range, endLine }) => [name, line ?? range.start.line + 1, endLine ?? range.end.line + 1]),
      reply.map(({ name, range }) => [name, range.start.line + 1, range.end.line + 1]));
  });
}

const hostileTexts = [
  '', ' ', '  leading', 'trailing ', 'a,b', '"quoted"', 'a "b" c', 'key: value', ':', '[3]', 'a[2]{b,c}:', '{', '- item', '-', '--', '# comment', 'a\nb',
  '\n', 'a\r\nb', '\t', 'a\tb', '\\', 'a\\nb', '\\^', 'a\\^0', '\\^0', '\0', '\x01', '\x1b[31m', '\x7f', '\x85', '\u2028', '\u202e', 'null', 'true', 'false',
  '5', '-5', '05', '1e5', '0x1F', '3.0', 'NaN', 'größe', '名前', '이름', '🙂', '🙂🏽‍♀️', '\ufeff', '\u00a0', '|', '# truncated: x', 'truncated: x', 'symbols[1]:',
  '==> a <==', 'x'.repeat(20000), '__proto__', 'constructor', '<<<', 'a | b', "'", '`', ',', 'a f1:0-5',
];
// Each text as a name at each of three levels, beneath and above others of them.
const range = (line, end) => ({ start: { line, character: 0 }, end: { line: end, character: 7 } });
const symbol = (name, detail, line, end, children) =>
  ({ name, detail, kind: [5, 12, 255][line % 3], range: range(line, end), selectionRange: range(line, line), children });
const hostile = hostileTexts.map((name, i) => {
  const [next, after] = [hostileTexts[(i + 1) % hostileTexts.length], hostileTexts[(i + 7) % hostileTexts.length]];
  return symbol(name, after, 10 * i, 10 * i + 9, [
    symbol(next, name, 10 * i + 1, 10 * i + 5, [symbol(name, next, 10 * i + 2, 10 * i + 3, [])]),
    symbol(after, '', 10 * i + 6, 10 * i + 12, []),
  ]);
});

test('hostile names and texts, by the decoders of others', async () => {
  const input = JSON.stringify(hostile);
  const tree = await convert(['--from', 'json', '--to', 'tree', '--fields', 'name,kind,range,selection,parent,detail'], input);
  assertSame(decodedTree(tree), symbolsOf(hostile), 'the decoder');
  assertToon(await convert(['--from', 'json', '--to', 'toon', '--verbosity', 'standard'], input), symbolsOf(hostile).map((one) => ({ ...one, detail: '' })));
});

test('a damaged tree is an error of the decoder with line and column', async () => {
  const tree = await convert(['--from', 'json', '--to', 'tree'], JSON.stringify(hostile.slice(0, 40)));
  let refused = 0;
  for (let at = 0; at < tree.length; at += 7) {
    const damaged = tree.slice(0, at) + ['', '\\', '@!', '\n  ', '99999999999999999999'][at % 5] + tree.slice(at + (at % 3));
    try {
      decodeTree(damaged);
    } catch (error) {
      assert.ok(error instanceof SyntaxError, error.stack);
      assert.match(error.message, /^tree: line \d+, column \d+: /);
      assert.ok(error.line >= 1 && error.line <= damaged.split('\n').length && error.column >= 1);
      ++refused;
    }
  }
  assert.ok(refused > 100, `${refused} refused`);
});

// By how much an answer may exceed its budget: docs/formats.md. The estimate is rather too high, so what a notice says may be
// further above the real count than below it.
const documentedError = 0.05;
const isAbout = (said, tokens) => said / tokens - 1 >= -documentedError && said / tokens - 1 <= 0.06;

for (const format of ['table', 'tree', 'tsv', 'toon', 'packed', 'outline']) {
  test(`--max-tokens with ${format}: no recorded reply's answer is over by more than the documented error, and the notice counts its tokens`, async () => {
    for (const file of trees) {
      const hovers = hasHovers(file) ? ['--hovers', fixture(hoversOf(file))] : [];
      for (const limit of [400, 2500, 75000]) {
        const text = await convert(['--from', 'json', '--to', format, ...hovers, '--max-tokens', String(limit), fixture(file)]);
        const tokens = countTokens(text.trimEnd());
        assert.ok(tokens <= limit * (1 + documentedError), `${file}: ${tokens} tokens for ${limit}`);
        const after = /truncated"?: "?\d+ -> (\d+) tokens; dropped: /.exec(text)?.[1];
        if (after) assert.ok(isAbout(Number(after), tokens), `${file}: ${tokens} tokens for ${limit}, said to be ${after}`);
      }
    }
  });
}

const reply = JSON.stringify([symbol('a', 'x', 1, 9, [symbol('b', '', 2, 3, [])])]);
test('what cannot be read: exit status 1, and the error says where, or why not (tests/table/formats has all errors)', async (t) => {
  const cwd = folder(t, { broken: 'NAME | KIND | RANGE | SELECTION | PARENT\na | five | 1:0-2 | 1:0-2 | ', 'tabs': 'name\tkind\na\t5' });
  for (const [from, file, says] of [
    ['table', 'broken', /^symbols: broken: cannot read the .* at line 2, column \d+: [^\n]+\n$/],
    ['tsv', 'tabs', /tsv cannot be read back: it is for other programs; keep the answer in another format/],
    ['outline', 'tabs', /outline cannot be read back/],
  ]) {
    const { status, stdout, stderr } = await run(['convert', '--from', from, '--to', 'json', file], { cwd });
    assert.deepEqual([status, stdout], [1, ''], from);
    assert.match(stderr, says);
  }
});

// What an answer does not show, no other can be made of.
const lacking = [
  { view: ['--fields', 'name,kind,range,parent'], from: ['table', 'tree', 'packed'], to: ['json', 'outline'], says: /has no SELECTION, which (json|outline) needs/ },
  { view: ['--verbosity', 'minimal'], from: ['tree'], to: ['table'], fields: 'name,kind,lines', says: /has no LINES, which table needs/ },
  { view: ['--verbosity', 'minimal', '--ends', 'all'], from: ['tree'], to: ['table', 'tsv', 'toon', 'packed'], says: /has no RANGE, which \w+ needs; convert from an answer that has it/ },
  { view: ['--verbosity', 'minimal'], from: ['tree'], to: ['json'], says: /has no RANGE, SELECTION, which json needs; convert from an answer that has it/ },
  { view: ['--fields', 'name'], from: ['tree'], to: ['table'], says: /has no RANGE, which table needs/ },
];
test('refused by name: what the answer lacks', async () => {
  for (const { view, from, to, fields, says } of lacking) {
    for (const one of from) {
      const text = await convert(['--from', 'json', '--to', one, ...view], reply);
      for (const target of to) {
        const { status, stdout, stderr } = await run(['convert', '--from', one, '--to', target, ...(fields ? ['--fields', fields] : [])], { input: text });
        assert.deepEqual([status, stdout], [1, ''], `${one} of ${view.join(' ')} to ${target}`);
        assert.match(stderr, says);
      }
    }
  }
});

test('what an answer lacks is left out of one that can do without it', async () => {
  const from = (format, text, to, ...args) => convert(['--from', format, '--to', to, ...args], text);
  const minimal = await from('json', reply, 'tree', '--verbosity', 'minimal', '--fold', 'no');
  assert.equal(minimal, 'f2 a\n <255>3 b\n');
  const lines = await from('json', reply, 'tree', '--verbosity', 'minimal', '--fold', 'no', '--ends', 'all');
  assert.equal(await from('tree', lines, 'table', '--fields', 'name,kind,lines,parent'), 'NAME | KIND | LINES | PARENT\na | 12 | 2-10 | \nb | 255 | 3-4 | a\n');
  const folded = await from('tree', minimal, 'tree', '--verbosity', 'minimal');
  assert.equal(folded, 'f2 a+1\n');
  for (const text of [lines, minimal, folded]) assert.equal(await from('tree', text, 'tree'), text);
  assert.match(await from('tree', minimal, 'json', '--verbosity', 'counts'), /2 symbols/);
  const narrow = await from('json', reply, 'table', '--fields', 'name,kind,range,parent');
  assert.equal(await from('table', narrow, 'tsv'), 'name\tkind\trange\tparent\na\t12\t1:0-9:7\t\nb\t255\t2:0-3:7\ta\n');
});
