// What a warm call costs: wall time of `symbols --warm FILE`, table with hovers, on a file that has not changed, beside
// ctags' JSON of it (without hovers), side by side in one run; then after an edit of one character, and without --warm.
//
//   node bench/warm.mjs [--rounds N]
//     after: scripts/build; scripts/setup --tests; apt-get install universal-ctags
//
// Each round runs each program once. Medians.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf, fail, needsPrograms, needsSources, project } from './arguments.mjs';

const { values: { rounds } } = argumentsOf({ options: { rounds: { default: 21 } } });
needsPrograms('symbols');
const zod = join(project, 'tests/npm/node_modules/zod/src');
const vector = '/usr/include/c++/12/bits/stl_vector.h';
needsSources(zod, vector);
const symbols = join(project, 'build/symbols');

const folder = mkdtempSync(join(tmpdir(), 'symbols-bench-'));
const runtime = mkdtempSync(join(tmpdir(), 'symbols-bench-'));
chmodSync(runtime, 0o700);
const env = { ...process.env, XDG_RUNTIME_DIR: runtime, XDG_CONFIG_HOME: '/nonexistent' };
cpSync(zod, join(folder, 'zod'), { recursive: true });
writeFileSync(join(folder, 'zod/tsconfig.json'), '{}');
copyFileSync(vector, join(folder, 'vector.cc'));
writeFileSync(join(folder, 'compile_flags.txt'), '-std=c++20\n');

/** Milliseconds. */
function time(program, args) {
  const start = process.hrtime.bigint();
  const { error, status, stderr } = spawnSync(program, args, { cwd: folder, env, maxBuffer: 1 << 28 });
  if (error || status !== 0) fail(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const ms = (value) => `${value.toFixed(1)} ms`;

try {
  for (const file of ['zod/v4/mini/schemas.ts', 'vector.cc']) {
    time(symbols, ['--warm', file]);
    const [warm, ctags, edited, cold] = [[], [], [], []];
    const text = readFileSync(join(folder, file), 'utf8');
    for (let round = 0; round < rounds; ++round) {
      warm.push(time(symbols, ['--warm', file]));
      ctags.push(time('ctags', ['--output-format=json', '-o', '-', file]));
    }
    for (let round = 0; round < rounds; ++round) {
      writeFileSync(join(folder, file), text + ' '.repeat(1 + (round % 2)));
      edited.push(time(symbols, ['--warm', file]));
      cold.push(time(symbols, [file]));
    }
    console.log(`${file}: warm ${ms(median(warm))}, ${(median(warm) / median(ctags)).toFixed(2)} of ctags' ${ms(median(ctags))}; `
      + `after an edit ${ms(median(edited))}; cold ${ms(median(cold))}`);
  }
} finally {
  spawnSync(symbols, ['warm', '--stop'], { env });
  for (const path of [folder, runtime]) rmSync(path, { recursive: true, force: true });
}
