// What a user has on the PATH: this program and the servers, by the names that shipped configurations call them by.
import { accessSync, constants, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { languageServers } from './language_servers.mjs';
import { folder, symbolsPath } from './program.mjs';

function found(program) {
  if (isAbsolute(program)) return program;
  for (const path of process.env.PATH.split(delimiter).map((place) => join(place, program))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}  // the next one
  }
  throw new Error(`there is no ${program} on the PATH; scripts/setup --all tells what is missing`);
}

const programs = {
  symbols: () => symbolsPath,
  clangd: () => found(languageServers.clangd.command),
  tsc: () => languageServers['TypeScript 7'].command,
  'typescript-language-server': () => languageServers['typescript-language-server'].command,
};

/** A folder for the front of the PATH with these of them; far from any project, in which nothing is run. */
export function programFolder(t, names = Object.keys(programs)) {
  const bin = join(folder(t), 'bin');
  mkdirSync(bin);
  for (const name of names) symlinkSync(programs[name](), join(bin, name));
  return bin;
}
