// Runs OpenCode's `lsp` tool as its agent would call it, without a model, a network or anything of the user's.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeWith, isolated } from './language_servers.mjs';
import { clientsFolder, folder, marked, timeFactor } from './program.mjs';

export const openCode = join(clientsFolder, 'node_modules', 'opencode-linux-x64-baseline', 'bin', 'opencode');

/** The start of a command line that leaves it no network: as root, else in a user namespace where the kernel grants one. */
const withoutNetwork = [['unshare', '--net'], ['unshare', '--map-root-user', '--net']]
  .find(([program, ...args]) => spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0) ?? [];

/** What OpenCode is told in a test: to offer its `lsp` tool, and to fetch nothing. */
export const openCodeSettings = {
  OPENCODE_EXPERIMENTAL_LSP_TOOL: 'true',
  OPENCODE_DISABLE_AUTOUPDATE: 'true',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: 'true',
  OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
  OPENCODE_DISABLE_MODELS_FETCH: 'true',
  OPENCODE_DISABLE_PROJECT_CONFIG: 'true',
};

/** `work(item)` of each item, two at a time: one OpenCode and its server keep a core busy. */
export async function inPairs(items, work) {
  const results = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [i, item] of entries) results[i] = await work(item);
  };
  await Promise.all([worker(), worker()]);
  return results;
}

// OpenCode's own ideas of a server for a file would be asked as well.
const ownServers = ['clangd', 'typescript', 'deno', 'eslint', 'oxlint', 'biome', 'vue', 'svelte', 'astro'];

/** Its configuration with `command` (an array) as the only language server, for files like `file`. */
function onlyServer({ command, file, env }) {
  const others = Object.fromEntries(ownServers.map((id) => [id, { disabled: true }]));
  const extensions = [/\.\w+$/.exec(file)[0]];
  return JSON.stringify({ $schema: 'https://opencode.ai/config.json', lsp: { ...others, tested: { command, extensions, env } } });
}

/**
 * Starts the tool in the folder `cwd`, with `command` (an array) as the only language server, for files like `file`; or with the
 * configuration `config` (its text), whose commands are found on `path`.
 * `.answer` gives { status, signal, text, result }: the text that the model reads, and the server's results as OpenCode got
 * them, or `failure` instead of both; `.pids()` the processes that this run has still going, OpenCode among them.
 */
export function startLspTool(t, { command, config, path = process.env.PATH, cwd, file, operation, line = 1, character = 1 }) {
  const { env, pids, noneLeft } = marked();
  const home = homeWith(t, { '.config/opencode/opencode.json': config ?? onlyServer({ command, file, env }) });
  // A file, since OpenCode ends without having written all of a large answer to a pipe.
  const output = join(folder(t), 'output');
  const fd = openSync(output, 'w');
  const params = JSON.stringify({ operation, filePath: file, line, character });
  const [program, ...args] = [...withoutNetwork, openCode, 'debug', 'agent', 'build', '--tool', 'lsp', '--params', params];
  const child = spawn(program, args, {
    cwd, env: { ...isolated(home, path), ...openCodeSettings, ...env }, stdio: ['ignore', fd, 'pipe'],
    timeout: 300_000 * timeFactor, killSignal: 'SIGKILL',
  });
  closeSync(fd);
  let stderr = '';
  child.stderr.on('data', (chunk) => { stderr += chunk; });
  Object.assign(child, { pids, noneLeft });
  child.answer = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      let printed = '';
      try {
        printed = readFileSync(output, 'utf8');
        const { output: text, metadata } = JSON.parse(printed).result;
        resolve({ status, signal, text, result: metadata.result });
      } catch {
        resolve({ status, signal, failure: `OpenCode ended with ${status ?? signal} and printed ${printed}\n${stderr}` });
      }
    });
  });
  return child;
}
