// What the programs of bench/ share: their arguments, what must be there before one measures, and how. Whatever is wrong is one line on
// standard error.
import { spawnSync } from 'node:child_process';
import { accessSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const project = join(dirname(fileURLToPath(import.meta.url)), '..');

export function fail(message) {
  console.error(`${relative(process.cwd(), process.argv[1])}: ${message}`);
  process.exit(1);
}

/** As parseArgs, but options whose default is a number are whole numbers, at least 1. */
export function argumentsOf({ options, ...rest }) {
  const asText = Object.entries(options).map(([name, option]) =>
    [name, typeof option.default === 'number' ? { ...option, type: 'string', default: String(option.default) } : option]);
  let parsed;
  try {
    parsed = parseArgs({ ...rest, options: Object.fromEntries(asText) });
  } catch (error) {
    fail(error.message);
  }
  for (const [name, option] of Object.entries(options)) {
    if (typeof option.default !== 'number') continue;
    if (!/^[1-9]\d*$/.test(parsed.values[name])) fail(`--${name} takes a whole number, at least 1, not '${parsed.values[name]}'`);
    parsed.values[name] = Number(parsed.values[name]);
  }
  return parsed;
}

/** Those whose name holds the text; there must be one. */
export function named(all, text) {
  const found = all.filter(({ name }) => name.includes(text));
  if (found.length === 0) fail(`none is named '${text}'; there are: ${all.map(({ name }) => name).join('; ')}`);
  return found;
}

const programsCome = 'cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build';

/** Ends this program where one in build/ is not built. */
export const needsPrograms = (...names) => needs(names.map((name) => join(project, 'build', name)), programsCome);

/** Ends this program where a source that is measured is not here. */
export const needsSources = (...paths) => needs(paths, 'scripts/setup --tests');

function needs(paths, remedy) {
  for (const path of paths) {
    try {
      accessSync(path);
    } catch {
      fail(`${path} is not here; it comes with: ${remedy}`);
    }
  }
}

/** A folder that is removed when this program ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'symbols-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a command by bench/measure, to which `options` go: its wall time, its own processor time and that with all that it has started, in
 * milliseconds; its largest resident memory and that of the largest process, in KiB. Its exit status is at most `maxStatus`.
 */
export function measured(command, { cwd, env, options = [], maxStatus = 0 } = {}) {
  const { status, stdout, stderr, error } = spawnSync(join(project, 'build/bench/measure'), [...options, ...command],
    { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (error || status === null || status > maxStatus) fail(`${command.join(' ')}: ${error?.message ?? stderr.trim()}`);
  const [wall, own, peak, all, largest] = stdout.trim().split(' ').map(Number);
  return { wall, own, peak, all, largest };
}

/** Numbers from 0 to below `end`, the same for the same seed. */
export function draws(seed) {
  let state = seed;
  return (end) => { state = (state * 48271) % 2147483647; return state % end; };
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
