// What a relay between client and server costs, side by side in one run on one core: no relay, `cat` both ways, socat,
// `symbols proxy` with the client's own form and with tables.
//
//   node bench/relay.mjs [--rounds N] [--scenario NAME] [--core N] [--socketpair] [--also 'NAME=COMMAND']…
//     after: cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//
// COMMAND is another relay, split at blanks, to which the server's command is added. --socketpair gives socket pairs as
// standard input and output, as Node does, instead of pipes. bench/relay_client.cc says what the scenarios are.
//
// Each round runs every relay once, in an order that turns by one each time, for less than half a second. The figures are
// the medians of the rounds, and the best of them, for other programs only ever make a round slower. What is compared is
// compared within each round, and the median taken then: on a busy machine rounds differ more than relays do.
//
// socat is given what suits it best: pipes to the server and blocks of 64 KiB, which is what a pipe holds (its default,
// 8 KiB, moves a third as much; a socket pair to the server adds 6 µs to a small request).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { argumentsOf, fail, median, needsPrograms, project } from './arguments.mjs';

const { values: options } = argumentsOf({
  options: {
    rounds: { default: 31 },
    scenario: { type: 'string' },
    core: { type: 'string', default: '1' },
    socketpair: { type: 'boolean', default: false },
    also: { type: 'string', multiple: true, default: [] },
  },
});
const rounds = options.rounds;
needsPrograms('symbols', 'bench/relay_client', 'bench/relay_server');
if (spawnSync('socat', ['-V']).error) fail('socat is not here; it comes with: apt-get install socat');
// Here the server's command has neither blanks nor commas, which socat would take for its own.
const folder = join(project, 'build/bench');
const server = './relay_server';

const relays = [
  { name: 'direct', command: [server] },
  { name: 'cat', command: ['sh', '-c', 'cat | "$0" | cat', server] },
  { name: 'socat', command: ['socat', '-b', '65536', 'STDIO', `EXEC:${server},pipes`] },
  { name: 'symbols, standard', command: ['../symbols', 'proxy', '--format', 'standard', '--', server] },
  { name: 'symbols, table', command: ['../symbols', 'proxy', '--', server] },
  ...options.also.map((also) => {
    const [name, ...command] = also.split('=');
    return { name, command: [...command.join('=').split(' ').filter(Boolean), server] };
  }),
];

// `added`: time a message over direct; `rate`: more is better.
const scenarios = [
  { name: 'small', title: 'Small request and reply', count: 3000, figure: 'p50', unit: 'µs', added: true },
  { name: 'replies', title: 'Requests answered with 5 MB', count: 40, figure: 'megabytesPerSecond', unit: 'MB/s' },
  { name: 'large', title: 'Notifications of 5 MB, server to client', count: 60, figure: 'megabytesPerSecond', unit: 'MB/s' },
  { name: 'small-down', title: '100,000 small notifications in a row, server to client', count: 100000, figure: 'perSecond', unit: '1/s' },
  { name: 'small-up', title: '100,000 small notifications in a row, client to server', count: 100000, figure: 'perSecond', unit: '1/s' },
  // Three seconds each: fewer rounds.
  { name: 'stall', title: 'The client reads nothing for 3 s of 300 MB', count: 300, rounds: 3 },
];

const chosen = scenarios.filter(({ name }) => name === (options.scenario ?? name));
if (chosen.length === 0) fail(`no scenario is ${options.scenario}; there are: ${scenarios.map(({ name }) => name).join(', ')}`);


function measure(scenario, { name, command }) {
  const run = spawnSync(
    'taskset',
    ['-c', options.core, './relay_client', ...(options.socketpair ? ['--socketpair'] : []), scenario.name, String(scenario.count), ...command],
    { cwd: folder, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${scenario.name} through ${name}: ${run.error?.message ?? run.stderr.trim()}`);
  const figures = JSON.parse(run.stdout);
  if (!figures.ended) console.error(`${scenario.name} through ${name}: did not end with status 0 after exit`);
  return figures;
}

function measureAll(scenario) {
  const results = new Map(relays.map(({ name }) => [name, []]));
  for (let round = 0; round < (scenario.rounds ?? rounds); ++round) {
    const first = round % relays.length;
    for (const relay of [...relays.slice(first), ...relays.slice(0, first)]) {
      results.get(relay.name).push(measure(scenario, relay));
    }
  }
  return results;
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    console.log(row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('   '));
  }
  console.log();
}

const mebibytes = (kibibytes) => `${(kibibytes / 1024).toFixed(1)} MiB`;

function reportStall(results) {
  print([
    ['', 'resident in the relay, at most', 'peak'],
    ...[...results].filter(([name]) => name !== 'direct').map(([name, runs]) =>
      [name, mebibytes(median(runs.map((x) => x.stalledKiB))), mebibytes(median(runs.map((x) => x.peakKiB)))]),
  ]);
}

/** `added`: in µs over direct; else in the scenario's own unit, of which more is better. */
function report(scenario, results) {
  const of = (name) => results.get(name).map((run) => run[scenario.figure]);
  const best = (name) => (scenario.added ? Math.min(...of(name)) : Math.max(...of(name)));
  const cost = (value, direct) => (scenario.added ? value - direct : value);
  const compared = (name, to) => {
    if (name === 'direct' && scenario.added) return '';
    const [values, reference, direct] = [name, to, 'direct'].map(of);
    return median(values.map((value, round) => cost(value, direct[round]) / cost(reference[round], direct[round]))).toFixed(2);
  };
  const bestCompared = (name) =>
    (name === 'direct' && scenario.added ? '' : (cost(best(name), best('direct')) / cost(best('socat'), best('direct'))).toFixed(2));
  const digits = scenario.added ? 2 : 0;
  const what = scenario.added ? 'added / ' : '';
  print([
    ['', `median ${scenario.unit}`, `best ${scenario.unit}`, ...(scenario.added ? ['p90', 'added µs'] : []), `${what}socat's`,
      `${what}cat's`, `${what}socat's, of the best`, 'CPU a message', 'CPU a MB', 'peak memory'],
    ...relays.map(({ name }) => {
      const middle = (figure) => median(results.get(name).map((run) => run[figure]));
      const own = name !== 'direct';
      const added = median(of(name).map((value, round) => cost(value, of('direct')[round])));
      return [
        name, middle(scenario.figure).toFixed(digits), best(name).toFixed(digits),
        ...(scenario.added ? [middle('p90').toFixed(2), own ? added.toFixed(2) : ''] : []),
        compared(name, 'socat'), compared(name, 'cat'), bestCompared(name),
        ...(own ? [`${middle('cpuPerMessage').toFixed(2)} µs`, `${middle('cpuPerMegabyte').toFixed(0)} µs`, mebibytes(middle('peakKiB'))]
          : ['', '', '']),
      ];
    }),
  ]);
}

for (const scenario of chosen) {
  console.log(`${scenario.title} (${scenario.rounds ?? rounds} rounds of ${scenario.count}${options.socketpair ? ', socket pairs' : ''})`);
  const results = measureAll(scenario);
  if (scenario.name === 'stall') reportStall(results);
  else report(scenario, results);
}
