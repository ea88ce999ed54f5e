// What bench/soak says: resident memory and descriptors of processes, the lines while it runs, and the table at its end.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './arguments.mjs';

const sum = (all) => all.reduce((a, b) => a + b, 0);

/** Resident memory in KiB and open descriptors of a process, now. */
export function usage(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { memory: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** The medians over so many seconds, by name, of these processes: { name: pid }. */
export async function usageOver(seconds, pids) {
  const samples = Object.fromEntries(Object.keys(pids).map((name) => [name, []]));
  for (let i = 0; i < seconds; ++i) {
    for (const [name, pid] of Object.entries(pids)) samples[name].push(usage(pid));
    await sleep(1000);
  }
  return Object.fromEntries(Object.entries(samples).map(([name, all]) =>
    [name, { memory: median(all.map(({ memory }) => memory)), descriptors: median(all.map(({ descriptors }) => descriptors)) }]));
}

/** Invariants that did not hold: how often, and the first cases. */
export class Failures {
  #found = new Map();

  add(what, detail) {
    const found = this.#found.get(what) ?? { times: 0, cases: [] };
    ++found.times;
    if (found.cases.length < 5) {
      found.cases.push(detail);
      console.error(`soak: ${what}: ${detail}`);
    }
    this.#found.set(what, found);
  }

  get times() { return sum([...this.#found.values()].map(({ times }) => times)); }

  /** A line for each. */
  toString() { return [...this.#found].map(([what, { times, cases }]) => `soak: ${times} times ${what}: ${cases[0]}`).join('\n'); }
}

/** What has happened so far, on one line. */
export function progressLine(seconds, { clients, faults, disk, warm, failures }) {
  const total = (of) => sum(clients.map(of));
  return `soak: ${Math.round(seconds)} s: ${total(({ tally }) => tally.requests)} requests, ${total(({ tally }) => tally.replies)} replies, `
    + `${sum([...faults.kills.values()])} kills, ${total(({ restarts }) => restarts)} restarts, ${sum([...faults.stops.values()])} servers stopped, `
    + `${total(({ stalls }) => stalls)} stalls, disk full ${disk.phases} times, ${total(({ compared }) => compared)} tables compared, `
    + `${warm.compared} warm answers, ${warm.indexed} indexes, ${failures.times} failures`;
}

const code = ([number, times]) => `${number}: ${times}`;
const change = (first, last) => `${first} → ${last}`;

/** The table at the end. `first`, `last`: what usageOver() gave, `left`: processes that still run. */
export function report({ clients, faults, disk, warm, first, last, left }) {
  const row = (name, cells) => `| ${[name, ...cells].join(' | ')} |`;
  const resident = (name) => {
    if (first[name] === undefined || last[name] === undefined) return ['', '', ''];
    const mebibytes = ({ memory }) => (memory / 1024).toFixed(1);
    return [change(mebibytes(first[name]), mebibytes(last[name])), (last[name].memory / first[name].memory).toFixed(2),
      change(first[name].descriptors, last[name].descriptors)];
  };
  return [
    '| | positions | requests | replies | cancelled | errors by code | killed | restarts | stopped | stalls | tables compared | once more | crashed | MiB | ratio | descriptors |',
    '|---|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...clients.map((client) => row(client.name, [client.encoding, client.tally.requests, client.tally.replies, client.tally.cancelled,
      [...client.tally.errors].sort(([a], [b]) => a - b).map(code).join(', '), faults.kills.get(client.name), client.restarts,
      faults.stops.get(client.name), client.stalls, client.compared, client.comparedAgain, client.crashed, ...resident(client.name)])),
    row('daemon', ['', '', '', '', '', faults.kills.get('daemon'), '', faults.stops.get('daemon'), '', warm.compared, warm.troubled, '', ...resident('daemon')]),
    '',
    `disk full: ${disk.phases} times; indexes compared: ${warm.indexed}; processes left: ${left}`,
  ].join('\n');
}
