// What `symbols index` costs: the first time beside the minimal client that asks one server for the same files, as many at a time
// as there are processors; then with nothing changed, and after a change of one file. Side by side in one run.
//
//   node bench/index.mjs [--rounds N] [--again N] [--changed FILE] DIR
//     after: cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//
// DIR has the sources of one language, and its project's files. --rounds: of the first time (3). --again: of the others (15).
// --changed FILE: gets a line more (a comment), such as a header. Medians. `peak`: largest resident memory of symbols itself,
// its servers left out. Processor time is told as well, as it depends less on what else the machine does.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argumentsOf, fail, measured, median as medianOf, needsPrograms, project, temporaryFolder } from './arguments.mjs';
import { languageOf, sourcesIn, whatIsStarted } from './server_of_file.mjs';

const { values: { rounds, again, changed }, positionals: [given] } = argumentsOf({
  options: { rounds: { default: 3 }, again: { default: 15 }, changed: { type: 'string' } }, allowPositionals: true,
});
if (!given) fail('give the folder with the sources');
needsPrograms('symbols', 'bench/measure', 'bench/plain_client');
const build = join(project, 'build');
const folder = resolve(given);
const files = sourcesIn(folder);
if (files.length === 0) fail(`${folder} has no sources`);

const temporary = temporaryFolder();
const env = { ...process.env, XDG_CACHE_HOME: temporary, XDG_CONFIG_HOME: '/nonexistent', SYMBOLS_SERVERS_DIR: join(project, 'scripts/servers') };
const list = join(temporary, 'list');
writeFileSync(list, files.join('\n') + '\n');

const measure = (command, more = {}) => measured(command, { cwd: folder, env: { ...env, ...more } });
const index = (...args) => measure([join(build, 'symbols'), 'index', '.', ...args]);
/** Its last line. */
const told = (...args) => spawnSync(join(build, 'symbols'), ['index', '.', ...args], { cwd: folder, env, encoding: 'utf8' }).stdout.trim();
const median = (values, of = 'wall') => medianOf(values.map((one) => one[of]));
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(3)} s`;
const peak = (values) => `peak ${(Math.max(...values.map((one) => one.peak)) / 1024).toFixed(1)} MiB`;

const { command, env: server } = whatIsStarted(['--no-hover', files[0]]);
const [first, plain] = [[], []];
for (let round = 0; round < rounds; ++round) {
  plain.push(measure([join(build, 'bench/plain_client'), `@${list}`, languageOf(files[0]), ...command], server));
  first.push(index('--rebuild'));
}
console.log(`${folder}: ${files.length} files, ${command[0]}`);
console.log(`first: ${seconds(median(first))}, ${(median(first) / median(plain)).toFixed(3)} of the plain client's ${seconds(median(plain))}; processor time with the server ${(median(first, 'all') / median(plain, 'all')).toFixed(3)} of its ${seconds(median(plain, 'all'))}; own time ${seconds(median(first, 'own'))}, ${peak(first)}`);
const second = Array.from({ length: again }, () => index());
console.log(`unchanged: ${seconds(median(second))}, ${peak(second)}; ${told()}`);
if (changed) {
  const text = readFileSync(join(folder, changed), 'utf8');
  try {
    writeFileSync(join(folder, changed), `${text}// changed\n`);
    console.log(`${changed} changed: ${told()}`);
  } finally {
    writeFileSync(join(folder, changed), text);
  }
}
