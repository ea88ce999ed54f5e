// Makes docs/before-after.svg: what a language server sends about fixtures/geometry.ts, and what symbols makes of it, each with its
// tokens. tests/e2e/readme.test.mjs compares it with the picture, and writes the picture with SYMBOLS_UPDATE_GOLDENS=1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, project, run } from '../../tests/e2e/program.mjs';
import { countTokens } from '../../tests/e2e/tokens.mjs';
import { escaped, piece, style } from './monospace_svg.mjs';

const file = 'fixtures/geometry.ts';
const shown = ['--format', 'tree', '--verbosity', 'signatures'];
const [size, lineHeight, gap, margin] = [11, 17, 44, 14];

/** The results of the server's replies to these requests, in the order in which they came, out of a log of the traffic. */
function results(log, method) {
  const messages = log.split('\n').map((line) => /^\S+ \S+ (-->|<--) (\{.*)$/.exec(line)).filter(Boolean)
    .map(([, direction, text]) => ({ isOurs: direction === '-->', ...JSON.parse(text) }));
  const asked = new Set(messages.filter((one) => one.isOurs && one.method === method).map(({ id }) => id));
  return messages.filter((one) => !one.isOurs && asked.has(one.id) && 'result' in one).map(({ result }) => result);
}

/** { svg, tokens: { symbols, hovers, answer } } */
export async function beforeAfter(t) {
  const log = join(folder(t), 'log');
  const answer = async (...args) => {
    const { status, stdout, stderr } = await run([...args, file], { cwd: project });
    if (status !== 0) throw new Error(stderr);
    return stdout.trimEnd();
  };
  const after = await answer(...shown);
  await answer('--log', log);
  const traffic = readFileSync(log, 'utf8');
  const [reply] = results(traffic, 'textDocument/documentSymbol').map((one) => JSON.stringify(one));
  const hovers = results(traffic, 'textDocument/hover').map((one) => JSON.stringify(one));
  const tokens = { symbols: countTokens(reply), hovers: hovers.reduce((sum, one) => sum + countTokens(one), 0), answer: countTokens(after) };

  const lines = after.split('\n').slice(1);  // without its heading, "# signatures"
  const rows = lines.length;
  const columns = Math.max(...lines.map((line) => line.length));
  const width = Math.ceil(columns * size * 0.6) + 2 * margin;
  const before = Array.from({ length: rows - 1 }, (_, i) => reply.slice(i * columns, (i + 1) * columns));
  const left = reply.length - before.join('').length;
  const number = new Intl.NumberFormat('en');
  const panel = (x, title, note, text) => [
    `<text class="bold" x="${x}" y="18" font-size="13">${escaped(title)}</text>`,
    `<text class="dim" x="${x}" y="36" font-size="12">${escaped(note)}</text>`,
    `<rect class="panel" x="${x + 0.5}" y="46.5" width="${width}" height="${rows * lineHeight + 2 * margin - 4}" rx="6"/>`,
    ...text.flatMap((pieces, i) => pieces.map(([words, classes, column = 0]) =>
      piece(words, { x: x + margin, y: 46 + margin + 10 + i * lineHeight, size, column, classes }))),
  ];
  const right = width + gap;
  const middle = 46 + (rows * lineHeight) / 2 + margin;
  const parts = [
    ...panel(0, `The language server: ${number.format(tokens.symbols + tokens.hovers)} tokens`,
      `JSON: ${number.format(tokens.symbols)} for the symbols, ${number.format(tokens.hovers)} for ${hovers.length} hovers`,
      [...before.map((line) => [[line, 'dim']]), [[`… ${number.format(left)} more characters, then the hovers`, 'bold']]]),
    `<path d="M${width + 10} ${middle}h${gap - 24}m-7 -6l7 6l-7 6" fill="none" stroke="#1a7f5a" stroke-width="2.5"/>`,
    ...panel(right, `symbols: ${tokens.answer} tokens`, 'kind, line, signature; ranges and documentation on request',
      lines.map((line) => {
        const [, indent, place, rest] = /^( *)(\S+)(.*)$/.exec(line);
        return [[place, 'blue', indent.length], [rest.trimStart(), '', line.length - rest.trimStart().length]];
      })),
  ];
  const height = 46 + rows * lineHeight + 2 * margin - 2;
  const label = `${file}: ${tokens.symbols + tokens.hovers} tokens of JSON from the language server, ${tokens.answer} tokens from symbols`;
  return {
    tokens,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right + width + 1} ${height}" width="${right + width + 1}" height="${height}" role="img" aria-label="${escaped(label)}">
<style>${style}</style>
${parts.join('\n')}
</svg>
`,
  };
}
