// What rendering costs: from the bytes of a documentSymbol reply to the finished table, beside RapidJSON reading the same
// bytes into nothing (SAX, a handler that does nothing) and Node's JSON.parse and string building, side by side in one
// run on one core.
//
//   node bench/render.mjs [FILE] [--format NAME] [--rounds N] [--iterations N] [--core N]
//     after: cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//
// FILE is a documentSymbol reply's `result`; default: that for TypeScript's lib.dom.d.ts (11,202 symbols, 2.6 MB). Each
// round runs our program and Node, once each, for N iterations; Node's first half of them, in which it is still compiling,
// does not count. Medians of all iterations, and the best of them: other programs only ever make one slower.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { argumentsOf, median, needsPrograms, project } from './arguments.mjs';

const { values: options, positionals } = argumentsOf({
  allowPositionals: true,
  options: {
    format: { type: 'string', default: 'table' },
    rounds: { default: 9 },
    iterations: { default: 20 },
    core: { type: 'string', default: '1' },
  },
});
const file = positionals[0] ?? join(project, 'fixtures/captures/tsls/lib__lib.dom.d.ts.symbols.json');
needsPrograms('bench/render');

function measure(...command) {
  const run = spawnSync('taskset', ['-c', options.core, ...command], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${command.join(' ')}: ${run.error?.message ?? run.stderr.trim()}`);
  return JSON.parse(run.stdout);
}


const times = { nothing: [], decoded: [], rendered: [], node: [] };
const withinRounds = [];
let ours;
let node;
for (let round = options.rounds; round > 0; --round) {
  ours = measure(join(project, 'build/bench/render'), file, options.format, String(options.iterations));
  for (const what of ['nothing', 'decoded', 'rendered']) times[what].push(...ours[what]);
  withinRounds.push(...ours.rendered.map((time, i) => time / ours.nothing[i]));
  node = measure(process.execPath, join(project, 'bench/render_in_node.mjs'), file, String(options.iterations));
  times.node.push(...node.rendered.slice(node.rendered.length / 2));
}
if (options.format === 'table' && (node.rows !== ours.rows || node.bytes !== ours.bytes)) {
  throw new Error(`the tables differ: ${ours.rows} rows, ${ours.bytes} bytes; in JavaScript ${node.rows} rows, ${node.bytes} bytes`);
}

const line = (title, values) =>
  console.log(`${title.padEnd(44)}${median(values).toFixed(2).padStart(8)}${Math.min(...values).toFixed(2).padStart(8)}` +
    `${(median(values) / median(times.nothing)).toFixed(2).padStart(8)}${(median(values) / median(times.node)).toFixed(2).padStart(8)}`);
console.log(`${file}: ${ours.rows} rows, ${options.format} of ${ours.bytes} bytes`);
console.log(`${''.padEnd(44)}  median    best   ×SAX   ×Node    (ms)`);
line('RapidJSON, SAX, into nothing', times.nothing);
line('symbols: decoded', times.decoded);
line(`symbols: reply to ${options.format}`, times.rendered);
line('Node: JSON.parse, table built of strings', times.node);
console.log(`reply to ${options.format} against SAX, compared within each iteration: ${median(withinRounds).toFixed(2)}`);
