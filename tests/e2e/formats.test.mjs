// `symbols convert`: every capture through every format and back, budgets counted with a real tokenizer, and what bad input
// is told.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { fixture, folder, run, sourcesFolder } from './program.mjs';

const { resolve } = createRequire(join(sourcesFolder, 'package.json'));
const { decode } = await import(pathToFileURL(resolve('@toon-format/toon')));
const tokenizer = await import(pathToFileURL(resolve('gpt-tokenizer/encoding/o200k_base')));
const countTokens = (text) => tokenizer.countTokens(text, { disallowedSpecial: new Set() });

const lossless = ['table', 'tree', 'packed', 'ndjson'];
const budgeted = ['table', 'tree', 'tsv', 'toon', 'packed'];
const lib = fixture('captures/tsls/lib__lib.dom.d.ts.symbols.json');
const captures = readdirSync(fixture('captures'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(fixture(`captures/${name}`)).map((file) => `captures/${name}/${file}`));
const trees = captures.filter((file) => file.endsWith('.symbols.json'));
const flat = captures.filter((file) => file.endsWith('.flat.json'));

async function convert(args, input) {
  const { status, stdout, stderr } = await run(['convert', ...args], { input });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

/** All symbols in pre-order: name, kind, range, selection, level, and `detail`. */
function symbolsOf(reply, level = 0) {
  return reply.flatMap(({ name, kind, range, selectionRange, detail, children }) =>
    [{ name, kind, range, selectionRange, level, detail: detail ?? '' }, ...symbolsOf(children ?? [], level + 1)]);
}
const withoutDetail = (symbols) => symbols.map(({ detail, ...rest }) => rest);

/** As deepEqual, but says which symbol differs instead of printing thousands. */
function assertSame(actual, expected, message) {
  assert.equal(actual.length, expected.length, message);
  expected.forEach((symbol, i) => assert.deepEqual(actual[i], symbol, `${message}: symbol ${i}`));
}
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** JSON has a hover in the place of the detail; a symbol without one keeps its own, which the other formats do not have. */
function withoutOwnDetail(symbols, file) {
  const own = symbolsOf(readJson(fixture(file)));
  return symbols.map((symbol, i) => ({ ...symbol, detail: symbol.detail === own[i].detail ? '' : symbol.detail }));
}

const hoversOf = (file) => file.replace('.symbols.json', '.hovers.json');
const hasHovers = (file) => captures.includes(hoversOf(file));

test('there are captures', () => assert.ok(trees.length >= 16 && flat.length >= 15 && trees.filter(hasHovers).length >= 15));

for (const file of trees) {
  test(`${file} goes through each format and back`, async () => {
    const reply = withoutDetail(symbolsOf(readJson(fixture(file))));
    const hovers = hasHovers(file) ? ['--hovers', fixture(hoversOf(file)), '--hover-chars', '0'] : [];
    const withHovers = withoutOwnDetail(symbolsOf(JSON.parse(await convert(['--from', 'json', '--to', 'json', ...hovers, fixture(file)]))), file);
    assertSame(withoutDetail(withHovers), reply, 'json');
    assert.equal(withHovers.some(({ detail }) => detail !== ''), hovers.length > 0);
    for (const format of lossless) {
      const text = await convert(['--from', 'json', '--to', format, ...hovers, fixture(file)]);
      const back = symbolsOf(JSON.parse(await convert(['--from', format, '--to', 'json'], text)));
      assertSame(back, withHovers, format);
      const bare = await convert(['--from', 'json', '--to', format, fixture(file)]);
      assertSame(withoutDetail(symbolsOf(JSON.parse(await convert(['--from', format, '--to', 'json'], bare)))), reply, format);
    }
  });
}

test('flat replies go through each format and back, a containerName that names no row included', async () => {
  for (const file of flat) {
    const table = await convert(['--from', 'json', '--to', 'table', fixture(file)]);
    assert.equal(table.trimEnd().split('\n').length, readJson(fixture(file)).length + 1);
    for (const format of lossless) {
      const text = await convert(['--from', 'json', '--to', format, fixture(file)]);
      assert.equal(await convert(['--from', format, '--to', 'table'], text), table, `${file}, ${format}`);
    }
  }
});

test('formats one after the other change nothing', async () => {
  let text = await convert(['--from', 'json', '--to', 'table', lib]);
  const table = text;
  for (const [from, to] of [['table', 'tree'], ['tree', 'packed'], ['packed', 'ndjson'], ['ndjson', 'json'], ['json', 'table']]) {
    text = await convert(['--from', from, '--to', to], text);
  }
  assert.equal(text, table);
});

// Names, kinds, ranges and parents: toon.test.mjs.
test('the official TOON decoder reads the hovers', async () => {
  for (const file of trees.filter(hasHovers)) {
    const args = ['--from', 'json', '--hovers', fixture(hoversOf(file)), fixture(file)];
    const symbols = symbolsOf(JSON.parse(await convert(['--to', 'json', ...args])));
    const details = withoutOwnDetail(symbols, file).map(({ detail }) => detail);
    assert.deepEqual(decode(await convert(['--to', 'toon', ...args])).symbols.map(({ hover }) => hover), details);
  }
});

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

test('hostile names and texts go through each format and back', async () => {
  const input = JSON.stringify(hostile);
  const fields = ['--fields', 'name,kind,range,selection,parent,detail'];
  for (const format of lossless) {
    const text = await convert(['--from', 'json', '--to', format, ...fields], input);
    const back = await convert(['--from', format, '--to', 'json', ...fields], text);
    assertSame(symbolsOf(JSON.parse(back)), symbolsOf(hostile), format);
  }
});

test('what an answer was asked to show beside the usual columns stays when it is converted', async () => {
  const input = JSON.stringify([{ ...symbol('a', 'of a', 0, 9, [symbol('b', '', 1, 2, [])]), tags: [1] }]);
  for (const fields of ['name,kind,range,selection,parent,detail', 'name,kind,range,selection,parent,tags']) {
    const table = await convert(['--from', 'json', '--to', 'table', '--fields', fields], input);
    assert.equal(table.split('\n')[0].split(' | ').at(-1), fields.split(',').at(-1).toUpperCase());
    for (const format of lossless) {
      const text = await convert(['--from', 'table', '--to', format], table);
      assert.equal(await convert(['--from', format, '--to', 'table'], text), table, `${fields} ${format}`);
    }
  }
});

test('a byte order mark is no part of what is converted', async () => {
  const input = JSON.stringify([symbol('a', '', 0, 9, [])]);
  for (const format of lossless) {
    const text = await convert(['--from', 'json', '--to', format], input);
    assert.equal(await convert(['--from', format, '--to', format], `\ufeff${text}`), text, format);
  }
});

// By how much an answer may exceed its budget: docs/formats.md. The estimate is rather too high, so what a notice says may be
// further above the real count than below it.
const documentedError = 0.05;
const isAbout = (said, tokens) => said / tokens - 1 >= -documentedError && said / tokens - 1 <= 0.06;
const noticeOf = {
  toon: (text) => decode(text).truncated,
  packed: (text) => JSON.parse(text).truncated,
};
const inLastLine = (text) => /\n# truncated: (.*)\n$/.exec(text)?.[1];
const dropped = /^(\d+) -> (\d+) tokens; dropped: (.*)$/;

/** What a notice says is gone: { fields, levels: below which, but: so many rows, rows, fromTheEnd }. */
function read(list) {
  const what = { fields: [], levels: Infinity, but: 0, rows: 0 };
  for (const item of list.split(', ')) {
    const levels = /^levels>(\d+)(?: but (\d+) rows)?$/.exec(item);
    const rows = /^(\d+) rows?(?: \((\d+) from the end\))?$/.exec(item);
    if (levels) [what.levels, what.but] = [Number(levels[1]), Number(levels[2] ?? 0)];
    else if (rows) [what.rows, what.fromTheEnd] = [Number(rows[1]), rows[2] && Number(rows[2])];
    else what.fields.push(item);
  }
  return what;
}

/** What is in an answer: its columns (of a tree, what its places show), and the level of each row. */
function shownIn(format, text) {
  const lines = text.trimEnd().split('\n').filter((line) => !line.startsWith('# truncated: '));
  if (format === 'table') return { fields: lines[0].toLowerCase().split(' | '), rows: lines.length - 1 };
  if (format === 'tsv') return { fields: lines[0].split('\t'), rows: lines.length - 1 };
  if (format === 'toon') return { fields: Object.keys(decode(text).symbols[0]), rows: decode(text).symbols.length };
  if (format === 'packed') {
    const { omitted = [], symbols } = JSON.parse(text);
    return { fields: ['name', 'kind', 'range', 'selection', 'parent'].filter((field) => !omitted.includes(field)), rows: symbols.length };
  }
  const symbols = decodeTree(text);
  const levelsOf = (tree) => (tree.length === 0 ? 0 : 1 + Math.max(...tree.map(({ children }) => levelsOf(children))));
  const fields = symbols[0].selectionRange ? ['name', 'kind', 'range', 'selection', 'parent'] : ['name', 'kind', 'range'];
  return { fields, rows: symbolsOf(symbols).length, levels: levelsOf(symbols) };
}

const all = symbolsOf(readJson(lib));
for (const format of budgeted) {
  test(`--max-tokens with ${format}: not over by more than the documented error, and what is dropped is what the notice says`, async () => {
    for (const limit of [500, 1000, 4000, format === 'tree' ? 75000 : 120000]) {
      const text = await convert(['--from', 'json', '--to', format, '--max-tokens', String(limit), lib]);
      const tokens = countTokens(text.trimEnd());
      const message = `${tokens} tokens for ${limit}`;
      assert.ok(tokens <= limit * (1 + documentedError), message);
      const notice = (noticeOf[format] ?? inLastLine)(text);
      const [, before, after, list] = dropped.exec(notice);
      assert.ok(isAbout(Number(after), tokens), `${message}, said to be ${after}`);
      const whole = countTokens(await convert(['--from', 'json', '--to', format, lib]));
      assert.ok(isAbout(Number(before), whole), `${whole} tokens, said to be ${before}`);

      const { fields, levels, but, rows, fromTheEnd } = read(list);
      const shown = shownIn(format, text);
      for (const field of ['selection', 'parent']) assert.equal(shown.fields.includes(field), !fields.includes(field), field);
      assert.equal(shown.rows, all.length - rows, list);
      const kept = all.filter(({ level }) => level < levels);
      // Rows from the end: what is there is how the levels that are left begin.
      assert.equal(shown.rows, kept.length + but - (fromTheEnd ?? (levels === Infinity ? rows : 0)), list);
      // It would not have been needed to give up so much.
      assert.ok(tokens > limit * (1 - 0.06) - 40 || rows === 0 || fromTheEnd === undefined, message);
    }
  });
}

for (const format of [...budgeted, 'outline']) {
  test(`--max-tokens with ${format}: no recorded reply's answer is over by more than the documented error`, async () => {
    for (const file of trees) {
      const hovers = hasHovers(file) ? ['--hovers', fixture(hoversOf(file))] : [];
      for (const limit of [400, 1000, 2500, 8000]) {
        const text = await convert(['--from', 'json', '--to', format, ...hovers, '--max-tokens', String(limit), fixture(file)]);
        const tokens = countTokens(text.trimEnd());
        assert.ok(tokens <= limit * (1 + documentedError), `${file}: ${tokens} tokens for ${limit}`);
      }
    }
  });
}

test('--max-tokens takes the prose of the hovers first, then the hovers, then the levels', async () => {
  const file = 'captures/ts7/src__Option.ts.symbols.json';
  const args = ['--from', 'json', '--to', 'tree', '--hovers', fixture(hoversOf(file)), fixture(file)];
  const whole = countTokens(await convert(args));
  const noticeAt = async (share) => {
    const text = await convert([...args, '--max-tokens', String(Math.floor(whole * share))]);
    assert.ok(countTokens(text) <= whole * share * (1 + documentedError));
    return inLastLine(text)?.replace(/^.*dropped: /, '');
  };
  assert.equal(await noticeAt(1.05), undefined);
  assert.match(await noticeAt(0.9), /^hover prose of the last \d+ rows$/);
  assert.match(await noticeAt(0.6), /^hover of the last \d+ rows$/);
  assert.match(await noticeAt(0.2), /^hover( of the last \d+ rows)?, selection, parent$/);
  assert.match(await noticeAt(0.1), /^hover, selection, parent, levels>1 but \d+ rows, \d+ rows$/);
});

test('a notice is no row: an answer that gave up its hovers reads back', async () => {
  const file = 'captures/ts7/v3__types.ts.symbols.json';
  const args = ['--from', 'json', '--hovers', fixture(hoversOf(file)), fixture(file)];
  for (const format of lossless.filter((one) => budgeted.includes(one))) {
    const bare = countTokens(await convert(['--from', 'json', '--to', format, fixture(file)]));
    const cut = await convert(['--to', format, '--max-tokens', String(Math.ceil(bare * 1.05)), ...args]);
    assert.match((noticeOf[format] ?? inLastLine)(cut), /dropped: hover( of the last \d+ rows)?$/);
    const back = symbolsOf(JSON.parse(await convert(['--from', format, '--to', 'json'], cut)));
    assertSame(withoutDetail(back), withoutDetail(symbolsOf(readJson(fixture(file)))), format);
  }
});

const reply = JSON.stringify([symbol('a', 'x', 1, 9, [symbol('b', '', 2, 3, [])])]);
const shapes = {
  table: { good: 'NAME | KIND | RANGE | SELECTION | PARENT\n', row: 'a | five | 1:0-2 | 1:0-2 | ' },
  tree: { good: 'c2-10 a:0-7@0\n', row: '  c3-4 b' },
  packed: { good: '{"v":"2.0","strings":["a"],\n', row: '"symbols":[[0,five,1,0,1,2,1,0,1,2,-1,-1]]}' },
  ndjson: { good: '{"name":"a","kind":"Class","start_line":1,"start_character":0,"end_line":1,"end_character":2,"parent":null}\n', row: '{"name":"a","kind":"five"}' },
  json: { good: '[{"name":"a","kind":5,\n', row: '"range":}]' },
};
for (const [format, { good, row }] of Object.entries(shapes)) {
  test(`broken ${format}: exit status 1, and the error says line and column`, async (t) => {
    const cwd = folder(t, { broken: good + row });
    const { status, stdout, stderr } = await run(['convert', '--from', format, '--to', 'table', 'broken'], { cwd });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^symbols: broken: cannot read the .* at line 2, column \d+: [^\n]+\n$/);
  });
}

const refused = [
  { what: 'outline', from: 'outline', text: '[L1] (c) a', says: /outline cannot be read back/ },
  { what: 'a table without RANGE and PARENT', from: 'table', text: 'NAME | KIND\na | 5', says: /missing column RANGE, PARENT or DEPTH/ },
  { what: 'TSV', from: 'tsv', text: 'name\tkind\na\t5', says: /tsv cannot be read back: it is for other programs; keep the answer in another format/ },
  { what: 'TOON', from: 'toon', text: 'symbols[0]{name,kind}:', says: /toon cannot be read back: it is for other programs/ },
  { what: 'NDJSON of two files', from: 'ndjson', text: ['a', 'b'].map((path) => JSON.stringify({ path, name: 'x', kind: 5, start_line: 0, start_character: 0, end_line: 0, end_character: 1, depth: 0 })).join('\n'), says: /line 2, .*rows of a second file; convert the rows of one path/ },
  { what: 'NDJSON of a file that failed', from: 'ndjson', text: '{"path":"a","error":"no server"}', says: /line 1, .*not answered: no server/ },
  { what: 'NDJSON that is cut', from: 'ndjson', text: '{"path":"a","name":"x', says: /line 1, column 22: expected the rest of a JSON object/ },
  { what: 'NDJSON with more behind a row', from: 'ndjson', text: '{} {}', says: /line 1, column 4: expected the end of the line/ },
  { what: 'NDJSON whose parents follow', from: 'ndjson', text: JSON.stringify({ name: 'x', kind: 5, start_line: 0, start_character: 0, end_line: 0, end_character: 1, parent: 3 }), says: /its parent is not a row around the row before it/ },
];
for (const { what, from, text, says } of refused) {
  test(`refused: ${what}`, async () => {
    const { status, stdout, stderr } = await run(['convert', '--from', from, '--to', 'json'], { input: text });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, says);
  });
}

// What an answer does not show, no other can be made of.
const lacking = [
  { view: ['--fields', 'name,kind,range,parent'], from: ['table', 'tree', 'packed'], to: ['json', 'outline'], says: /has no SELECTION, which (json|outline) needs/ },
  { view: ['--fields', 'name,kind,range,parent'], from: ['table'], to: ['tsv'], fields: 'name,selection', says: /has no SELECTION, which tsv needs/ },
  { view: ['--verbosity', 'minimal'], from: ['tree'], to: ['table', 'tsv', 'toon', 'packed'], says: /has no RANGE, which \w+ needs; convert from an answer that has it/ },
  { view: ['--verbosity', 'minimal'], from: ['tree'], to: ['table'], fields: 'name,kind,lines', says: /has no LINES, which table needs/ },
  { view: ['--verbosity', 'minimal', '--ends', 'all'], from: ['tree'], to: ['table', 'tsv', 'toon', 'packed'], says: /has no RANGE, which \w+ needs; .*--fields name,kind,lines,parent/ },
  { view: ['--verbosity', 'minimal'], from: ['tree'], to: ['json'], says: /has no RANGE, SELECTION, which json needs; convert from an answer that has it/ },
  { view: ['--fields', 'name'], from: ['tree'], to: ['table'], says: /has no RANGE, which table needs/ },
];
for (const { view, from, to, fields, says } of lacking) {
  test(`refused by name: ${from} of ${view.join(' ')} to ${to}`, async () => {
    for (const one of from) {
      const text = await convert(['--from', 'json', '--to', one, ...view], reply);
      for (const target of to) {
        const { status, stdout, stderr } = await run(['convert', '--from', one, '--to', target, ...(fields ? ['--fields', fields] : [])], { input: text });
        assert.deepEqual([status, stdout], [1, ''], `${one} to ${target}`);
        assert.match(stderr, says);
      }
    }
  });
}

test('what an answer lacks is left out of one that can do without it', async () => {
  const minimal = await convert(['--from', 'json', '--to', 'tree', '--verbosity', 'minimal', '--fold', 'no'], reply);
  assert.equal(minimal, 'f2 a\n <255>3 b\n');
  const lines = await convert(['--from', 'json', '--to', 'tree', '--verbosity', 'minimal', '--fold', 'no', '--ends', 'all'], reply);
  assert.equal(lines, 'f2-10 a:-\n <255>3-4 b\n');
  const from = (format, text, to, ...args) => convert(['--from', format, '--to', to, ...args], text);
  assert.equal(await from('tree', lines, 'tree'), lines);
  assert.equal(await from('tree', lines, 'table', '--fields', 'name,kind,lines,parent'), 'NAME | KIND | LINES | PARENT\na | 12 | 2-10 | \nb | 255 | 3-4 | a\n');
  assert.equal(await from('tree', minimal, 'tree'), minimal);
  assert.equal(await from('tree', minimal, 'tree', '--verbosity', 'minimal', '--fold', 'no'), minimal);
  const folded = await from('tree', minimal, 'tree', '--verbosity', 'minimal');
  assert.equal(folded, 'f2 a+1\n');
  assert.equal(await from('tree', folded, 'tree'), folded);
  assert.match(await from('tree', minimal, 'json', '--verbosity', 'counts'), /2 symbols/);
  const narrow = await from('json', reply, 'table', '--fields', 'name,kind,range,parent');
  assert.equal(await from('table', narrow, 'tsv'), 'name\tkind\trange\tparent\na\t12\t1:0-9:7\t\nb\t255\t2:0-3:7\ta\n');
});
