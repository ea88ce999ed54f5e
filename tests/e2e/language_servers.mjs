// The real servers that the tests start, as scripts/setup installs them, and what a user has besides.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { folder, serversFolder, symbolsPath } from './program.mjs';

const modules = join(serversFolder, 'node_modules');
const native = readdirSync(join(modules, '@typescript')).find((name) => name.startsWith('typescript-'));

/**
 * Files of an XDG_CONFIG_HOME for short sessions: clangd would go on for seconds, indexing the standard library, after it was
 * told to end.
 */
export const serverSettings = { 'clangd/config.yaml': 'Index:\n  StandardLibrary: No\n  Background: Skip\n' };

/** An environment with folders of its own for caches, settings (with these files more) and sockets, and time on a busy machine. */
export const ownEnvironment = (t, config = {}) =>
  ({ XDG_CACHE_HOME: folder(t), XDG_CONFIG_HOME: folder(t, { ...serverSettings, ...config }), XDG_RUNTIME_DIR: folder(t), SYMBOLS_TIMEOUT: '300s' });

/** An environment with this home folder in place of the user's own, for third-party programs; a request that is not to the loopback interface fails at once. */
export function isolated(home, path) {
  return {
    PATH: path,
    LANG: 'C.UTF-8',
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    http_proxy: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    no_proxy: '127.0.0.1',
    npm_config_registry: 'http://127.0.0.1:9',
  };
}

/** A home folder with these files and what keeps clangd's sessions short. */
export const homeWith = (t, files = {}) =>
  folder(t, { ...Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [`.config/${name}`, text])), ...files });

/** By name: the command and its arguments, the LSP language, and what `initialize` should bring where the server needs it. */
export const languageServers = {
  clangd: { command: 'clangd-19', args: [], language: 'cpp' },
  'TypeScript 7': { command: join(modules, '@typescript', native, 'lib', 'tsc'), args: ['--lsp', '--stdio'], language: 'typescript' },
  'typescript-language-server': {
    command: join(modules, '.bin', 'typescript-language-server'), args: ['--stdio'], language: 'typescript',
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      tsserver: { path: join(modules, 'typescript/lib/tsserver.js'), useSyntaxServer: 'never' },
    },
  },
};

const programs = {
  symbols: () => symbolsPath,
  node: () => process.execPath,
  clangd: () => execFileSync('which', [languageServers.clangd.command], { encoding: 'utf8' }).trim(),
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
