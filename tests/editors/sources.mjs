// Sources for the tests of editors: symbols behind characters of two, three and four bytes in their line, and what the
// language server says where these symbols are.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { fixture, run } from '../e2e/program.mjs';

export const sources = {
  'geometry.cpp': readFileSync(fixture('geometry.cpp'), 'utf8'),
  'geometry.ts': readFileSync(fixture('geometry.ts'), 'utf8'),
  'names.cpp': `/* é */ int accented = 1; /* 漢字 */ int wide = 2; /* 😀 */ int astral = 3;
struct Größe { /* 😀😀 */ int höhe; };
	int tabbed(int a) { return a; }
`,
  // The name of the callback holds a real newline and a bar.
  'names.ts': `declare function test(name: string, body: () => void): void;
/* é 漢字 😀 */ export const behind = 1; /* 😀 */ export function größe(a: number) { /* 😀 */ const inner = a; return inner; }
test(\`first | second
third\`, () => { const /* é */ nested = 1; });
class A { "a | b f1:2-3" = 1; 'with \\\\ backslash' = 2; constructor() {} }
export default function () { return "漢字"; }
`,
};

/** Of the places of all symbols of a tree those of the first ones in its rows; a hover after each row ends up at the row's last symbol. */
export function firstOfRows(tree, places) {
  const inPreOrder = (symbols) => symbols.flatMap((symbol) => [symbol, ...inPreOrder(symbol.children)]);
  const symbols = inPreOrder(decodeTree(tree.replace(/^[^\t\n]+$/gm, '$&\tlast')));
  assert.equal(symbols.length, places.length);
  return places.filter((_, i) => i === 0 || symbols[i - 1].hover);
}

/** What `symbols` prints for the file, in the environment of an editor's home. */
export async function printed(args, { env, home }) {
  const { status, stdout, stderr } = await run(args, { env, cwd: home });
  if (status !== 0) throw new Error(`symbols ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout.replace(/\n$/, '');
}

/** Where each symbol's name starts, in the order of the rows: zero-based line and the byte in it. */
export function startsOfNames(json, text) {
  const lines = text.split('\n');
  const starts = [];
  const waiting = [...JSON.parse(json)].reverse();
  while (waiting.length > 0) {
    const { selectionRange: { start }, children = [] } = waiting.pop();
    starts.push({ line: start.line, byte: Buffer.byteLength(lines[start.line].slice(0, start.character)) });
    waiting.push(...[...children].reverse());
  }
  return starts;
}
