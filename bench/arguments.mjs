// The arguments of bench/*.mjs, and what must be there before one measures. Whatever is wrong is one line on standard error.
import { accessSync } from 'node:fs';
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

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
