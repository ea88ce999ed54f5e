// Tools that read sources, run on the very files that captures were recorded from, and how many symbols each of them
// reports there.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { captures, output, project, readJson } from './captures.mjs';
import { astGrep, repomix, repomixCompress } from './packages.mjs';

const npm = process.env.SYMBOLS_TEST_SOURCES_DIR ?? join(project, 'tests/npm');
/** Of Debian's packages and of tests/npm, which scripts/setup --tests installs: the capture, the file, its name here. */
const files = [
  ['clangd19/fmt__core.h', '/usr/include/fmt/core.h', 'fmt/core.h'],
  ['clangd19/nlohmann__json.hpp', '/usr/include/nlohmann/json.hpp', 'nlohmann/json.hpp'],
  ['clangd19/rapidjson__document.h', '/usr/include/rapidjson/document.h', 'rapidjson/document.h'],
  ['ts7/internal__Observable.ts', `${npm}/node_modules/rxjs/src/internal/Observable.ts`, 'rxjs/Observable.ts'],
  ['ts7/internal__types.ts', `${npm}/node_modules/rxjs/src/internal/types.ts`, 'rxjs/types.ts'],
  ['ts7/core__util.ts', `${npm}/node_modules/zod/src/v4/core/util.ts`, 'zod/v4/util.ts'],
  ['ts7/v3__types.ts', `${npm}/node_modules/zod/src/v3/types.ts`, 'zod/v3/types.ts'],
];

/** Whether the capture is of this source: its names stand where it says (but for those that are no words). */
function isOf(capture, path) {
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  let words = 0;
  let found = 0;
  const look = ({ name, selectionRange: { start, end }, children }) => {
    if (/^\w+$/.test(name) && start.line === end.line) {
      ++words;
      found += lines[start.line]?.slice(start.character, end.character) === name;
    }
    children?.forEach(look);
  };
  readJson(capture.reply).forEach(look);
  return found > 0.95 * words;
}

/** The captures whose sources are here. */
export const sources = files.flatMap(([name, path, shortName]) => {
  const capture = captures.find((one) => one.name === name);
  if (existsSync(path) && isOf(capture, path)) return [{ ...capture, path, shortName }];
  console.error(`bench/tokens: ${path} is not here, or not what ${name} was recorded from; see scripts/setup --tests`);
  return [];
});

const countLines = (text) => text.split('\n').filter((line) => line !== '').length;
const countItems = (text) => JSON.parse(text).flatMap(({ items }) => items)
  .reduce((sum, { members }) => sum + 1 + (members?.length ?? 0), 0);
const byName = (args, count, command) => ({ run: (cwd, names) => output(command, [...args, ...names], { cwd }), count });
const ctags = (...args) => byName(['--output-format=json', '--sort=no', ...args, '-f', '-'], countLines, 'ctags');

// `shows`: what it says of a symbol beside name, kind and place.
const tools = [
  { title: 'ctags JSON', shows: 'first line of code', ...ctags() },
  { title: 'ctags JSON, lines and ends, no patterns', shows: '', ...ctags('--fields=+ne-P') },
  { title: 'ctags -x', shows: 'first line of code', ...byName(['-x', '--sort=no', '-f', '-'], countLines, 'ctags') },
  { title: 'ast-grep outline, JSON', shows: 'first line of code', ...byName(['outline', '--json=compact'], countItems, astGrep) },
  { title: 'ast-grep outline, --view expanded', shows: 'first line of code', ...byName(['outline', '--view', 'expanded', '--color', 'never'],
    (text) => text.split('\n').filter((line) => /^ *\d+:/.test(line)).length, astGrep) },
  {
    title: 'repomix --compress',
    shows: 'code without bodies',
    run: (cwd) => output(repomix[0], [repomix[1], ...repomixCompress], { cwd }),
  },
];

/** What each tool prints of all these files at once: { title, shows, text, symbols: how many, where that can be told }. */
export function outputs(files = sources) {
  const cwd = mkdtempSync(join(tmpdir(), 'symbols-tokens-'));
  try {
    for (const { path, shortName } of files) {
      mkdirSync(dirname(join(cwd, shortName)), { recursive: true });
      cpSync(path, join(cwd, shortName));
    }
    return tools.flatMap(({ title, shows, run, count }) => {
      try {
        const text = run(cwd, files.map(({ shortName }) => shortName));
        return [{ title, shows, text, symbols: count?.(text) }];
      } catch (error) {
        console.error(`bench/tokens: ${title} is left out: ${error.message}`);
        return [];
      }
    });
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
