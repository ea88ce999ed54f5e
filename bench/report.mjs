// What answers of `symbols` take and have beside what one would use instead: ctags, ast-grep, rg, repomix, and a minimal
// LSP client. Writes docs/report.md and docs/report.svg; prints the Markdown.
//
//   node bench/report.mjs [--ts DIR] [--rounds N] [--slow-rounds N] [--json FILE] [--output DIR]
//     after: scripts/setup --tests; cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//            apt-get install universal-ctags ripgrep (scripts/setup --slow does)
//
// --ts: the folder of npm's package effect, by default fetched once into $XDG_CACHE_HOME/symbols-bench. --rounds: of what takes less
// than a second (7); --slow-rounds: of a first index and its like (2). Programs that are not here are left out, and named. --json gets
// every sample.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, homedir, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { argumentsOf, fail, measured, needsPrograms, needsSources, project, temporaryFolder } from './arguments.mjs';
import { drawing, markdown } from './report/page.mjs';
import { has, program, referencesOf, serverVersions, symbols, versions } from './report/tools.mjs';
import { repomixCompress } from './tokens/packages.mjs';
import { languageOf, sourcesIn, whatIsStarted } from './server_of_file.mjs';

const { values: options } = argumentsOf({
  options: {
    ts: { type: 'string' }, rounds: { default: 7 }, 'slow-rounds': { default: 2 },
    json: { type: 'string' }, output: { type: 'string', default: join(project, 'docs') },
  },
});
const [load] = loadavg();
needsPrograms('symbols', 'bench/measure', 'bench/plain_client');
const { countTokens } = await import('./tokens/captures.mjs');
const { rounds, 'slow-rounds': slowRounds } = options;

const work = temporaryFolder();
const folder = (name) => {
  mkdirSync(join(work, name), { recursive: true, mode: 0o700 });
  return join(work, name);
};
const env = { ...process.env, XDG_CACHE_HOME: folder('cache'), XDG_CONFIG_HOME: '/nonexistent', XDG_RUNTIME_DIR: folder('run'), SYMBOLS_WARM: undefined };
const answerFile = join(work, 'answer');

/** Runs a command once: { wall: ms, own, largest: KiB, text }. */
function run({ command, cwd, env: more, before }) {
  before?.();
  // symbols index: 1 where a file has no server, such as a README.
  const { wall, own, peak, largest } = measured(command, { cwd, env: { ...env, ...more }, options: ['-o', answerFile], maxStatus: 1 });
  return { wall, cpu: own, own: peak, largest, text: readFileSync(answerFile, 'utf8') };
}

const missing = new Set();
/** Runs the entries in turns; those whose program is not here are left out. */
function compare({ title, note, drawn, entries, slow }) {
  console.error(`bench/report: ${title}`);
  const present = entries.filter(({ uses }) => {
    const found = uses === undefined || versions[uses] !== undefined;
    if (!found) missing.add(uses);
    return found;
  });
  const results = present.map(({ tool, ours = false, command }) => ({ tool, ours, command: command.map((word) => word.replaceAll(project, '.')), wall: [] }));
  for (let round = 0; round < (slow ? slowRounds : rounds); ++round) {
    present.forEach((entry, index) => {
      const { wall, own, largest, text } = run(entry);
      const result = results[index];
      result.wall.push(wall);
      result.own = Math.max(result.own ?? 0, own) || undefined;
      result.largest = Math.max(result.largest ?? 0, largest) || undefined;
      if (round === 0) Object.assign(result, entry.has?.(text), entry.answers !== false && { tokens: countTokens(text) });
    });
  }
  return { title, note, drawn, results };
}

const servers = new Set();
/** bench/plain_client, asking the server that symbols would start for the file. */
function plainClient(tool, what, file, cwd, more = {}) {
  const { command, env: server } = whatIsStarted(['--no-hover', file]);
  servers.add(command[0]);
  return { tool, uses: 'plain_client', command: [...program('plain_client'), what, languageOf(file), ...command], cwd, env: { ...server, ...more }, answers: false };
}

function oneFile(name, file) {
  const cwd = join(file, '..');
  const text = readFileSync(file, 'utf8');
  let edits = 0;
  const edit = () => writeFileSync(file, text + ' '.repeat(1 + edits++ % 2));
  const ours = (tool, args, more) => ({ tool, ours: true, command: [symbols, ...args, file], cwd, has: has.table, ...more });
  run(ours('', ['--warm']));
  const entries = [
    ours('symbols --warm, edited', ['--warm'], { before: edit }),
    ours('symbols --warm, unchanged', ['--warm']),
    ours('symbols, cold', []),
    { ...plainClient('minimal client, cold', file, file, cwd), has: has.plainHovers },
    ours('symbols --no-hover, cold', ['--no-hover']),
    plainClient('minimal client, no hovers', file, file, cwd, { NO_HOVERS: '1' }),
    { tool: 'ctags, JSON', uses: 'ctags', command: ['ctags', '--output-format=json', '-o', '-', file], cwd, has: has.ctags },
    { tool: 'ast-grep outline', uses: 'ast-grep', command: [...program('ast-grep'), 'outline', '--view', 'expanded', '--color', 'never', file], cwd, has: has.astGrep },
  ];
  return compare({
    title: `The symbols of one file: ${name}`,
    note: 'Memory of the daemon of `--warm` is not counted. The minimal client prints no table. ctags and ast-grep give the first line of code instead of a hover.',
    drawn: 'with hovers (types and documentation) if the answer says so; edited: one character, before each run',
    entries,
  });
}

function wholeProject(name, cwd, query) {
  const files = sourcesIn(cwd);
  const list = join(work, 'list');
  writeFileSync(list, `${files.join('\n')}\n`);
  const ours = (tool, args, more) => ({ tool, ours: true, command: [symbols, ...args], cwd, ...more });
  const ctags = { tool: 'ctags -R, JSON', uses: 'ctags', command: ['ctags', '-R', '--output-format=json', '-f', '-', '.'], cwd, has: has.ctags, answers: false };
  const title = `${name}, ${files.length} files`;
  const first = compare({
    title: `All symbols of a project: ${title}`, slow: true,
    note: 'A first run. The minimal client asks one server for the symbols of the same files, and stores nothing.',
    drawn: 'the first time: no index yet, nothing kept',
    entries: [
      ours('symbols index, first', ['index', '--rebuild', '.'], { has: has.index, answers: false }),
      { ...plainClient('minimal client', `@${list}`, files[0], cwd), has: has.plainSymbols },
      ctags,
    ],
  });
  const known = new Set(versions.ctags ? run(ctags).text.split('\n').filter((line) => line.startsWith('{"_type": "tag"')).map((line) => JSON.parse(line).name).filter((one) => /^[A-Za-z_]\w{2,}$/.test(one)) : []);
  const names = (text) => ({ names: new Set(text.match(/[A-Za-z_]\w+/g)?.filter((word) => known.has(word))).size });
  const outline = compare({
    title: `A project's outline: ${title}`,
    note: 'Names: how many of the distinct names that ctags finds appear in the answer. `symbols map` keeps to its budget; the others print everything.',
    drawn: 'symbols map within 4,000 tokens; the others print everything',
    slow: true,
    entries: [
      ours('symbols index, again', ['index', '.'], { has: has.index, answers: false }),
      ours('symbols map, 4,000 tokens', ['map', '--max-tokens', '4000'], { has: names }),
      { tool: 'ast-grep outline', uses: 'ast-grep', command: [...program('ast-grep'), 'outline', '--color', 'never', '.'], cwd, has: names },
      { tool: 'repomix --compress', uses: 'repomix', cwd, has: names, command: [...program('repomix'), ...repomixCompress] },
    ],
  });
  const find = compare({
    title: `Where is ${query}? ${title}`,
    note: '`symbols find` lists declarations, 50 at most; `rg -w` lists every line with the word.',
    drawn: 'declarations by name from the index; rg: every line with the word',
    entries: [
      ours('symbols find', ['find', query], { has: has.found }),
      { tool: 'rg -w', uses: 'rg', command: ['rg', '-nw', '--no-heading', query, '.'], cwd, has: (text) => ({ ...has.lines(text), unit: 'lines' }) },
    ],
  });
  return [first, outline, find];
}

/** References of the name on the line of the file that the pattern finds. */
function references(title, cwd, file, pattern, name) {
  const path = join(cwd, file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const line = lines.findIndex((text) => pattern.test(text));
  if (line < 0) {
    console.error(`bench/report: ${path} has no ${pattern}: its references are left out`);
    return [];
  }
  const at = `${line + 1}:${lines[line].search(new RegExp(`\\b${name}\\b`)) + 1}`;
  const args = ['context', `${path}:${at}`, '--format', 'table', '--no-hover', '--children', 'no', '--include', 'references:10000,callers:0,source:0,diagnostics:0'];
  let places = new Set();
  const ours = (tool, more) => ({ tool, ours: true, command: [symbols, ...args], cwd, env: more, has(text) {
    const found = referencesOf(text);
    places = new Set([...found.map((place) => resolve(cwd, place)), `${path}:${line + 1}`]);
    return { rows: found.length, unit: 'references' };
  } });
  const warm = ours('symbols context, warm', { SYMBOLS_WARM: '1' });
  run(warm);
  const entries = [
    ours('symbols context, cold'), warm,
    { tool: 'rg -w', uses: 'rg', command: ['rg', '-nw', '--no-heading', name, cwd], cwd, has(text) {
      const hits = text.split('\n').filter(Boolean).map((hit) => hit.match(/^.*?:\d+/)[0]);
      const wrong = hits.filter((hit) => !places.has(hit)).length;
      return { rows: hits.length, unit: 'lines', remark: `${wrong.toLocaleString('en')} of them not among the server's` };
    } },
  ];
  return [compare({
    title: `References of ${title}`,
    note: 'rg also finds other symbols of that name, comments and strings; one line may have several references. `symbols context` is with `--format table`.',
    drawn: 'at most 10,000 references, without hovers; rg: every line with the word', entries, slow: true,
  })];
}

function fetchEffect() {
  const target = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'symbols-bench', 'effect-3.19.3');
  if (existsSync(join(target, '.fetched'))) return join(target, 'package');
  mkdirSync(target, { recursive: true });
  for (const command of [['npm', 'pack', '--silent', 'effect@3.19.3'], ['tar', 'xzf', 'effect-3.19.3.tgz', 'package/src', 'package/package.json']]) {
    console.error(`bench/report: ${command.join(' ')}`);
    const { status, stderr, error } = spawnSync(command[0], command.slice(1), { cwd: target, encoding: 'utf8' });
    if (status !== 0) fail(`cannot fetch effect; give its folder instead (--ts): ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
  }
  writeFileSync(join(target, 'package/tsconfig.json'), '{"include": ["src"]}');
  writeFileSync(join(target, '.fetched'), '');
  return join(target, 'package');
}

/** Copies that edits may change: [name, path]. */
function fullFiles() {
  const zod = join(project, 'tests/npm/node_modules/zod/src');
  const string = '/usr/include/c++/12/bits/basic_string.h';
  needsSources(zod, string);
  const ts = folder('ts');
  cpSync(zod, join(ts, 'src'), { recursive: true });
  writeFileSync(join(ts, 'tsconfig.json'), '{}');
  const cpp = folder('cpp');
  copyFileSync(string, join(cpp, 'basic_string.cc'));
  writeFileSync(join(cpp, 'compile_flags.txt'), '-std=c++20\n');
  return [['TypeScript, zod\'s core/util.ts', join(ts, 'src/v4/core/util.ts')], ['C++, libstdc++\'s bits/basic_string.h', join(cpp, 'basic_string.cc')]];
}

try {
  const comparisons = [];
  const ts = resolve(options.ts ?? fetchEffect());
  const effect = `effect ${JSON.parse(readFileSync(join(ts, 'package.json'), 'utf8')).version} (TypeScript)`;
  for (const [name, file] of fullFiles()) comparisons.push(oneFile(name, file));
  comparisons.push(...wholeProject(effect, ts, 'Deferred'),
    ...references('Deferred.make in effect', ts, 'src/Deferred.ts', /^export const make\b/, 'make'));
  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, load ${load.toFixed(1)} before`,
    versions: { ...Object.fromEntries(Object.entries(versions).filter(([, version]) => version !== undefined)), ...serverVersions(servers) },
    missing: [...missing], comparisons,
  };
  const text = markdown(report);
  console.log(text);
  const head = readFileSync(join(project, 'bench/report/head.md'), 'utf8');
  mkdirSync(options.output, { recursive: true });
  writeFileSync(join(options.output, 'report.md'), `${head}\n${text.trimEnd()}\n`);
  writeFileSync(join(options.output, 'report.svg'), drawing(report));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 1)}\n`);
} finally {
  for (const more of [{}, { SYMBOLS_WARM: '1' }]) spawnSync(symbols, ['warm', '--stop'], { env: { ...env, ...more } });
}
