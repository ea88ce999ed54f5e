// The rival of bench/render.mjs: the same table made in JavaScript, JSON.parse and string building, as a plugin or an
// MCP server would do it. Run by render.mjs:
//
//   node bench/render_in_node.mjs FILE ITERATIONS      prints JSON: { rendered: [ms…], rows, bytes }
import { readFileSync } from 'node:fs';

const escapes = { '\\': '\\\\', '|': '\\|', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const special = /[\\|\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const everySpecial = new RegExp(special, 'g');
const escapeOne = (c) => {
  const code = c.codePointAt(0);
  const hex = code.toString(16).toUpperCase();
  return escapes[c] ?? (code <= 0x9f ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex.padStart(4, '0')}}`);
};
const cell = (text) => (special.test(text) ? text.replace(everySpecial, escapeOne) : text);

const range = ({ start, end }) =>
  start.line === end.line ? `${start.line}:${start.character}-${end.character}` : `${start.line}:${start.character}-${end.line}:${end.character}`;

const before = (a, b) => a.line < b.line || (a.line === b.line && a.character <= b.character);
const contains = (outer, inner) => before(outer.start, inner.start) && before(inner.end, outer.end);

/** The depth of the row that a reader would take for the parent: docs/spec.md, section 2. */
function found(path, name, range) {
  let deepest = -1;
  for (let depth = path.length - 1; depth >= 0; --depth) {
    if (path[depth].name !== name) continue;
    if (contains(path[depth].range, range)) return depth;
    if (deepest < 0) deepest = depth;
  }
  return deepest;
}

let path = [];
let rows = 0;
function addRows(lines, symbols, depth) {
  for (const symbol of symbols) {
    let parent = '';
    if (depth > 0) {
      const name = path[depth - 1].name;
      parent = cell(name);
      if (name === '' || found(path, name, symbol.range) !== depth - 1) parent += `\\^${depth - 1}`;
    }
    lines.push(`${cell(symbol.name)} | ${symbol.kind} | ${range(symbol.range)} | ${range(symbol.selectionRange)} | ${parent}`);
    ++rows;
    path.length = depth;
    path.push(symbol);
    if (symbol.children) addRows(lines, symbol.children, depth + 1);
  }
}

function table(json) {
  const lines = ['NAME | KIND | RANGE | SELECTION | PARENT'];
  path = [];
  rows = 0;
  addRows(lines, JSON.parse(json), 0);
  return lines.join('\n');
}

const [file, iterations] = process.argv.slice(2);
const reply = readFileSync(file);  // bytes, as they come from a server
const rendered = [];
let text;
for (let left = Number(iterations); left > 0; --left) {
  const begin = performance.now();
  text = Buffer.from(table(reply.toString('utf8')), 'utf8');
  rendered.push(performance.now() - begin);
}
console.log(JSON.stringify({ rendered, rows, bytes: text.length }));
