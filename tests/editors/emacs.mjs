// Runs Emacs without a screen and without anything of the user's, with editors/emacs/symbols.el as it is shipped.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder } from '../e2e/program.mjs';
import { editorHome, runToEnd, shipped, waitLimit } from './editor_home.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const packageFile = shipped('emacs', 'symbols.el');

/** Emacs with these arguments: { status, signal, output }, where output is both of its streams. */
export function emacs(t, args, { cwd } = {}) {
  const { home, env } = editorHome(t);
  // As an Emacs with a screen does, and one in batch does not, it outlives what it writes to (lsp-mode writes on to a server that
  // it has ended); what it starts has the signal again. Not -Q: that hides Debian's packages.
  return runToEnd(t, 'env', ['--ignore-signal=PIPE', 'emacs', '-q', '--batch', '-L', dirname(packageFile), ...args], { env, cwd: cwd ?? home });
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
