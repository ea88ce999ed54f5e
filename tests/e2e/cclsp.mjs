// Runs cclsp, an MCP server that brings language servers to agents.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverSettings } from './language_servers.mjs';
import { startMcpServer } from './mcp_client.mjs';
import { clientsFolder, folder } from './program.mjs';

/**
 * Starts cclsp in the folder `cwd`, with `command` (an array) as the language server for these file extensions, or with the
 * configuration file `config` and its commands found on `path`. Gives what startMcpServer gives.
 */
export async function startCclsp(t, { command, extensions, cwd, initializationOptions, config, path = process.env.PATH }) {
  let file = config;
  if (!file) {
    file = join(folder(t), 'cclsp.json');
    writeFileSync(file, JSON.stringify({ servers: [{ extensions, command, rootDir: cwd, initializationOptions }] }));
  }
  return startMcpServer(t, {
    args: [join(clientsFolder, 'node_modules/cclsp/dist/index.js')], cwd,
    // A call before that starts each server a second time, and later calls go to the one that has no files open.
    ready: 'LSP server preloading completed',
    env: { CCLSP_CONFIG_PATH: file, PATH: path, XDG_CONFIG_HOME: folder(t, serverSettings) },
  });
}
