// Runs cli-lsp-client, a command that keeps its language servers in a daemon.
import { join } from 'node:path';
import { homeWith, isolated } from './harness_home.mjs';
import { clientsFolder, eventually, marked, start, timeFactor } from './program.mjs';

const program = join(clientsFolder, 'node_modules/cli-lsp-client-linux-x64/bin/cli-lsp-client');

/**
 * `.run(...args)` gives { status, stdout, stderr }, run in the folder `cwd` with this configuration file; `.stop()` ends the daemon
 * and waits until none of its processes is left.
 */
export function cliLspClient(t, { cwd, config, path }) {
  const { env, pids, kill } = marked();
  const environment = { ...isolated(homeWith(t), path), ...env, NO_COLOR: '1' };
  const run = (...args) => start(['--config-file', config, ...args], { program, cwd, env: environment, limit: 120_000 * timeFactor }).finished;
  t.after(kill);
  return {
    run,
    async stop() {
      await run('stop');
      await eventually(() => pids().length === 0, 30_000 * timeFactor);
    },
  };
}
