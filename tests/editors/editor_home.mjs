// A home of its own for an editor under test: its configuration, the programs on its PATH, nothing of the user's.
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programFolder, serverSettings } from '../e2e/language_servers.mjs';
import { folder, marked, project, serversFolder, timeFactor } from '../e2e/program.mjs';

/** How long one thing in an editor is waited for, in milliseconds, on a machine that does much else. */
export const waitLimit = 150_000 * timeFactor;
/** How long an editor may run, and a test, which may run two. */
export const runLimit = 2 * waitLimit;
export const limit = { timeout: 2 * runLimit };

export const shipped = (...names) => join(project, 'editors', ...names);

/**
 * A home with these files, and with `links` (path in the home: what it points to); `programs` (names, see language_servers.mjs) are on the PATH,
 * before the system's own. Gives { home, env, place } where `place` is a path in it.
 */
export function editorHome(t, { files = {}, links = {}, programs } = {}) {
  const settings = Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [join('.config', name), text]));
  const home = folder(t, { ...settings, ...files });
  const place = (...names) => join(home, ...names);
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(place(name)), { recursive: true });
    symlinkSync(target, place(name));
  }
  const bin = programFolder(t, programs);
  const env = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: home,
    XDG_CONFIG_HOME: place('.config'),
    XDG_DATA_HOME: place('.local/share'),
    XDG_STATE_HOME: place('.local/state'),
    XDG_CACHE_HOME: place('.cache'),
    XDG_RUNTIME_DIR: home,
    SYMBOLS_SERVERS_DIR: serversFolder,
  };
  return { home, env, place };
}

/**
 * Runs a program to its end, in a process group that is killed after `runLimit` or at the end of the test. It is to leave none of
 * the processes that it has started.
 */
export async function runToEnd(t, program, args, { env, cwd }) {
  const { env: mark, noneLeft, kill } = marked();
  t.after(kill);
  const ended = await new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env, ...mark }, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const killGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // all of it has ended
      }
    };
    const timer = setTimeout(killGroup, runLimit);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { output += chunk; });
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, output });
    });
  });
  await noneLeft().catch((error) => { throw new Error(`${program} ended with ${ended.signal ?? ended.status}, but ${error.message}\n${ended.output}`); });
  return ended;
}
