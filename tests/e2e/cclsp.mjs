// Runs cclsp, an MCP server that brings language servers to agents, with the official MCP client before it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serverSettings } from './language_servers.mjs';
import { clientsFolder, folder, marked } from './program.mjs';

const modules = join(clientsFolder, 'node_modules');
const load = (file) => import(pathToFileURL(join(modules, '@modelcontextprotocol/sdk/dist/esm/client', file)));
const { Client } = await load('index.js');
const { StdioClientTransport } = await load('stdio.js');

/**
 * Starts cclsp in the folder `cwd`, with `command` (an array) as the language server for these file extensions.
 * `.call(tool, args, limit)` gives the text that the agent reads, or rejects after `limit` milliseconds; `.pids()` the
 * processes of this session that still run.
 */
export async function startCclsp(t, { command, extensions, cwd, initializationOptions }) {
  const config = join(folder(t), 'cclsp.json');
  writeFileSync(config, JSON.stringify({ servers: [{ extensions, command, rootDir: cwd, initializationOptions }] }));
  const { env, pids } = marked();
  const client = new Client({ name: 'symbols-test', version: '0' });
  t.after(() => client.close());
  await client.connect(new StdioClientTransport({
    command: process.execPath, args: [join(modules, 'cclsp/dist/index.js')], cwd,
    env: { ...process.env, ...env, CCLSP_CONFIG_PATH: config, XDG_CONFIG_HOME: folder(t, serverSettings) }, stderr: 'ignore',
  }));
  return {
    pids,
    close: () => client.close(),
    async call(name, args, limit = 120_000) {
      const { content } = await client.callTool({ name, arguments: args }, undefined, { timeout: limit });
      return content.map(({ text }) => text).join('\n');
    },
  };
}
