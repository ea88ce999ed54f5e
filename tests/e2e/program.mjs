// Runs the program under test.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const project = join(here, '..', '..');
export const fixture = (name) => join(project, 'fixtures', name);
/** The XDG_CONFIG_HOME of the program and its servers, where a test has no other. */
export const configFolder = join(here, 'config');
export const symbolsPath = process.env.SYMBOLS ?? join(project, 'build', 'symbols');
export const serversFolder = process.env.SYMBOLS_SERVERS_DIR ?? join(project, 'scripts', 'servers');
export const sourcesFolder = process.env.SYMBOLS_TEST_SOURCES_DIR ?? join(project, 'tests', 'npm');
export const clientsFolder = process.env.SYMBOLS_CLIENTS_DIR ?? join(project, 'tests', 'clients');
/** How many times slower than usual the program may be (sanitizers). */
export const timeFactor = Number(process.env.SYMBOLS_TIME_FACTOR ?? 1);
/** A wait longer than this counts as a hang, in milliseconds. Nothing takes as long on the slowest machine, so no test passes or fails by it otherwise. */
export const hangLimit = 60_000 * timeFactor;

/** The value of --server for the scripted server. One that writes to `path` needs --trust-project: scripted(). */
export const fakeServer = (scenario, path = '') => `'${process.execPath}' '${join(here, 'fake_server.mjs')}' ${scenario} '${path}'`;

/** Files of an XDG_CONFIG_HOME by which the scripted server is that of files `.x`; `more`: other members of it. */
export const scriptedServers = (scenario, more) => ({ 'symbols/servers.json': JSON.stringify({ servers: [
  { name: 'fake', command: [process.execPath, join(here, 'fake_server.mjs'), scenario], languages: [{ id: 'x', extensions: ['.x'] }], ...more }] }) });

/** The arguments that have the scripted server asked, and let it record in `path`, if one is given, what the scenario says. */
export const scripted = (scenario, path = '') => [...(path ? ['--trust-project'] : []), '--server', fakeServer(scenario, path)];

export const proxied = (options, server) => [symbolsPath, 'proxy', ...options, '--', ...server];

/**
 * Starts the program; `.finished` gives { status, signal, stdout, stderr }. After `limit` milliseconds it is killed, which
 * gives signal SIGKILL: that it ends at all may be what a test shows. `limit: 0` is for what lives until t.after() kills it. With `keepInput` its standard input stays open; with `drop` its
 * output is not kept.
 */
export function start(args, { input, keepInput, cwd, env, stdio, program = symbolsPath, uid, gid, limit = 5 * hangLimit, drop } = {}) {
  const child = spawn(program, args, {
    cwd,
    uid,
    gid,
    timeout: limit,
    killSignal: 'SIGKILL',
    env: { ...process.env, SYMBOLS_SERVERS_DIR: serversFolder, XDG_CONFIG_HOME: configFolder, ...env },
    stdio: stdio ?? ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: [], stderr: [] };
  if (!drop) child.stdout?.on('data', (chunk) => output.stdout.push(chunk));
  child.stderr?.on('data', (chunk) => output.stderr.push(chunk));
  child.stdin?.on('error', () => {});
  if (!keepInput) child.stdin?.end(input ?? '');
  child.finished = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) =>
      resolve({
        status,
        signal,
        stdout: Buffer.concat(output.stdout).toString('utf8'),
        stderr: Buffer.concat(output.stderr).toString('utf8'),
      }));
  });
  return child;
}

export const run = (args, options) => start(args, options).finished;

/** What it prints; it must succeed. */
export async function printed(args, options) {
  const { status, stdout, stderr } = await run(args, options);
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** The same; it must say nothing on standard error. */
export async function quietly(args, options) {
  const { status, stdout, stderr } = await run(args, options);
  assert.deepEqual([status, stderr], [0, ''], args.join(' '));
  return stdout;
}

/**
 * Waits until `condition()`, which may be asynchronous, gives something, and gives that; fails after `limit` milliseconds, saying
 * `what` (a function, where it tells more by then).
 */
export async function eventually(condition, limit = hangLimit, what = String(condition)) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${limit} ms: ${typeof what === 'function' ? await what() : what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether the PATH has this program. */
export const isInstalled = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Words as one command line of a shell. */
export const quoted = (words) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

/** Numbers below a bound, the same for the same seed. */
export function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The letter of a process's state in /proc; Z, as of a zombie, if it has ended. */
function stateOf(pid) {
  try {
    return /^\d+ \(.*\) (.)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))[1];
  } catch {
    return 'Z';
  }
}

/** Whether a process runs (a zombie does not). */
export const isRunning = (pid) => stateOf(pid) !== 'Z';

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}  // it has ended meanwhile
}

export function killAll(pids) {
  pids.forEach(kill);
  return eventually(() => !pids.some(isRunning));
}

/** Waits until the process sleeps or has ended: it has read what was written for it and has nothing else to do. */
export async function untilAsleep(pid) {
  const end = Date.now() + hangLimit;
  do {
    if (Date.now() > end) throw new Error(`process ${pid} never sleeps`);
    await new Promise((resolve) => setImmediate(resolve));
  } while (!'SZ'.includes(stateOf(pid)));
}

/** The bytes that a process has read and written with read() and write(), not with splice(), as a text; an empty one if it has ended. */
export function transferred(pid) {
  try {
    return readFileSync(`/proc/${pid}/io`, 'latin1').split('\n', 2).join();
  } catch {
    return '';
  }
}

/** Waits until these processes sleep and have transferred nothing, nor has `besides()` changed, since the last look 20 ms before. */
export async function untilStill(pids, besides = () => '') {
  let before;
  await eventually(async () => {
    for (const pid of pids) await untilAsleep(pid);
    return before === (before = [...pids.map(transferred), besides()].join());
  });
}

/** Waits until the process `child` waits for the reader of its `output`, which was paused. */
export async function untilStuck(child, output = child.stdout) {
  await eventually(() => output.readableLength > 0);
  await untilAsleep(child.pid);
}

/**
 * An environment that marks a run's processes, which inherit it, and what tells their ids: nobody else's on the machine.
 */
export function marked() {
  const mark = `SYMBOLS_TEST_RUN=${process.pid}-${++marks}`;
  const [name, value] = mark.split('=');
  const isOurs = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
    } catch {
      return false;  // it has ended meanwhile
    }
  };
  const pids = () => readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && isOurs(entry) && isRunning(entry)).map(Number);
  return {
    env: { [name]: value },
    pids,
    /** Fails, naming them, where some of them still run after `limit` milliseconds. */
    async noneLeft(limit = hangLimit) {
      await eventually(() => pids().length === 0, limit).catch(() => { throw new Error(`still running: ${pids().map(commandOf).join('; ')}`); });
    },
    /** Kills those that run, with what they start meanwhile. */
    kill: () => eventually(() => {
      pids().forEach(kill);
      return pids().length === 0;
    }),
  };
}
let marks = 0;

/** The words of a process's command line; none if it has ended, which it may between two looks at it. */
export function wordsOf(pid) {
  try {
    // A program that has given itself a title may end it without a NUL.
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '');
    return text === '' ? [] : text.split('\0');
  } catch {
    return [];
  }
}

const commandOf = (pid) => wordsOf(pid).join(' ') || '(ended meanwhile)';

// Folders of tests that have ended. What a test asks to be done after it is done in the order in which it asked, so that a folder,
// which comes first, would go before the programs that write into it are ended; so it goes when the next one is asked for.
const left = [];
function removeLeft() {
  for (const path of left.splice(0)) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch (error) {
      console.error(`${path} is left over: ${error.message}`);
    }
  }
}
process.on('exit', removeLeft);

/** Nothing on standard error but messages of the program, and few of them. */
export function assertQuiet(stderr) {
  const lines = stderr.split('\n').filter((line) => line !== '');
  for (const line of lines) assert.match(line, /^symbols: /);
  assert.ok(lines.length <= 20, `${lines.length} messages on standard error:\n${stderr.slice(0, 3000)}`);
}

/** A folder of its own for a test, with these files; removed some time after the test has ended. */
export function folder(t, files = {}) {
  removeLeft();
  const path = mkdtempSync(join(tmpdir(), 'symbols-test-'));
  t.after(() => left.push(path));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

/** Writes a program, and the folder for it. */
export function writeProgram(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** A folder with copies of these fixtures, far from the project's own build, which servers would take their settings from. */
export const folderWith = (t, ...names) => folder(t, Object.fromEntries(names.map((name) => [name, readFileSync(fixture(name))])));

/** The rows of a table without its header: arrays of cells, unescaped. */
export function cells(table) {
  const unescape = (cell) =>
    cell.replace(/\\(x([0-9A-F]{2})|u\{([0-9A-F]+)\}|.)/g, (all, escape, hex, code) =>
      hex || code ? String.fromCodePoint(parseInt(hex ?? code, 16)) : { n: '\n', r: '\r', t: '\t' }[escape] ?? escape);
  return table.split('\n').filter((line) => line !== '').slice(1).map((line) => line.split(' | ').map(unescape));
}

/**
 * A text about geometry.ts (an answer, or a JSON reply) with its one union in one order: TypeScript names the members in the order in which
 * it came to know them, which depends on what it was asked before.
 */
export const inOneOrder = (text) => text.replace(/Rectangle (\\*)\| Circle/g, 'Circle $1| Rectangle');
