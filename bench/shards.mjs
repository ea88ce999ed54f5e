// What it costs to divide a project into shares: processor time of `symbols index --shard I/N` with its servers, of all N shares
// together, and how even the shares are; the size of their databases, and the time to merge these.
//
//   node bench/shards.mjs [--shards 1,8,32] DIR
//     after: cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//
// One share runs after the other, each once: N machines take as long as the longest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argumentsOf, fail, needsPrograms, project } from './arguments.mjs';

const { values: { shards }, positionals: [given] } = argumentsOf({ options: { shards: { type: 'string', default: '1,8,32' } }, allowPositionals: true });
if (!given) fail('give the folder with the sources');
needsPrograms('symbols', 'bench/measure');
const folder = resolve(given);
const temporary = mkdtempSync(join(tmpdir(), 'symbols-bench-'));
const env = { ...process.env, XDG_CACHE_HOME: temporary, XDG_CONFIG_HOME: '/nonexistent', SYMBOLS_SERVERS_DIR: join(project, 'scripts/servers') };

function index(...args) {
  const { status, stdout, stderr, error } = spawnSync(join(project, 'build/bench/measure'), [join(project, 'build/symbols'), 'index', ...args], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) fail(`symbols index ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
  const [wall, , , all] = stdout.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, all };
}
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;
const sum = (values) => values.reduce((a, b) => a + b, 0);

try {
  console.log('| shares | processor time, all | the longest | longest / mean | databases | merge |\n|--:|--:|--:|--:|--:|--:|');
  for (const count of shards.split(',').map(Number)) {
    const files = Array.from({ length: count }, (_, i) => join(temporary, `${count}-${i + 1}.db`));
    const runs = files.map((file, i) => index('.', '--shard', `${i + 1}/${count}`, '--database', file));
    const walls = runs.map(({ wall }) => wall);
    const longest = Math.max(...walls);
    const merged = index('--merge', ...files, '--database', join(temporary, `${count}.db`));
    const mebibytes = sum(files.map((file) => statSync(file).size)) / 2 ** 20;
    console.log(`| ${count} | ${seconds(sum(runs.map(({ all }) => all)))} | ${seconds(longest)} | ${(longest / (sum(walls) / count)).toFixed(2)} | ${mebibytes.toFixed(1)} MiB | ${seconds(merged.wall)} |`);
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
