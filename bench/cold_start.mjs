// What `symbols FILE` adds to what a server needs anyway: wall time against the minimal client, side by side in one run.
//
//   node bench/cold_start.mjs [--rounds N] [--case NAME] [--other PROGRAM]    only the cases whose name holds NAME
//     after: scripts/setup --tests; cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//
// For each file: both programs in turn, N times (9 by default), cold: each starts its own server with the same command,
// root, options and PATH. Medians; `ratio` is that of the medians, `own` the processor time of symbols itself (its
// server left out) as a share of its wall time, `peak` its largest resident memory. --other: another build of symbols, in the
// same rounds.
import { join } from 'node:path';
import { argumentsOf, measured, median, named, needsPrograms, needsSources, project } from './arguments.mjs';
import { whatIsStarted } from './server_of_file.mjs';

const { values: { rounds, case: name, other } } = argumentsOf({
  options: { rounds: { default: 9 }, case: { type: 'string', default: '' }, other: { type: 'string' } },
});
const build = join(project, 'build');
const servers = join(project, 'scripts/servers/node_modules');
const sources = join(project, 'tests/npm/node_modules');

const typescript7 = { language: 'typescript', option: [] };
const typescript5 = { language: 'typescript', option: ['--server', 'typescript-language-server'] };
const cases = [
  { name: 'geometry.cpp, clangd', file: join(project, 'fixtures/geometry.cpp'), language: 'cpp', option: [] },
  { name: 'json.hpp, clangd', file: '/usr/include/nlohmann/json.hpp', language: 'cpp', option: [] },
  { name: 'geometry.ts, TypeScript 7', file: join(project, 'fixtures/geometry.ts'), ...typescript7 },
  { name: 'zod v3/types.ts, TypeScript 7', file: join(sources, 'zod/src/v3/types.ts'), ...typescript7 },
  { name: 'rxjs Observable.ts, tsls', file: join(sources, 'rxjs/src/internal/Observable.ts'), ...typescript5 },
  { name: 'lib.dom.d.ts, TypeScript 7', file: join(servers, 'typescript/lib/lib.dom.d.ts'), ...typescript7 },
];

const chosen = named(cases, name);
needsPrograms('symbols', 'bench/measure', 'bench/plain_client');
needsSources(...chosen.map(({ file }) => file));
console.log(`${rounds} runs each; medians
file, server                      symbols   plain client   ratio   own time (share)     peak`);
for (const { name, file, language, option } of chosen) {
  const { command, env } = whatIsStarted([...option, file]);
  const ours = [];
  const others = [];
  const plain = [];
  for (let i = 0; i < rounds; ++i) {
    plain.push(measured([join(build, 'bench/plain_client'), file, language, ...command], { env }));
    ours.push(measured([join(build, 'symbols'), ...option, file]));
    if (other) others.push(measured([other, ...option, file], { env: { SYMBOLS_SERVERS_DIR: join(project, 'scripts/servers') } }));
  }
  report(name, ours, plain);
  if (other) report('  with the other program', others, plain);
}

function report(name, ours, plain) {
  const [a, b] = [median(ours.map((x) => x.wall)), median(plain.map((x) => x.wall))];
  const own = median(ours.map((x) => x.own));
  const peak = median(ours.map((x) => x.peak)) / 1024;
  console.log(
    `${name.padEnd(32)} ${a.toFixed(0).padStart(5)} ms ${b.toFixed(0).padStart(11)} ms ${(a / b).toFixed(2).padStart(7)}` +
    ` ${own.toFixed(1).padStart(7)} ms (${((own / a) * 100).toFixed(1)}%) ${peak.toFixed(1).padStart(7)} MiB`);
}
