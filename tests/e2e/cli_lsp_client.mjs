// Runs cli-lsp-client, a command that keeps its language servers in a daemon.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { homeWith, isolated } from './harness_home.mjs';
import { clientsFolder, eventually, marked, start, timeFactor } from './program.mjs';

const program = join(clientsFolder, 'node_modules/cli-lsp-client-linux-x64/bin/cli-lsp-client');

/**
 * Starts its daemon in the folder `cwd` with this configuration file. `.run(...args)` gives { status, stdout, stderr }; `.stop()` ends the
 * daemon and waits until none of its processes is left.
 */
export async function cliLspClient(t, { cwd, config, path }) {
  const { env, noneLeft, kill } = marked();
  const home = homeWith(t);
  // The daemon of a folder has its socket in TMPDIR.
  const environment = { ...isolated(home, path), ...env, NO_COLOR: '1', TMPDIR: home };
  const limit = 120_000 * timeFactor;
  const run = (...args) => start(['--config-file', config, ...args], { program, cwd, env: environment, limit }).finished;
  t.after(kill);
  // As the command starts it, which would wait five seconds for it and no longer.
  start([], { program, cwd, limit: 0, env: { ...environment, LSPCLI_DAEMON_MODE: '1', LSPCLI_CONFIG_FILE: config } });
  await eventually(() => readdirSync(home).some((name) => name.endsWith('.pid')), limit);
  return {
    run,
    async stop() {
      await run('stop');
      await noneLeft();
    },
  };
}
