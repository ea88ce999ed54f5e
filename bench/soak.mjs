// Real servers behind the proxy and the daemon for a long time, with everything that goes wrong; started by bench/soak.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverSettings } from '../tests/e2e/language_servers.mjs';
import { marked, proxied } from '../tests/e2e/program.mjs';
import { argumentsOf, fail, needsPrograms } from './arguments.mjs';
import { SoakClient } from './soak_client.mjs';
import { Dice } from './soak_dice.mjs';
import { Faults, SmallDisk, childrenOf, sendSignal } from './soak_faults.mjs';
import { makeProject, needServers, soakServers } from './soak_projects.mjs';
import { Failures, progressLine, report, usageOver } from './soak_report.mjs';
import { WarmCalls } from './soak_warm.mjs';

const help = `Usage: bench/soak MINUTES [--seed N] [--kill-every SECONDS]

clangd, TypeScript 7, pyright and gopls run behind 'symbols proxy --restart', and behind the process that
'symbols --warm' keeps, for so many minutes (a fraction is allowed). Clients edit, ask, cancel, close, and
stop reading for seconds; servers are killed and stopped; the disk with the logs and the daemon's caches is
full for a while. It checks that every request gets exactly one reply, that tables are those of a fresh server,
warm answers those of a cold call, memory and descriptors at the end where they were after the first two
minutes (runs of at least five minutes), and that no process is left.

  --seed N               what chance begins with; the default is the time
  --kill-every SECONDS   a server is killed every so many seconds on average (default 60); stops, full disks,
                         stalls and comparisons come more or less often in proportion

It needs scripts/build, scripts/setup --tests, gopls and golang-1.19-src, and unshare(1) with the right to mount.
Exit status: 0 all held; 1 something did not, or something is missing.`;

const { values, positionals } = argumentsOf({
  options: { seed: { type: 'string', default: String(Date.now() % 1e9) }, 'kill-every': { default: 60 }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const minutes = Number(positionals[0]);
if (positionals.length !== 1 || !(minutes >= 0.25)) fail('give the minutes that it is to run, at least 0.25; --help tells more');
if (!/^\d+$/.test(values.seed)) fail(`--seed takes a number, not '${values.seed}'`);
needsPrograms('symbols');
needServers(soakServers);
if (!process.env.SYMBOLS_SOAK_NAMESPACE) fail("it mounts a small disk, for which it needs a mount namespace: start it by bench/soak, as root or where 'unshare -rm true' is allowed");

const seed = Number(values.seed);
const killEvery = values['kill-every'];
const total = minutes * 60;
const firstPart = Math.min(120, total * 0.4);
const isLong = total >= 300;
const mostGrowth = 1.1;

const failures = new Failures();
const failed = (what, detail) => failures.add(what, detail);
const dice = (name) => new Dice(seed, name);
const work = mkdtempSync(join(tmpdir(), 'symbols-soak-'));
process.env.TMPDIR = work;  // for what servers and the tests' own helpers leave
const mark = marked();
let disk;
const begin = Date.now();
console.error(`soak: seed ${seed}, ${minutes} minutes, a kill every ${killEvery} s`);

for (const [name, number] of [['SIGINT', 2], ['SIGTERM', 15]]) process.once(name, () => process.exit(128 + number));
process.on('exit', () => {
  for (const pid of mark.pids()) sendSignal(pid, 'SIGKILL');
  disk?.unmount();
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
});
try {
  disk = new SmallDisk(join(work, 'disk'));
} catch (error) {
  fail(`a small disk cannot be mounted: ${error.message.trim()}`);
}

let turn = Promise.resolve();
/** One after the other. */
const alone = (job) => {
  const done = turn.then(job);
  turn = done.catch(() => {});
  return done;
};

function makeClients() {
  const config = join(work, 'config');
  for (const [name, text] of Object.entries(serverSettings)) {
    mkdirSync(dirname(join(config, name)), { recursive: true });
    writeFileSync(join(config, name), text);
  }
  const env = { ...process.env, ...mark.env, XDG_CONFIG_HOME: config, XDG_CACHE_HOME: join(work, 'cache') };
  return soakServers.map((server) => {
    const cwd = join(work, server.name.replaceAll(' ', '-'));
    makeProject(server, cwd);
    return new SoakClient({
      server, cwd, env, fail: failed, alone, log: disk.log(server.name.replaceAll(' ', '-')), dice: dice(server.name), freshDice: dice(`fresh ${server.name}`),
      proxy: (options, command) => proxied(['--restart', '--restart-limit', '1000/1', ...options], command),
    });
  });
}

const clients = makeClients();
const warm = new WarmCalls({
  work, env: mark.env, disk, dice: dice('daemon'), seed, fail: failed, killed: () => faults.kills.get('daemon') + faults.stops.get('daemon'),
  servers: ['TypeScript', 'clangd', 'pyright', 'gopls'],
});
const daemon = () => warm.daemon(mark.pids());
const faults = new Faults({
  victims: [...clients.map((client) => ({ name: client.name, pids: () => childrenOf(client.pid) })), { name: 'daemon', pids: () => childrenOf(daemon()) }],
  disk, dice: dice('faults'), killEvery,
});

/** Everything goes on for so many seconds, with faults. */
async function live(seconds) {
  const end = Date.now() + seconds * 1000;
  const isOver = () => Date.now() >= end;
  warm.resume();
  await Promise.all([faults.run(isOver), ...clients.map((client) => client.run(isOver, { stallEvery: killEvery * 0.8, compareEvery: killEvery * 0.8 }))]);
  warm.pause();
}

let firstDaemon;
/** The state in which memory and descriptors are measured. */
async function settled() {
  await Promise.all(clients.map((client) => client.settle()));
  await warm.settle();
  await sleep(1000);
  // A call without a daemon answers by itself and starts another, so nobody would notice.
  firstDaemon ??= daemon();
  if (firstDaemon === undefined || daemon() !== firstDaemon) failed('the daemon has died', `process ${firstDaemon}, now ${daemon()}`);
  return usageOver(isLong ? 15 : 3, { ...Object.fromEntries(clients.map((client) => [client.name, client.pid])), ...(daemon() && { daemon: daemon() }) });
}

function compareUsage(first, last) {
  for (const [name, { memory, descriptors }] of Object.entries(last)) {
    if (memory > first[name].memory * mostGrowth) failed('memory has grown', `${name}: ${first[name].memory} → ${memory} KiB`);
    if (descriptors > first[name].descriptors * mostGrowth) failed('descriptors have grown', `${name}: ${first[name].descriptors} → ${descriptors}`);
  }
}

const progress = setInterval(() => console.error(progressLine((Date.now() - begin) / 1000, { clients, faults, disk, warm, failures })), 30_000);
await Promise.all([...clients.map((client) => client.start()), warm.start()]);
await live(firstPart);
const first = await settled();
await live(total - firstPart);
await Promise.all(clients.map((client) => client.compare()));
for (const log of disk.deadLogs()) failed('a log ends where the disk was full', log);
const last = await settled();
if (isLong) compareUsage(first, last);
await Promise.all([...clients.map((client) => client.finish()), warm.finish()]);
await mark.noneLeft().catch((error) => failed('a process is left', error.message));
clearInterval(progress);
for (const { name, tally } of clients) {
  if (tally.requests !== tally.replies) failed('requests and replies differ', `${name}: ${tally.requests} and ${tally.replies}`);
}

console.log(report({ clients, faults, disk, warm, first, last, left: mark.pids().length }));
console.log(failures.times === 0 ? 'soak: all held' : failures.toString());
process.exit(failures.times === 0 ? 0 : 1);
