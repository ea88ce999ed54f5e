// Sources for the tests of editors: symbols behind characters of two, three and four bytes in their line, and where the program says
// that they are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture, printed as print } from '../e2e/program.mjs';

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

export const printed = async (args, { env, home }) => (await print(args, { env, cwd: home })).replace(/\n$/, '');

/** What it prints, and where each line leads: `{ file, line, byte }`, from 0, of its first symbol's name; or false. */
export async function printedRows(args, file, place) {
  const source = readFileSync(join(place.home, file), 'utf8').split('\n');
  const answer = await printed([...args, '--positions', file], place);
  const lines = answer.split('\n').map((line) => /^(?:(\d+):(\d+)\t)?(.*)$/.exec(line));
  return {
    text: lines.map(([, , , text]) => text).join('\n'),
    starts: lines.map(([, line, character]) =>
      line !== undefined && { file, line: Number(line), byte: Buffer.byteLength(source[line].slice(0, character)) }),
  };
}
