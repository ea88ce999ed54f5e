// docs/tree-decoder.mjs, which authors of clients can copy, on what the program writes: every recorded reply, hostile symbols, and
// damaged texts.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { fixture, run } from './program.mjs';

async function convert(args, input) {
  const { status, stdout, stderr } = await run(['convert', '--from', 'json', '--to', 'tree', ...args], { input });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

/** All symbols in pre-order, as `of` shows them, and their levels. */
function inPreOrder(tree, of) {
  const rows = [];
  const stack = [...tree].reverse().map((symbol) => [symbol, 0]);
  while (stack.length > 0) {
    const [symbol, level] = stack.pop();
    rows.push({ level, ...of(symbol) });
    for (const child of [...(symbol.children ?? [])].reverse()) stack.push([child, level + 1]);
  }
  return rows;
}
// toWellFormed() is not in Debian 12's Node.
const wellFormed = (text) => Buffer.from(text, 'utf8').toString('utf8');
const whole = ({ name, kind, range, selectionRange }) => ({ name: wellFormed(name), kind, range, selectionRange });
const ranges = ({ name, kind, range }) => ({ name, kind, range });
const lines = ({ name, kind, range, line }) => ({ name, kind, line: line ?? range.start.line + 1 });

/** As deepEqual, but says which symbol differs instead of printing thousands. */
function assertSame(actual, expected) {
  assert.equal(actual.length, expected.length);
  expected.forEach((symbol, i) => assert.deepEqual(actual[i], symbol, `symbol ${i}`));
}

const captures = readdirSync(fixture('captures'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(fixture(`captures/${name}`)).map((file) => fixture(`captures/${name}/${file}`)))
  .filter((file) => file.endsWith('.symbols.json'));

for (const file of captures) {
  test(`${file.split('/').slice(-2).join('/')} is decoded as the server sent it`, async () => {
    const reply = JSON.parse(readFileSync(file, 'utf8'));
    assertSame(inPreOrder(decodeTree(await convert(['--no-hover', file])), whole), inPreOrder(reply, whole));
    assertSame(inPreOrder(decodeTree(await convert(['--kind-names', '--fields', 'name,kind,range,parent', file])), ranges), inPreOrder(reply, ranges));
    for (const ends of ['long', 'all']) {
      const minimal = decodeTree(await convert(['--verbosity', 'minimal', '--fold', 'no', '--ends', ends, file]));
      assertSame(inPreOrder(minimal, lines), inPreOrder(reply, lines));
      if (ends === 'all') {
        const last = ({ name, range, endLine }) => ({ name, last: endLine ?? range.end.line + 1 });
        assertSame(inPreOrder(minimal, last), inPreOrder(reply, last));
      }
    }
    const shown = inPreOrder(decodeTree(await convert(['--verbosity', 'minimal', file])), ({ folded = 0, more = 0 }) => ({ folded: folded + more }));
    const folded = shown.reduce((sum, symbol) => sum + symbol.folded, 0);
    const all = inPreOrder(reply, lines).length;
    // The rows of one macro, which only clangd sends, become one.
    assert.ok(file.includes('clangd') ? shown.length + folded <= all : shown.length + folded === all, `${shown.length} + ${folded} of ${all}`);
    const hovers = file.replace('.symbols.', '.hovers.');
    if (!existsSync(hovers)) return;
    const decoded = inPreOrder(decodeTree(await convert(['--hovers', hovers, '--hover-chars', '0', file])), (symbol) => ({ ...whole(symbol), hover: symbol.hover ?? '' }));
    const { stdout } = await run(['convert', '--from', 'json', '--to', 'json', '--hovers', hovers, '--hover-chars', '0', file]);
    // JSON has a hover in the place of the detail; a symbol without one keeps its own.
    const own = inPreOrder(reply, ({ detail }) => ({ detail }));
    assertSame(decoded, inPreOrder(JSON.parse(stdout), (symbol) => ({ ...whole(symbol), hover: symbol.detail ?? '' }))
      .map((symbol, i) => (symbol.hover === own[i].detail ? { ...symbol, hover: '' } : symbol)));
  });
}

let seed = 1;
const below = (n) => ((seed = (seed * 1664525 + 1013904223) >>> 0), Math.floor((seed / 2 ** 32) * n));
const pick = (all) => all[below(all.length)];
const pieces = ['a', 'foo', 'v1', 'f23', 'm41-43', '<255>3', 'Function12', '?', ':1', ':1-2', ':-', '@', '@!', '@1:2-3:4', '+3', '…', '…+4', '`', '\\', '\n', '\t', ' ', ',',
  '\0', '\x85', '\u2028', '\u202e', '\ud800', '\udc00', '😀', 'é', '::', '.', 'operator', '<T>', '<', '>', '# truncated: ', '==> x <==', '12', '"a b"', '(', ')', '\\^3 '];
const text = () => Array.from({ length: below(4) }, () => pick(pieces)).join('');
const number = () => pick([0, 1, 2, 3, 40, 4294967294, 4294967295, below(100)]);
const position = () => ({ line: number(), character: number() });
const range = () => ({ start: position(), end: position() });
function symbols(depth) {
  return Array.from({ length: below(4) }, () => ({
    name: text(), detail: text(), kind: pick([5, 7, 7, 12, 13, 1 + below(26), 0, 255, -3]), range: range(), selectionRange: range(),
    children: depth > 0 ? symbols(depth - 1) : [],
  }));
}

test('hostile symbols are decoded, and damaged texts are an error with line and column', async () => {
  let refused = 0;
  for (let round = 0; round < 30; ++round) {
    const reply = Array.from({ length: 20 }, () => symbols(3)).flat();
    const withDetail = (symbol) => ({ ...whole(symbol), detail: wellFormed(symbol.detail ?? '') });
    const tree = await convert(['--fields', 'name,kind,range,selection,parent,detail'], JSON.stringify(reply));
    assertSame(inPreOrder(decodeTree(tree), withDetail), inPreOrder(reply, withDetail));
    for (let i = 0; i < 100; ++i) {
      const at = below(tree.length);
      const damaged = tree.slice(0, at) + pick(['', ...pieces, '\t', '\n  ', '4294967296', '99999999999999999999']) + tree.slice(at + below(3));
      try {
        decodeTree(damaged);
      } catch (error) {
        assert.ok(error instanceof SyntaxError, error.stack);
        assert.match(error.message, /^tree: line \d+, column \d+: /);
        assert.ok(error.line >= 1 && error.line <= damaged.split('\n').length && error.column >= 1);
        ++refused;
      }
    }
  }
  assert.ok(refused > 500);
});

test('the decoder is short enough to be copied', () => {
  const source = readFileSync(new URL('../../docs/tree-decoder.mjs', import.meta.url), 'utf8');
  assert.ok(source.split('\n').length <= 150);
});
