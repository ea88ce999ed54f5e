// The configuration that editors/ ships for agent harnesses, the PATH on which its commands are found, and a small project to ask about.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture, folder, project, quietly, sourcesFolder } from './program.mjs';
import { programFolder } from './language_servers.mjs';

// Claude Code adds diagnostics to whatever it answers when they come, and this file's imports are not there.
const observable = '// @ts-nocheck\n' + readFileSync(join(sourcesFolder, 'node_modules/rxjs/src/internal/Observable.ts'), 'utf8');

/** One-based line and character of `word` in the first line that contains `text`. */
function placeOf(source, text, word) {
  const lines = source.split('\n');
  const line = lines.findIndex((one) => one.includes(text));
  return { line: line + 1, character: lines[line].indexOf(word) + 1 };
}

const geometry = readFileSync(fixture('geometry.cpp'), 'utf8');

/** By language: a file, a symbol in it that has documentation, one-based, and what a hover there must say. */
export const questions = {
  cpp: { file: 'geometry.cpp', name: 'calculate_area', ...placeOf(geometry, 'double calculate_area', 'calculate_area'), says: /double calculate_area\(double width, double height\)/ },
  ts: { file: 'Observable.ts', name: 'forEach', ...placeOf(observable, 'forEach(next: (value: T) => void): Promise<void>;', 'forEach'), says: /Used as a NON-CANCELLABLE means of subscribing/ },
};

const serverOf = { 'geometry.cpp': 'clangd', 'Observable.ts': 'typescript-language-server --stdio' };

/** The tree that the command prints for a file of the project, without the newline at its end. `path`: the PATH. */
export const treeOf = async (file, verbosity, { cwd, path }) =>
  (await quietly(['--format', 'tree', '--verbosity', verbosity, '--server', serverOf[file], file], { cwd, env: { PATH: path } })).trimEnd();

export const shippedProject = (t) => folder(t, {
  'geometry.cpp': geometry,
  'Observable.ts': observable,
  // Nothing that takes tsserver time and that nobody asks about: the DOM's types, and an npm that looks for others.
  'tsconfig.json': '{"compilerOptions": {"strict": true, "types": [], "lib": ["es2020"]}, "typeAcquisition": {"enable": false}}',
});

export const shippedPath = (...names) => join(project, 'editors', ...names);
export const shipped = (...names) => readFileSync(shippedPath(...names), 'utf8');

/** A PATH on which a shipped command line finds this program and the servers, under the names that it calls them by. */
export const shippedPrograms = (t) => `${programFolder(t)}:${process.env.PATH}`;

/** What stands behind `symbols proxy … --` in a command line; the whole of it where there is no proxy. */
export function server(commandLine) {
  const at = commandLine.findIndex((word, i) => word === 'symbols' && commandLine[i + 1] === 'proxy');
  return at < 0 ? commandLine : commandLine.slice(commandLine.indexOf('--', at) + 1);
}

/** The configuration (JSON text) with each of its command lines, an array or `command` and `args`, replaced by `change(line)`. */
function changed(config, change) {
  let count = 0;
  const result = JSON.parse(config, (key, value) => {
    if (Array.isArray(value) && value[0] === 'symbols' && key !== 'args') {
      ++count;
      return change(value);
    }
    if (typeof value?.command === 'string' && Array.isArray(value.args)) {
      ++count;
      const [command, ...args] = change([value.command, ...value.args]);
      return { ...value, command, args };
    }
    return value;
  });
  if (count === 0) throw new Error(`no command line with symbols proxy in ${config}`);
  return result;
}

/** The same configuration with the servers started directly, to compare with. */
export const withoutProxy = (config) => JSON.stringify(changed(config, server));

/** Its command lines. */
export function commandLines(config) {
  const lines = [];
  changed(config, (line) => {
    lines.push(line);
    return line;
  });
  return lines;
}

/**
 * Options for `initialize` with which typescript-language-server answers only when it has loaded the project (it has a second server that would
 * answer before, otherwise), and does not ask npm for types.
 */
export const typescriptOptions = { disableAutomaticTypingAcquisition: true, tsserver: { useSyntaxServer: 'never' } };

/** The same configuration, with these members in each language server. */
export const withMembers = (config, members) => JSON.stringify(JSON.parse(config, (key, value) => value?.command ? { ...value, ...members } : value));
