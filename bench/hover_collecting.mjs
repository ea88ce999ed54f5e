// What it takes to get the symbols of a document with all their hovers, from a warm server: one request through
// `symbols proxy` against a client without it that asks for all hovers at once; and again, nothing having changed, against
// the server's own documentSymbol.
//
//   node bench/hover_collecting.mjs [--rounds N] [--sessions N] [--case NAME] [--other PROGRAM] [--core N | --all-cores]
//     after: scripts/setup --tests; cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//
// Client, proxy and servers share one core, as in bench/relay.mjs: what a way costs is then what it takes. With
// --all-cores they have all that the machine has. --other: also through another build of symbols. bench/hover_client.cc does the asking, all
// ways in turn within one process. Each session starts its servers anew: two of the same kind differ by a few hundredths for as long as they live, and rounds by a
// tenth, so take many sessions to tell hundredths apart. Medians, and of the comparisons within each round; the ratio of
// the means; the minima, which other programs touch least; and all work: what client, proxy and server together ran on
// processors.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsOf, median, named, needsPrograms, needsSources, project, temporaryFolder } from './arguments.mjs';
import { whatIsStarted } from './server_of_file.mjs';

const { values: options } = argumentsOf({
  options: {
    rounds: { default: 7 },
    sessions: { default: 3 },
    case: { type: 'string', default: '' },
    other: { type: 'string' },
    core: { type: 'string', default: '1' },
    'all-cores': { type: 'boolean', default: false },
  },
});
const symbols = join(project, 'build/symbols');
const folder = temporaryFolder();

/** A hundred classes of nine members each: 1,000 symbols. */
function generatedClasses() {
  const methods = ['double area(int precision) const', 'double outline_length() const', 'void move_to(int x, int y)',
    'void scale_by(double factor)', 'std::string name() const'];
  const members = (i) => methods.map((method) => `  /// What ${method.split(' ')[1].split('(')[0]} means for shape ${i}.\n  ${method};\n`);
  const classes = Array.from({ length: 100 }, (_, i) =>
    `/// Shape number ${i}: what is drawn where.\nclass Shape${i} {\n public:\n  /// \\param width in pixels\n` +
    `  explicit Shape${i}(int width) : width_(width) {}\n${members(i).join('')} private:\n` +
    '  int width_ = 0;\n  std::vector<int> corners_;\n  std::string label_;\n};\n');
  return `#include <string>\n#include <vector>\n\n${classes.join('\n')}`;
}

/** The same in TypeScript. */
function generatedTypeScript() {
  const methods = ['area(precision: number): number', 'outlineLength(): number', 'moveTo(x: number, y: number): void',
    'scaleBy(factor: number): void', 'name(): string'];
  const members = (i) => methods.map((method) => `  /** What ${method.split('(')[0]} means for shape ${i}. */\n  ${method};\n`);
  return Array.from({ length: 100 }, (_, i) =>
    `/** Shape number ${i}: what is drawn where. */\nexport declare class Shape${i} {\n  /** @param width in pixels */\n` +
    `  constructor(width: number);\n${members(i).join('')}  private width: number;\n  private corners: number[];\n` +
    '  private label: string;\n}\n').join('\n');
}

const generated = join(folder, 'shapes.cpp');
writeFileSync(generated, generatedClasses());
const generatedTs = join(folder, 'shapes.ts');
writeFileSync(generatedTs, generatedTypeScript());
const library = join(project, 'scripts/servers/node_modules/typescript/lib/lib.es5.d.ts');
const zod = join(project, 'tests/npm/node_modules/zod/src/v4/classic/schemas.ts');
const typescript5 = ['--server', 'typescript-language-server'];
const cases = [
  { name: 'clangd, 1,000 generated', file: generated, language: 'cpp', server: [] },
  { name: 'clangd, doctest.h', file: '/usr/include/doctest/doctest.h', language: 'cpp', server: [] },
  { name: 'TypeScript 7, 1,000 generated', file: generatedTs, language: 'typescript', server: [] },
  { name: 'TypeScript 7, lib.es5.d.ts', file: library, language: 'typescript', server: [] },
  { name: 'TypeScript 7, zod schemas.ts', file: zod, language: 'typescript', server: [] },
  { name: 'tsls, lib.es5.d.ts', file: library, language: 'typescript', server: typescript5 },
  { name: 'tsls, zod schemas.ts', file: zod, language: 'typescript', server: typescript5 },
];
const chosen = named(cases, options.case);
needsPrograms('symbols', 'bench/hover_client');
needsSources(...chosen.map(({ file }) => file));

function ways(command) {
  const table = (name, program) =>
    ({ name, command: [program, 'proxy', '--', ...command], proxied: { return_children: 'yes', timeout_ms: 120000 } });
  return [
    { name: 'direct', command },
    table('table', symbols),
    ...(options.other ? [table('other table', options.other)] : []),
    { name: 'standard', command: [symbols, 'proxy', '--format', 'standard', '--', ...command], proxied: {} },
  ];
}

function measure({ file, language, server }) {
  const { command, env } = whatIsStarted([...server, '--no-hover', file]);
  const results = new Map();
  for (let session = 0; session < options.sessions; ++session) {
    const client = [join(project, 'build/bench/hover_client'), file, language, String(options.rounds), JSON.stringify(ways(command))];
    const [program, ...words] = options['all-cores'] ? client : ['taskset', '-c', options.core, ...client];
    const run = spawnSync(program, words, { env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 26 });
    if (run.status !== 0) throw new Error(run.error?.message ?? run.stderr.trim());
    for (const line of run.stdout.trim().split('\n').map((text) => JSON.parse(text))) {
      results.set(line.name, [...(results.get(line.name) ?? []), line]);
    }
  }
  return results;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const least = (values) => Math.min(...values);

/** Against what the client without the proxy needed in the same round: rounds differ more than the ways do. */
function inPairs(results, name, figure, compare) {
  const direct = results.get('direct');
  return median(results.get(name).map((line, round) => compare(line[figure], direct[round][figure])));
}

function report(results) {
  const of = (name, figure) => results.get(name).map((line) => line[figure]);
  const ratio = (a, b) => a / b;
  const row = (name, figure, comparison) => {
    const time = `${median(of(name, figure)).toFixed(1).padStart(8)} ms, at least ${least(of(name, figure)).toFixed(1).padStart(8)}`;
    console.log(`    ${name.padEnd(12)}${time}${name === 'direct' ? '' : `   ${comparison()}`}`);
  };
  const own = (name, figure) => `, ${median(of(name, `${figure}Own`)).toFixed(1)} ms of it the proxy's own work`;
  const meansOf = (name, figure, compare) => compare(mean(of(name, figure)), mean(of('direct', figure)));
  const leastOf = (name, figure, compare) => compare(least(of(name, figure)), least(of('direct', figure)));
  console.log(`  symbols and hovers (${of('direct', 'hovers')[0]} hovers; through the proxy ${least(of('table', 'hovers'))})`);
  for (const name of [...results.keys()].filter((name) => name !== 'standard')) {
    row(name, 'first', () =>
      `ratio ${inPairs(results, name, 'first', ratio).toFixed(3)}, of the means ${meansOf(name, 'first', ratio).toFixed(3)}, ` +
      `of the minima ${leastOf(name, 'first', ratio).toFixed(3)}, ` +
      `of all work ${inPairs(results, name, 'work', ratio).toFixed(3)}${own(name, 'first')}`);
  }
  const difference = (a, b) => a - b;
  console.log('  the same again, against documentSymbol alone');
  for (const name of results.keys()) {
    row(name, 'again', () =>
      `${inPairs(results, name, 'again', difference).toFixed(1)} ms more, of the minima ${leastOf(name, 'again', difference).toFixed(1)}${own(name, 'again')}`);
  }
}

for (const one of chosen) {
  console.log(one.name);
  report(measure(one));
}
