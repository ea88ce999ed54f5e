// The programs that bench/report.mjs compares: how each is run, and what its answer has.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { project } from '../arguments.mjs';
import { astGrep, repomix } from '../tokens/packages.mjs';

export const symbols = process.env.SYMBOLS ?? join(project, 'build/symbols');
const paths = {
  symbols,
  plain_client: join(project, 'build/bench/plain_client'),
  'ast-grep': astGrep,
};

function versionOf(name) {
  if (name === 'plain_client') return existsSync(paths[name]) ? "this project's" : undefined;
  const [command, ...args] = program(name);
  const { status, stdout } = spawnSync(command, [...args, '--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().split('\n')[0] : undefined;
}

/** How a program is started, by its name. */
export function program(name) {
  return name === 'repomix' ? repomix : [paths[name] ?? name];
}

/** By name; undefined of those that are not here. */
export const versions = Object.fromEntries(
  ['symbols', 'ctags', 'ast-grep', 'rg', 'repomix', 'plain_client'].map((name) => [name, versionOf(name)]));

/** By program: those of language servers that were asked. */
export const serverVersions = (commands) => Object.fromEntries([...commands].map((command) =>
  [basename(command), spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout?.trim().split('\n')[0]]));

const lines = (text) => text.split('\n').filter((line) => line !== '');
/** What an answer has, by its form: { rows, hovers }; what the form does not have is left out. */
export const has = {
  table(text) {
    const rows = lines(text).slice(1).map((line) => line.split(/(?<!\\) \| /));
    return { rows: rows.length, hovers: rows.filter((cells) => cells.length > 6 && cells[5].trim()).length };
  },
  ctags: (text) => ({ rows: lines(text).filter((line) => line.startsWith('{"_type": "tag"')).length }),
  astGrep: (text) => ({ rows: lines(text).filter((line) => /^ *\d+:/.test(line)).length }),
  plainHovers: (text) => ({ rows: parseInt(text, 10), remark: 'a hover reply for each' }),
  plainSymbols: (text) => ({ rows: parseInt(text, 10) }),
  index: (text) => ({ rows: Number(text.match(/(\d+) rows/)[1]) }),
  found: (text) => ({ rows: lines(text).length - 1 }),
  lines: (text) => ({ rows: lines(text).length }),
};

/** The places that `symbols context` lists as references: FILE:LINE, lines from 1. */
export function referencesOf(text) {
  const places = [];
  let inside = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) inside = line.startsWith('# references');
    else if (inside) {
      const [path, ranges = ''] = line.split(' | ');
      for (const range of ranges.split(' ').filter(Boolean)) places.push(`${path}:${parseInt(range, 10) + 1}`);
    }
  }
  return places;
}
