// Runs the MCP server of oh-my-opencode, `omo-lsp mcp`, which gives its agents their tools for language servers.
import { join } from 'node:path';
import { homeWith, isolated } from './harness_home.mjs';
import { patientTimers } from './harness_programs.mjs';
import { startMcpServer } from './mcp_client.mjs';
import { clientsFolder } from './program.mjs';

/** Only the user's configuration may name a command: `config` is that file. Gives what startMcpServer gives. */
export const startLspToolsMcp = (t, { cwd, config, path }) => startMcpServer(t, {
  args: ['--require', patientTimers, join(clientsFolder, 'node_modules/oh-my-opencode/packages/lsp-tools-mcp/dist/cli.js'), 'mcp'], cwd,
  env: { ...isolated(homeWith(t), path), LSP_TOOLS_MCP_USER_CONFIG: config },
});
