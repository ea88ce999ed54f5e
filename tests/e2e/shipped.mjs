// The configuration that editors/ ships for agent harnesses, and the PATH on which its commands are found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './program.mjs';
import { programFolder } from './program_folder.mjs';

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
