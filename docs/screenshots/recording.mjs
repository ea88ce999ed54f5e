// Makes docs/demo.svg: commands typed at a real shell in a real terminal, and what they print, as an animation.
//
//   node docs/screenshots/recording.mjs
//
// It needs what `scripts/test` needs, a built build/symbols (or another one as SYMBOLS), and of Debian: apt-get install tmux
// The project is rxjs, of which the tests have the sources. Only the speed of the typing and the time to read are made up.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, serversFolder, sourcesFolder, symbolsPath } from '../../tests/e2e/program.mjs';
import { escaped, piece, style } from './monospace_svg.mjs';

const output = join(dirname(fileURLToPath(import.meta.url)), '..', 'demo.svg');
const scenes = [
  ['# A file, for people', 'symbols -k Class,Method src/internal/Subject.ts'],
  ['# The same file, for a model: names and lines', 'symbols -f tree --verbosity minimal src/internal/Subject.ts'],
  ['# A project: indexed once, then searched in milliseconds', 'symbols index src/internal', 'symbols find subject -k Class --limit 6'],
  ['# Everything about one symbol', 'symbols context src/internal/util/arrRemove.ts:6 -i references:4,callers:4'],
  ['# The project, within a budget of tokens', 'symbols map src/internal -n 220'],
];
const [columns, rows] = [100, 26];
const [size, lineHeight, margin, titleHeight] = [13, 18, 16, 30];
const typing = { first: 400, character: 32 };  // milliseconds
const reading = { first: 1200, line: 170 };
const limit = 60_000;
const largest = 80_000;  // bytes
const project = '/tmp/rxjs';  // its path is seen in the picture
const prompt = '$ ';

if (!existsSync(symbolsPath)) throw new Error(`there is no ${symbolsPath}; build it (scripts/build), or name another one as SYMBOLS`);
if (existsSync(project)) throw new Error(`${project} is there already`);

const home = mkdtempSync(join(tmpdir(), 'symbols-recording-'));
const tmux = (...args) => execFileSync('tmux', ['-S', join(home, 'tmux'), '-f', '/dev/null', ...args], { encoding: 'utf8' });
/** The lines of the screen, each with the colours that tmux has begun in the lines above it. */
function screen() {
  let codes = [];
  return tmux('capture-pane', '-e', '-p', '-t', 'demo').replace(/\n+$/, '').split('\n').map((line) => {
    const begun = codes.join('');
    for (const [code] of line.matchAll(/\x1b\[[\d;]*m/g)) codes = code === '\x1b[0m' ? [] : [...codes, code];
    return begun + line;
  });
}
const plain = (line) => line.replace(/\x1b\[[\d;]*m/g, '');

/** Gives { screens: [{ at, lines }], typed } of one command: each screen that was seen, with milliseconds after Return. */
async function record(command) {
  tmux('send-keys', '-t', 'demo', '-l', command);
  await eventually(() => plain(screen().join('')).endsWith(command), limit, command);
  const typed = screen();
  const start = Date.now();
  tmux('send-keys', '-t', 'demo', 'Enter');
  const screens = [];
  await eventually(() => {
    const lines = screen();
    const ended = lines.length > typed.length && plain(lines.at(-1)) === prompt.trimEnd();
    if (lines.join('\n') !== (screens.at(-1)?.lines ?? typed).join('\n')) screens.push({ at: Date.now() - start, lines });
    return ended;
  }, limit, command);
  return { typed, screens };
}

async function recordAll() {
  mkdirSync(join(home, 'bin'));
  cpSync(symbolsPath, join(home, 'bin', 'symbols'));
  cpSync(join(sourcesFolder, 'node_modules', 'rxjs', 'src'), join(project, 'src'), { recursive: true });
  mkdirSync(join(project, '.git'));
  // The package's own names files that it does not bring along.
  writeFileSync(join(project, 'tsconfig.json'), '{"compilerOptions": {"strict": true, "lib": ["esnext", "dom"]}, "include": ["src"]}');
  const environment = { HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}`, SYMBOLS_SERVERS_DIR: serversFolder, LANG: 'C.UTF-8', PS1: prompt,
    HISTFILE: '' };
  const settings = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
  tmux('new-session', '-d', '-s', 'demo', '-x', String(columns), '-y', String(rows), '-c', project,
    `env -i TERM=xterm-256color ${settings.join(' ')} bash --norc --noprofile`);
  tmux('set-option', '-g', 'status', 'off');
  await eventually(() => plain(screen().at(-1)) === prompt.trimEnd(), limit, 'a shell');
  const recorded = [];
  for (const commands of scenes) {
    tmux('send-keys', '-t', 'demo', '-l', 'clear');
    tmux('send-keys', '-t', 'demo', 'Enter');
    await eventually(() => { const lines = screen(); return lines.length === 1 && plain(lines[0]) === prompt.trimEnd(); }, limit, 'an empty screen');
    const scene = [];
    for (const command of commands) scene.push({ command, ...await record(command) });
    recorded.push(scene);
  }
  return recorded;
}

const colours = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' };
/** A line with its colours as pieces of SVG. */
function drawn(line, y) {
  const pieces = [];
  let classes = new Set();
  let column = 0;
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part);
    if (codes) {
      for (const code of codes[1].split(';').map(Number)) {
        if (code === 0) classes = new Set();
        else if (code === 1) classes.add('bold');
        else if (code === 2) classes.add('dim');
        else if (code === 39) classes = new Set([...classes].filter((name) => name === 'bold' || name === 'dim'));
        else if (code === 22) classes = new Set([...classes].filter((name) => name !== 'bold' && name !== 'dim'));
        else if (code === 49) continue;  // the background's own colour, which is all that is used
        else if (colours[code]) classes.add(colours[code]);
        else throw new Error(`no colour for ${code} in ${JSON.stringify(line)}`);
      }
      continue;
    }
    const blanks = part.length - part.trimStart().length;
    pieces.push(piece(part.trimStart(), { x: margin, y, size, column: column + blanks, classes: [...classes].join(' ') }));
    column += part.length;
  }
  return pieces.join('');
}

/** The animation: everything is hidden but in its own time, and the last screen is what a reader sees who wants no animations. */
function animation(recorded) {
  const shown = [];  // { from, to, svg }, milliseconds
  const covers = [];  // of what is not typed yet: { from, to, length, y }
  let now = 0;
  const top = titleHeight + margin;
  const y = (row) => top + row * lineHeight + size;
  const lineOf = (text, row) => (/^\$ #/.test(plain(text)) ? piece(text, { x: margin, y: y(row), size, classes: 'dim' }) : drawn(text, y(row)));
  for (const scene of recorded) {
    const lines = new Map();  // row → { text, from }, as they are on the screen
    const show = (texts, at) => {
      for (let row = 0; row < rows; ++row) {
        const text = texts[row] ?? '';
        const was = lines.get(row);
        if ((was?.text ?? '') === text) continue;
        if (was?.text) shown.push({ from: was.from, to: at, svg: lineOf(was.text, row) });
        lines.set(row, { text, from: at });
      }
    };
    for (const { command, typed, screens } of scene) {
      const row = typed.length - 1;
      const isComment = command.startsWith('#');
      const duration = isComment ? 0 : typing.first + command.length * typing.character;
      // What was typed is whole at once, behind a cover that goes from character to character.
      show(typed, now);
      if (!isComment) covers.push({ from: now, typedAt: now + typing.first, to: now + duration, length: command.length, row });
      now += duration + (isComment ? 0 : 200);
      for (const { at, lines: texts } of screens) show(texts, now + at);
      now += screens.at(-1).at;
      if (!isComment) now += reading.first + (screens.at(-1).lines.length - typed.length) * reading.line;
    }
    const last = scene === recorded.at(-1);
    for (const [row, { text, from }] of lines) if (text) shown.push({ from, to: now, svg: lineOf(text, row), last });
  }
  const total = now;
  const percent = (time) => `${((time / total) * 100).toFixed(2)}%`;
  const times = new Map();  // one name for each pair of times
  const nameOf = (from, to) => {
    const key = `${percent(from)} ${percent(to)}`;
    if (!times.has(key)) times.set(key, { name: `t${times.size}`, from, to });
    return times.get(key).name;
  };
  const groups = new Map();
  for (const { from, to, svg, last } of shown) {
    const name = nameOf(from, to);
    if (!groups.has(name)) groups.set(name, { parts: [], last });
    groups.get(name).parts.push(svg);
  }
  const advance = size * 0.6;
  const rules = [...times.values()].map(({ name, from, to }) =>
    `@keyframes ${name} { 0% { visibility: ${from === 0 ? 'visible' : 'hidden'}; } ${percent(from)} { visibility: visible; } ${to < total ? `${percent(to)} { visibility: hidden; }` : ''} }\n` +
    `.${name} { animation: ${name} ${total}ms step-end infinite; }`);
  covers.forEach(({ from, typedAt, to, length }, i) => {
    rules.push(`@keyframes c${i} { 0% { transform: translateX(0); visibility: ${from === 0 ? 'visible' : 'hidden'}; } ${percent(from)} { visibility: visible; } ` +
      `${percent(typedAt)} { transform: translateX(0); animation-timing-function: steps(${length}); } ` +
      `${percent(to)} { transform: translateX(${(length * advance).toFixed(1)}px); visibility: visible; } ` +
      `${percent(to + 200)}, 100% { transform: translateX(${(length * advance).toFixed(1)}px); visibility: hidden; } }\n` +
      `.c${i} { animation: c${i} ${total}ms step-end infinite; }`);
  });
  const width = Math.ceil(columns * advance) + 2 * margin;
  const height = titleHeight + 2 * margin + rows * lineHeight;
  const dots = [0, 1, 2].map((i) => `<circle class="cursor" cx="${20 + i * 18}" cy="19" r="5" opacity="0.5"/>`).join('');
  const body = [...groups].map(([name, { parts, last }]) => `<g class="${name}${last ? '' : ' gone'}">\n${parts.filter(Boolean).join('\n')}\n</g>`);
  const left = margin + prompt.length * advance;
  const hidden = covers.map(({ row, length }, i) => `<g clip-path="url(#screen)"><g class="c${i} gone"><rect class="cover" x="${left.toFixed(1)}" y="${y(row) - size}" ` +
    `width="${((length + 1) * advance).toFixed(1)}" height="${lineHeight}"/><rect class="cursor" x="${left.toFixed(1)}" y="${y(row) - size + 1}" width="${advance.toFixed(1)}" height="${lineHeight - 3}"/></g></g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(`A terminal: ${scenes.flat().filter((one) => !one.startsWith('#')).join('; ')}`)}">
<style>${style}.gone { visibility: hidden; }
${rules.join('\n')}
@media (prefers-reduced-motion: reduce) { g { animation: none !important; } }
</style>
<clipPath id="screen"><rect x="0" y="0" width="${width - margin + 2}" height="${height}"/></clipPath>
<rect class="panel" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${dots}<text class="dim" x="${width / 2}" y="23" font-size="12" text-anchor="middle">rxjs</text>
${[...body, ...hidden].join('\n')}
</svg>
`;
}

try {
  const svg = animation(await recordAll());
  if (svg.length > largest) throw new Error(`${svg.length} bytes, more than ${largest}`);
  writeFileSync(output, svg);
  console.log(`${output}: ${statSync(output).size} bytes`);
} finally {
  try {
    tmux('kill-server');
  } catch {}  // it has not started
  rmSync(project, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
