// The configurations in editors/ for harnesses that can be asked without a model: OpenCode, cclsp, oh-my-opencode, cli-lsp-client,
// each as it is from npm. What a model reads with the shipped file, and with the same file without the proxy.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { patientTimers } from './harness_programs.mjs';
import { homeWith, isolated, serverSettings } from './language_servers.mjs';
import { inPairs, startLspTool } from './opencode.mjs';
import { clientsFolder, eventually, folder, marked, start, timeFactor } from './program.mjs';
import { questions, shipped, shippedPrograms, shippedProject, treeOf, typescriptOptions, withMembers, withoutProxy } from './shipped.mjs';
import { countTokens } from './tokens.mjs';

const load = (file) => import(pathToFileURL(join(clientsFolder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client', file)));
const { Client } = await load('index.js');
const { StdioClientTransport } = await load('stdio.js');

/**
 * Starts the server, and waits until it has written `ready` to its standard error, if given. `.call(tool, args)` gives the text
 * that the agent reads; `.noneLeft()` waits until no process of this session runs.
 */
async function startMcpServer(t, { args, cwd, env: settings, ready = '' }) {
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
    async call(name, args) {
      const { content } = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 * timeFactor });
      return content.map(({ text }) => text).join('\n');
    },
  };
}

/** Only the user's configuration may name a command: `config` is that file. Gives what startMcpServer gives. */
const startLspToolsMcp = (t, { cwd, config, path }) => startMcpServer(t, {
  args: ['--require', patientTimers, join(clientsFolder, 'node_modules/oh-my-opencode/packages/lsp-tools-mcp/dist/cli.js'), 'mcp'], cwd,
  env: { ...isolated(homeWith(t), path), LSP_TOOLS_MCP_USER_CONFIG: config },
});

const program = join(clientsFolder, 'node_modules/cli-lsp-client-linux-x64/bin/cli-lsp-client');

/**
 * Starts its daemon in the folder `cwd` with this configuration file. `.run(...args)` gives { status, stdout, stderr }; `.stop()` ends the
 * daemon and waits until none of its processes is left.
 */
async function cliLspClient(t, { cwd, config, path }) {
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

const inOrder = (text) => text.split('\n').sort();
const areFewer = (behind, direct) =>
  assert.ok(countTokens(behind) < countTokens(direct), `${behind}\nis not shorter than\n${direct}`);

/** Files with this shipped configuration, without the proxy and as it is; `option` is the name of what they have for `initialize`. */
function files(t, option, ...parts) {
  return [withoutProxy, (text) => text].map((change) => {
    const path = join(folder(t), parts.at(-1));
    writeFileSync(path, withMembers(change(shipped(...parts)), { [option]: typescriptOptions }));
    return path;
  });
}

for (const [language, { file, line, character, says }] of Object.entries(questions)) {
  test(`OpenCode, ${language}: all signatures in a fifth of the tokens, shorter hovers, the same references`, async (t) => {
    const path = shippedPrograms(t);
    const cwd = shippedProject(t);
    const runs = ['documentSymbol', 'hover', 'findReferences'].flatMap((operation) =>
      [withoutProxy, (text) => text].map((change) => (
        { operation, config: withMembers(change(shipped('opencode', 'opencode.json')), { initialization: typescriptOptions }) })));
    const [direct, signatures, directHover, hover, directReferences, references] = await inPairs(runs, async (run) => {
      const tool = startLspTool(t, { ...run, path, cwd, file, line, character });
      const answer = await tool.answer;
      assert.equal(answer.failure, undefined);
      await tool.noneLeft();
      return answer;
    });
    t.diagnostic(`tokens without and with: symbols ${countTokens(direct.text)}, ${countTokens(signatures.text)}, ` +
      `hover ${countTokens(directHover.text)}, ${countTokens(hover.text)}`);
    assert.ok(direct.result.length >= 15);
    assert.deepEqual(signatures.result, [{ success: true, format: 'tree', symbols: await treeOf(file, 'signatures', { cwd, path }) }]);
    assert.ok(countTokens(signatures.text) <= countTokens(direct.text) / 5, signatures.text);
    for (const answer of [directHover, hover]) assert.match(answer.text, says);
    areFewer(hover.text, directHover.text);
    const places = ({ result }) => result.map((one) => JSON.stringify(one)).sort();
    assert.ok(directReferences.result.length > 0);
    assert.deepEqual(places(references), places(directReferences));
  });
}

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`OpenCode ended by ${signal}: nothing is left`, async (t) => {
    const config = shipped('opencode', 'opencode.json');
    const tool = startLspTool(t, { config, path: shippedPrograms(t), cwd: '/usr/include/nlohmann', file: 'json.hpp', operation: 'documentSymbol' });
    // OpenCode, the proxy, its server
    await eventually(() => tool.pids().length >= 3, 120_000 * timeFactor);
    tool.kill(signal);
    await tool.answer;
    await tool.noneLeft();
  });
}

/** cclsp with this configuration file, whose commands are found on `path`. */
const startCclsp = (t, { config, cwd, path }) => startMcpServer(t, {
  args: [join(clientsFolder, 'node_modules/cclsp/dist/index.js')], cwd,
  // A call before that starts each server a second time, and later calls go to the one that has no files open.
  ready: 'LSP server preloading completed',
  env: { CCLSP_CONFIG_PATH: config, PATH: path, XDG_CONFIG_HOME: folder(t, serverSettings) },
});

test('cclsp: the same answers, and hovers in fewer tokens', async (t) => {
  const path = shippedPrograms(t);
  const cwd = shippedProject(t);
  const { cpp, ts } = questions;
  const calls = [
    ['find_definition', { file_path: cpp.file, symbol_name: 'area' }, /geometry\.cpp:25:10/],
    ['find_references', { file_path: cpp.file, symbol_name: cpp.name, symbol_kind: 'function' }, /geometry\.cpp:36:36/],
    ['find_definition', { file_path: ts.file, symbol_name: 'Observable' }, /Observable\.ts:/],
    ['get_hover', { file_path: cpp.file, line: 12, character: 8 }, /struct Point/],
  ];
  // Without --ascii it never comes: cclsp counts characters where LSP counts bytes, and this one has text beyond ASCII.
  const beyondAscii = ['get_hover', { file_path: ts.file, line: ts.line, character: ts.character }, ts.says];
  const ask = async (config, calls) => {
    const session = await startCclsp(t, { config, cwd, path });
    const answers = [];
    for (const [tool, args] of calls) answers.push(await session.call(tool, args));
    await session.close();
    await session.noneLeft();
    return answers;
  };
  const [withoutIt, withIt] = files(t, 'initializationOptions', 'cclsp', 'cclsp.json');
  const [direct, behind] = await Promise.all([ask(withoutIt, calls), ask(withIt, [...calls, beyondAscii])]);
  assert.match(behind.pop(), beyondAscii[2]);
  calls.forEach(([tool, , says], i) => {
    assert.match(direct[i], says);
    assert.match(behind[i], says);
    if (tool !== 'get_hover') {
      assert.deepEqual(inOrder(behind[i]), inOrder(direct[i]));
      return;
    }
    t.diagnostic(`hover: ${countTokens(direct[i])} tokens without, ${countTokens(behind[i])} with`);
    areFewer(behind[i], direct[i]);
  });
});

// It waits for an answer to its client/registerCapability, which cclsp never gives, and logs in characters beyond ASCII, which cclsp's
// framing does not survive.
test('cclsp works with TypeScript 7 behind --answer and --ascii', async (t) => {
  const cwd = shippedProject(t);
  const config = join(folder(t), 'cclsp.json');
  writeFileSync(config, shipped('cclsp', 'cclsp.json').replace('"typescript-language-server", "--stdio"', '"tsc", "--lsp", "--stdio"'));
  const session = await startCclsp(t, { config, cwd, path: shippedPrograms(t) });
  const { file, line, character, says } = questions.ts;
  assert.match(await session.call('find_definition', { file_path: file, symbol_name: 'Observable' }), /Observable\.ts:/);
  assert.match(await session.call('get_hover', { file_path: file, line, character }), says);
  await session.close();
  await session.noneLeft();
});

test("oh-my-opencode: the same answers; with the configuration for a table half of the symbols' tokens", async (t) => {
  const path = shippedPrograms(t);
  const cwd = shippedProject(t);
  writeFileSync(join(cwd, 'broken.ts'), 'export const twice = (number: number): string => number * 2;\n');
  const ask = async (config) => {
    const session = await startLspToolsMcp(t, { config, cwd, path });
    const answers = {};
    for (const [language, { file: filePath, line, character }] of Object.entries(questions)) {
      answers[language] = {
        symbols: await session.call('symbols', { filePath, scope: 'document' }),
        references: await session.call('find_references', { filePath, line, character: character - 1 }),
      };
    }
    answers.diagnostics = await session.call('diagnostics', { filePath: 'broken.ts' });
    await session.close();
    await session.noneLeft();
    return answers;
  };
  const [, tableFile] = files(t, 'initialization', 'oh-my-opencode', 'table', 'lsp.json');
  const [direct, standard, table] = await inPairs([...files(t, 'initialization', 'oh-my-opencode', 'lsp.json'), tableFile], ask);
  assert.match(direct.diagnostics, /Type 'number' is not assignable to type 'string'/);
  for (const { diagnostics } of [standard, table]) assert.equal(diagnostics, direct.diagnostics);
  for (const [language, { file, name }] of Object.entries(questions)) {
    const [bare, behind, tabular] = [direct[language], standard[language], table[language]];
    t.diagnostic(`${language}: symbols in ${countTokens(bare.symbols)} tokens without, ${countTokens(behind.symbols)} with, ${countTokens(tabular.symbols)} as a table`);
    assert.match(bare.symbols, new RegExp(`^ *${name} \\(\\w+\\) - line \\d+$`, 'm'));
    assert.equal(behind.symbols, bare.symbols);
    for (const answer of [behind, tabular]) assert.deepEqual(inOrder(answer.references), inOrder(bare.references));
    const inTree = (symbols) => symbols.flatMap((symbol) => [symbol.name, ...inTree(symbol.children)]);
    const tree = tabular.symbols.replace(/ \(\w+\) - line \d+$/i, '');
    assert.equal(tree, await treeOf(file, 'minimal', { cwd, path }));
    const names = inTree(decodeTree(tree));
    assert.ok(names.includes(name), tabular.symbols);
    assert.ok(countTokens(tabular.symbols) <= countTokens(bare.symbols) / 2, tabular.symbols);
  }
});

test('cli-lsp-client: the same diagnostics, and hovers in fewer tokens', async (t) => {
  const path = shippedPrograms(t);
  const cwd = shippedProject(t);
  writeFileSync(join(cwd, 'broken.ts'), 'export const twice = (number: number): string => number * 2;\n');
  const ask = async (config) => {
    const client = await cliLspClient(t, { config, cwd, path });
    const answers = {};
    for (const [language, { file, name }] of Object.entries(questions)) answers[language] = await client.run('hover', file, name);
    // It waits three seconds for what the server publishes.
    await eventually(async () => (answers.diagnostics = await client.run('diagnostics', 'broken.ts')).status !== 0, 90_000 * timeFactor);
    const status = await client.run('status');
    await client.stop();
    assert.match(status.stdout, /2 language servers running/);
    return answers;
  };
  const [direct, behind] = await Promise.all(files(t, 'initialization', 'cli-lsp-client', 'settings.json').map(ask));
  assert.match(direct.diagnostics.stdout + direct.diagnostics.stderr, /Type 'number' is not assignable to type 'string'/);
  assert.deepEqual(behind.diagnostics, direct.diagnostics);
  for (const [language, { says }] of Object.entries(questions)) {
    // The colours are for people at a terminal.
    const [bare, compact] = [direct, behind].map((answers) => answers[language].stdout.replace(/\x1b\[\d*m/g, ''));
    t.diagnostic(`${language}: hover in ${countTokens(bare)} tokens without, ${countTokens(compact)} with`);
    for (const text of [bare, compact]) assert.match(text, says);
    areFewer(compact, bare);
  }
});
