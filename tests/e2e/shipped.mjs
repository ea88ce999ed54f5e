// The configuration that editors/ ships for agent harnesses, and the PATH on which its commands are found.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { languageServers } from './language_servers.mjs';
import { folder, project, symbolsPath } from './program.mjs';

export const shippedPath = (...names) => join(project, 'editors', ...names);
export const shipped = (...names) => readFileSync(shippedPath(...names), 'utf8');

/** A PATH on which a shipped command line finds this program and the servers, under the names that it calls them by. */
export function shippedPrograms(t) {
  const bin = join(folder(t), 'bin');
  mkdirSync(bin);
  const clangd = spawnSync('sh', ['-c', `command -v ${languageServers.clangd.command}`], { encoding: 'utf8' }).stdout.trim();
  for (const [name, target] of [
    ['symbols', symbolsPath],
    ['clangd', clangd],
    ['typescript-language-server', languageServers['typescript-language-server'].command],
  ]) symlinkSync(target, join(bin, name));
  return `${bin}:${process.env.PATH}`;
}

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
