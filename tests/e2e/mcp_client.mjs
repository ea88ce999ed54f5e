// Starts an MCP server that brings language servers to agents, with the official MCP client before it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clientsFolder, eventually, marked, timeFactor } from './program.mjs';

const load = (file) => import(pathToFileURL(join(clientsFolder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client', file)));
const { Client } = await load('index.js');
const { StdioClientTransport } = await load('stdio.js');

/**
 * Starts the server, and waits until it has written `ready` to its standard error, if given. `.call(tool, args, limit)` gives the text
 * that the agent reads, or rejects after `limit` milliseconds; `.noneLeft()` waits until no process of this session runs.
 */
export async function startMcpServer(t, { args, cwd, env: settings, ready = '' }) {
  const { env, noneLeft } = marked();
  const client = new Client({ name: 'symbols-test', version: '0' });
  t.after(() => client.close());
  const transport = new StdioClientTransport({
    command: process.execPath, args, cwd, env: { ...process.env, ...env, ...settings }, stderr: 'pipe',
  });
  let log = '';
  transport.stderr.setEncoding('utf8').on('data', (text) => { log += text; });
  await client.connect(transport);
  await eventually(() => log.includes(ready), 120_000 * timeFactor, () => `"${ready}" in ${log}`);
  return {
    noneLeft,
    close: () => client.close(),
    async call(name, args, limit = 120_000 * timeFactor) {
      const { content } = await client.callTool({ name, arguments: args }, undefined, { timeout: limit });
      return content.map(({ text }) => text).join('\n');
    },
  };
}
