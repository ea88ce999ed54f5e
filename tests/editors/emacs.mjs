// Runs Emacs without a screen and without anything of the user's, with editors/emacs/symbols.el as it is shipped.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverSettings } from '../e2e/language_servers.mjs';
import { folder, marked, project } from '../e2e/program.mjs';
import { programFolder } from '../e2e/program_folder.mjs';
import { runLimit, waitLimit } from './editor_home.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const packageFile = join(project, 'editors/emacs/symbols.el');

/** Emacs with these arguments: { status, signal, output }, where output is both of its streams. */
export async function emacs(t, args, { cwd, env = {} } = {}) {
  const home = folder(t, serverSettings);
  const { env: mark, noneLeft, kill } = marked();
  t.after(kill);
  // As an Emacs with a screen does, and one in batch does not, it outlives what it writes to (lsp-mode writes on to a server that
  // it has ended); what it starts has the signal again. Not -Q: that hides Debian's packages.
  const child = spawn('env', ['--ignore-signal=PIPE', 'emacs', '-q', '--batch', '-L', dirname(packageFile), ...args], {
    cwd: cwd ?? home,
    env: {
      HOME: home, XDG_CONFIG_HOME: home, LANG: 'C.UTF-8', PATH: `${programFolder(t)}:${process.env.PATH}`,
      ...mark, ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'], timeout: runLimit, killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { output += chunk; });
  const ended = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal }));
  });
  // Emacs gone, its server goes too, with the proxy and without.
  await noneLeft();
  return { ...ended, output };
}

/**
 * Evaluates the forms of `plan` ({ name: Lisp text }) in an Emacs with the client 'eglot' or 'lsp_mode', in the folder `cwd`.
 * Gives { name: value }; a form that fails gives { error: message }.
 */
export async function session(t, client, cwd, plan) {
  const work = folder(t);
  const answers = join(work, 'answers.json');
  writeFileSync(join(work, 'plan.el'), `(${Object.entries(plan).map(([name, form]) => `(${name} ${form})`).join('\n')})`);
  const { status, signal, output } = await emacs(t, [
    '--eval', `(setq session-limit ${waitLimit / 1000})`, '-l', join(here, 'emacs_session.el'), '-l', join(here, `emacs_${client}.el`),
    '--eval', `(session-run ${JSON.stringify(join(work, 'plan.el'))} ${JSON.stringify(answers)})`,
  ], { cwd });
  if (status !== 0 || !existsSync(answers)) throw new Error(`Emacs ended with ${status ?? signal}:\n${output}`);
  const results = Object.entries(JSON.parse(readFileSync(answers, 'utf8')));
  return Object.fromEntries(results.map(([name, result]) => [name, 'error' in result ? result : result.value]));
}
