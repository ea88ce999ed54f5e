// Where in the source each line of a shown answer leads: the start of its symbol's name.
import * as vscode from 'vscode';

// An outline has no characters: the name is somewhere in the line.
export interface NamedLine {
  line: number;  // from 0
  name: string;
}

type Convert = (text: string, from: string) => Promise<string>;

// By the line's number from 0. Lines that stand for no symbol are not in it. `convert` turns a text of the format into `packed`.
export async function symbolPositions(text: string, format: string, convert: Convert): Promise<Map<number, vscode.Position | NamedLine>> {
  const lines = text.split('\n');
  switch (format) {
    case 'table': return ofColumns(lines, ' | ', 'RANGE', 'SELECTION');
    case 'tsv': return ofColumns(lines, '\t', 'range', 'selection');
    case 'outline': return ofOutline(lines);
    // Only a full decoder can read it: the program does.
    case 'tree': return ofTree(lines, ofPacked(await convert(text, format), 0));
    case 'toon': return ofPacked(await convert(text, format), 1);
    default: throw new Error(`rows of the format ${format} are not lines: choose another in the setting symbols.format to go to symbols`);
  }
}

// No cell holds its separator: a name's own is escaped.
function ofColumns(lines: string[], separator: string, range: string, selection: string) {
  const header = lines[0]!.split(separator);
  const column = header.includes(selection) ? header.indexOf(selection) : header.indexOf(range);
  if (column < 0) throw new Error(`the rows have neither ${selection} nor ${range}: mend the settings symbols.arguments and symbols.fileArguments to go to symbols`);
  const positions = new Map<number, vscode.Position>();
  lines.forEach((line, i) => {
    const start = /^(\d+):(\d+)-/.exec(line.split(separator)[column] ?? '');
    if (i > 0 && start) positions.set(i, new vscode.Position(Number(start[1]), Number(start[2])));
  });
  return positions;
}

// `[L24] (f) name`, below it the symbol's signature, which belongs to it.
function ofOutline(lines: string[]) {
  const positions = new Map<number, NamedLine>();
  let latest: NamedLine | undefined;
  lines.forEach((line, i) => {
    const id = /^ *\[L(\d+)\] \(\S+\) (.*)$/.exec(line);
    if (id) latest = { line: Number(id[1]) - 1, name: id[2]! };
    if (latest) positions.set(i, latest);
  });
  return positions;
}

const kindWords = Object.keys(vscode.SymbolKind).filter((word) => /^[A-Z]/.test(word)).join('|');
const place = new RegExp(`^([LMnPcmpFCeifvkSNbaoKZEsVOT]|${kindWords}|<-?\\d+>|\\?)\\d+(-\\d+)? $`);

// A line of a tree leads to the first of its symbols. `symbols`: the positions of all of them, by their number.
function ofTree(lines: string[], symbols: Map<number, vscode.Position>) {
  const positions = new Map<number, vscode.Position>();
  let symbol = 0;
  lines.forEach((line, i) => {
    const position = symbols.get(symbol);
    if (line === '' || line.startsWith('# ') || !position) return;
    positions.set(i, position);
    // Up to the first tab: a place, then names, separated by spaces or commas; a further place follows a space.
    const row = line.split('\t')[0]!.replace(/^(\\\^\d+ )? */, '');
    let [first, afterPlace, afterSpace] = [true, false, false];
    for (const [word] of row.matchAll(/(`(\\.|[^`\\])*`|[^ ,`])+[ ,]?/g)) {
      const isPlace = first || (!afterPlace && afterSpace && place.test(word));
      if (!isPlace) ++symbol;
      [first, afterPlace, afterSpace] = [false, isPlace, word.endsWith(' ')];
    }
  });
  return positions;
}

// Of a row in `packed`: name, kind, the range, then the selection's line and character.
function ofPacked(packed: string, firstLine: number) {
  const { symbols } = JSON.parse(packed) as { symbols: number[][] };
  return new Map(symbols.map((row, i) => [i + firstLine, new vscode.Position(row[6]!, row[7]!)]));
}
