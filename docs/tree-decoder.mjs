// Reads the `tree` format of `symbols` (docs/spec.md, section 2) back to LSP's DocumentSymbol[]. No dependencies: copy it.
//
//   import { decodeTree } from './tree-decoder.mjs';
//   decodeTree('c28-44 Rectangle:13-1@13\n p29 name:2-30@11 count:19@9');
//
// Each symbol: { name, kind, range, selectionRange, children }, and as strings what else the row has: `hover`, `detail`, `tags`, `in`
// (a container that is no row), …; `folded` is the number of symbols inside that are left out, `more` of those that follow it and are
// left out. Positions count from 0, in UTF-16 units, as LSP's do. A text without columns (`verbosity: minimal`) gives `line` and `endLine`, from 1, in place of the ranges (endLine is line where
// the text has no last line); a text without selections gives no selectionRange.
// What is no tree throws a SyntaxError with `line` and `column`, both from 1.

const letters = ' LMnPcmpFCeifvkSNbaoKZEsVOT';
const words = (' File Module Namespace Package Class Method Property Field Constructor Enum Interface Function Variable Constant String Number '
  + 'Boolean Array Object Key Null EnumMember Struct Event Operator TypeParameter').split(' ');
const kinds = `([${letters.trim()}]|${words.slice(1).join('|')}|<-?\\d+>|\\?)`;
const firstPlace = new RegExp(`${kinds}(?:(\\d+)(?:-(\\d+))?)? `, 'y');
const laterPlace = new RegExp(`${kinds}(\\d+)(?:-(\\d+))? `, 'y');
const columns = String.raw`(?::(?:(\d+)(-(\d*))?|-))?`;
const selection = String.raw`(@(?:([!?])|(\d+):(\d+)(?:-(\d+):(\d+))?|(\d+)(?:-(\d+))?)?)?`;
const symbol = new RegExp(String.raw`(?:\x60((?:[^\x60\\]|\\.)*)\x60|([^ ,\x60]+?))${columns}${selection}(?:(…)?\+(\d+))?(?=([ ,])|$)`, 'y');
const escape = /\\(?:x([0-9A-F]{2})|u\{([0-9A-F]{1,6})\}|(.|$))/g;
const escaped = { n: '\n', r: '\r', t: '\t', '\\': '\\', '`': '`' };
const largest = 2 ** 32 - 1;

/** The length of the name in the source, as the format defines it: without scope and template arguments. */
export function nameLength(name) {
  if (/(^|[.:])operator(?!\w)/.test(name)) return 'operator'.length;
  const bare = name.replace(/(?<=.)<.*$/s, '');
  return bare.length - 1 - Math.max(...['.', ':'].map((mark) => bare.slice(0, -1).lastIndexOf(mark)));
}

/** Reads a tree; see above. */
export function decodeTree(text) {
  const top = [];
  const path = []; // [i] is the last symbol at level i, and what the next symbols need of it
  const last = new Map(); // of a level, kind and form: start, selection and end of the last such symbol
  const tails = new Map(); // of a name: from the end of the name to that of the range, in its last one-line symbol
  let withColumns, withSelections; // set by the first symbol
  let row, number;

  const fail = (at, expected) => {
    const error = new SyntaxError(`tree: line ${number}, column ${at + 1}: ${expected}`);
    throw Object.assign(error, { line: number, column: at + 1 });
  };
  const read = (digits, at, most = largest) => (Number(digits) <= most ? Number(digits) : fail(at, `expected a number up to ${most}`));
  const readLine = (digits, at) => read(digits, at, largest + 1) - 1 < 0 ? fail(at, 'lines count from 1') : Number(digits) - 1;
  const match = (pattern, at) => ((pattern.lastIndex = at), pattern.exec(row));
  const unescape = (part, at) => part.replace(escape, (_, x, u, one, offset) => {
    const code = parseInt(x ?? u ?? '0', 16);
    if (one !== undefined ? !(one in escaped) : code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) fail(at + offset, 'expected one of the escapes \\\\ \\n \\r \\t \\` \\xHH \\u{HHHH}');
    return one === undefined ? String.fromCodePoint(code) : escaped[one];
  });

  const ranges = (found, place, name, level, at) => {
    const [, , , startOrEnd, dash, end, selected, mark, line, column, endLine, endColumn, from, to] = found;
    const first = withColumns === undefined;
    if (first) [withColumns, withSelections] = [startOrEnd !== undefined, mark !== '?'];
    if (!withColumns || place.line === undefined) {
      if (startOrEnd !== undefined || selected !== undefined) fail(at, 'columns, but the first symbol (or this place) has none');
      return place.line === undefined ? {} : { line: place.line + 1, endLine: place.endLine + 1 };
    }
    if (first && !(end && selected)) fail(at, 'the first symbol must have all its columns: name:start-end@selection');
    if (!first && (mark === '?' || (selected !== undefined && !withSelections))) fail(at, 'the first symbol says whether there are selections');

    const oneLine = place.line === place.endLine;
    const key = `${level} ${place.kind} ${oneLine}`;
    const before = last.get(key) ?? {};
    const [above, beside] = [path[level - 1], path[level]];
    let start = before.start ?? 0;
    if (beside?.endLine === place.line) start = beside.end + 2;
    else if (!beside && above?.selectionLine === place.line) start = above.selectionEnd + 1;
    if (dash) start = read(startOrEnd, at);

    // The selection: a number is its distance from the start, on the same line and as long as the name.
    let offset = withSelections ? (before.offset ?? 0) : 'none';
    const length = nameLength(name);
    let own;
    if (selected === '@') offset = 'whole';
    else if (mark === '!') offset = 'empty';
    else if (to !== undefined) own = [place.line, read(from, at), place.line, read(to, at)];
    else if (from !== undefined) offset = read(from, at) - start;
    else if (line !== undefined) {
      own = [readLine(line, at), read(column, at)];
      own.push(...(endLine === undefined ? [own[0], own[1] + length] : [readLine(endLine, at), read(endColumn, at)]));
    }
    const placed = own ?? (typeof offset === 'number' ? [place.line, start + offset, place.line, start + offset + length] : undefined);
    const nameEnd = placed && placed[0] === place.line && placed[2] === place.line ? placed[3] : start + length;

    const explicit = dash ? end : startOrEnd;
    const tail = tails.get(name) ?? before.tail ?? 0;
    const stop = explicit ? read(explicit, at) : oneLine ? nameEnd + tail : (before.end ?? start + 1);
    const whole = [place.line, start, place.endLine, stop];
    const selectedRange = placed ?? (offset === 'whole' ? whole : [place.line, start, place.line, start]);
    if ([...whole, ...selectedRange].some((value) => value < 0 || value > largest)) fail(at, 'a column beyond what a position can hold');

    last.set(key, { start, offset: own ? before.offset : offset, end: stop, tail: stop - nameEnd });
    if (oneLine) tails.set(name, stop - nameEnd);
    const asRange = ([startLine, start, endLine, end]) => ({ start: { line: startLine, character: start }, end: { line: endLine, character: end } });
    const shown = { range: asRange(whole), ...(withSelections && { selectionRange: asRange(selectedRange) }) };
    return Object.defineProperty(shown, 'seen', { value: { endLine: place.endLine, end: stop, selectionLine: selectedRange[0], selectionEnd: selectedRange[3] } });
  };

  const readRow = () => {
    const [head, hover, ...fields] = row.split('\t');
    const [indent, digits] = /^ *(?:\\\^(\d+) )?/.exec(head);
    const level = digits === undefined ? indent.length : Number(digits);
    if (level > path.length) fail(0, 'a row two levels below the one before');
    let at = indent.length;
    let place, found;
    row = head;
    for (let separator = ''; separator !== undefined; separator = found[16]) {
      const next = separator === ',' ? undefined : match(separator === '' ? firstPlace : laterPlace, at);
      if (next) {
        const [all, kind, line, endLine = line] = next;
        place = { kind: kind === '?' ? 0 : kind[0] === '<' ? Number(kind.slice(1, -1)) : kind.length === 1 ? letters.indexOf(kind) : words.indexOf(kind) };
        if (line) Object.assign(place, { line: readLine(line, at), endLine: readLine(endLine, at) });
        at += all.length;
      } else if (separator === '') {
        fail(at, 'expected a place, as f23 or c28-44, then a space and a name');
      } else if (place.line !== undefined) {
        const line = place.line + (separator === ' ' ? 1 : 0);
        place = { ...place, line, endLine: line };
      }
      found = match(symbol, at);
      if (!found) fail(at, 'expected a name, and after it nothing but columns');
      const name = found[1] === undefined ? unescape(found[2] === '?' ? '' : found[2], at) : unescape(found[1], at + 1);
      path.length = Math.min(path.length, level + 1);
      const shown = ranges(found, place, name, level, at);
      const made = { name, kind: place.kind, ...shown, ...(found[15] && { [found[14] ? 'more' : 'folded']: read(found[15], at) }), children: [] };
      (level === 0 ? top : path[level - 1].made.children).push(made);
      path[level] = { made, ...shown.seen };
      at += found[0].length + 1;
    }
    if (hover) path[level].made.hover = unescape(hover, at);
    for (const field of fields) {
      const [, key, value] = /^([a-z]+)=(.*)$/s.exec(field) ?? fail(at, 'expected key=value after a tab');
      path[level].made[key] = unescape(value, at);
    }
  };

  const rows = text.split(/\r?\n/);
  if (rows.at(-1) === '') rows.pop();
  if (rows.at(-1)?.startsWith('# truncated: ')) rows.pop();
  for ([number, row] of rows.map((one, i) => [i + 1, one])) readRow();
  return top;
}
