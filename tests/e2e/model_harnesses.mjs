// Runs agent harnesses, which use tools only inside a conversation with a model: with a scripted one, and without a network or
// anything of the user's.
import { spawn } from 'node:child_process';
import { homeWith, isolated } from './harness_home.mjs';
import { harnesses, newNode } from './harness_programs.mjs';
import { marked, timeFactor } from './program.mjs';
import { startModel } from './scripted_model.mjs';

/**
 * Has a harness make `calls` ([{ name, input }]) in the folder `cwd`, with the home folder `home`. `config`: the text of its
 * configuration of language servers; `plugins`: folders, for Claude Code.
 * Gives the texts that its model reads, one for each call (`answers`), all that was said for each (`said`), the tools that it offered by name
 * (`tools`), the text of the request that offered them first (`opening`), what it printed, its exit status, and `.noneLeft()`, which waits
 * until nothing is left of the run.
 */
export async function converse(t, name, calls, { cwd, home, config, plugins = [], path }) {
  const model = await startModel(t, calls);
  const { program = newNode, args, env, turn } = harnesses[name].start({ model, calls, cwd, config, plugins });
  const mark = marked();
  const child = spawn(program, args, {
    cwd, env: { ...isolated(home, path), ...env, ...mark.env }, stdio: [turn ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: 300_000 * timeFactor, killSignal: 'SIGKILL',
  });
  let printed = '';
  let turns = 0;
  const onOutput = (chunk) => {
    printed += chunk;
    const finished = printed.split('"type":"result"').length - 1;
    if (!turn || finished < turns) return;
    if (model.answers.length >= calls.length || turns >= 200) child.stdin.end();
    else {
      ++turns;
      child.stdin.write(`${turn}\n`);
    }
  };
  child.stdin?.on('error', () => {});
  child.stdout.on('data', onOutput);
  child.stderr.on('data', (chunk) => { printed += chunk; });
  if (turn) onOutput('');
  const [status, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...end) => resolve(end));
  });
  if (model.answers.length !== calls.length) {
    throw new Error(`${name} answered ${model.answers.length} of ${calls.length} calls and ended with ${status ?? signal}; ` +
      `it offered ${[...model.tools.keys()]}:\n${printed}`);
  }
  return { answers: model.answers, said: model.said, tools: model.tools, opening: model.opening, printed, status, noneLeft: mark.noneLeft };
}

export const harnessHome = (t, name, config) => homeWith(t, harnesses[name].files(config));

/** Has a harness ask its language servers `questions` ([{ operation, file, … }]), with the text `config` as its configuration. */
export const askHarness = (t, name, questions, { cwd, config, plugin, path }) =>
  converse(t, name, questions.map(harnesses[name].lsp), {
    cwd, home: harnessHome(t, name, config), config, plugins: plugin ? [plugin] : [], path,
  });
