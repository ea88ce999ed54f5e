// The configurations in editors/ for harnesses whose language servers are reached only in a conversation with a model: Claude
// Code, GitHub Copilot CLI, Qwen Code, each as it is from npm, with a scripted model. What a model reads with the shipped file, and
// with the same file without the proxy.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { homeWith, isolated } from './language_servers.mjs';
import { claudeCode, harnesses, newNode } from './harness_programs.mjs';
import { askHarness } from './scripted_model.mjs';
import { inPairs } from './opencode.mjs';
import { folder, timeFactor } from './program.mjs';
import { questions, shipped, shippedPath, shippedPrograms, shippedProject, treeOf, withMembers, withoutProxy } from './shipped.mjs';
import { countTokens } from './tokens.mjs';

/** What is asked, one after the other; the answers come in this order. */
const asked = Object.values(questions).flatMap(({ file, line, character }) => [
  { operation: 'documentSymbol', file },
  { operation: 'hover', file, line, character },
  { operation: 'findReferences', file, line, character },
]);
const byName = (answers) => Object.fromEntries(Object.keys(questions).map((language, i) => {
  const [symbols, hover, references] = answers.slice(3 * i);
  return [language, { symbols, hover, references }];
}));

const claudePlugin = (t, config) => folder(t, {
  '.claude-plugin/plugin.json': shipped('claude-code', '.claude-plugin', 'plugin.json'), '.lsp.json': config,
});

// How each prints a symbol: its name, its kind in parentheses, its first line.
const tested = [
  { name: 'Claude Code', files: ['claude-code', '.lsp.json'], row: /^\s*(.*?) \(\w+\).* - Line (\d+)$/ },
  { name: 'GitHub Copilot CLI', files: ['copilot-cli', 'lsp-config.json'], row: /^\s*(.*?) \(\w+\) - line (\d+)$/ },
  { name: 'Qwen Code', files: ['qwen-code', '.lsp.json'], row: /^\d+\. (.*?) \(\w+\).* - [^:]*:(\d+):\d+ \[/ },
];

/** Name and first line of each symbol of a listing. */
const listed = (text, row) => text.split('\n').map((line) => row.exec(line)).filter(Boolean).map(([, name, line]) => `${name} ${line}`);

/** Name and first line of each symbol of a tree, without what a harness puts around it. */
function inTree(text) {
  const symbols = [];
  const add = (symbol) => (symbols.push(`${symbol.name} ${symbol.line}`), symbol.children.forEach(add));
  decodeTree(text.split('\n').map((line) => line.replace(/^1\. /, '').replace(/ \(file\).*$/i, ''))
    .filter((line) => /^ *[A-Za-z]\d+(-\d+)? /.test(line)).join('\n')).forEach(add);
  return symbols;
}

for (const { name, files: [folderName, file], row } of tested) {
  test(`${name}: with the shipped file the same, and shorter hovers; with the one for a table half of it`, async (t) => {
    const path = shippedPrograms(t);
    const runs = {
      direct: withoutProxy(shipped(folderName, file)),
      standard: shipped(folderName, file),
      table: shipped(folderName, 'table', file),
    };
    const answers = await inPairs(Object.entries(runs), async ([how, text]) => {
      const cwd = shippedProject(t);
      const config = withMembers(text, harnesses[name].servers);
      const run = await askHarness(t, name, asked, { cwd, config, plugin: claudePlugin(t, config), path });
      assert.equal(run.status, 0);
      if (how !== 'direct') await run.noneLeft();
      // Qwen Code names the server by its command; all name the folder.
      const told = (text) => text.replaceAll(cwd, '.').replace(/ \[[\w-]+\]$/gm, ' [server]');
      return byName(run.answers.map(told));
    });
    const [direct, standard, table] = answers;
    for (const language of Object.keys(questions)) {
      const [bare, behind, tabular] = [direct[language], standard[language], table[language]];
      const tokens = (what) => [bare, behind, tabular].map((answer) => countTokens(answer[what]));
      t.diagnostic(`${language}: tokens without, with, with the table: symbols ${tokens('symbols')}, hover ${tokens('hover')}`);

      const rows = listed(bare.symbols, row);
      assert.ok(rows.length >= 15, bare.symbols);
      assert.equal(behind.symbols, bare.symbols);
      const inOrder = (text) => text.split('\n').sort();
      assert.deepEqual(inOrder(behind.references), inOrder(bare.references));
      assert.deepEqual(inOrder(tabular.references), inOrder(bare.references));
      assert.match(bare.references, /geometry\.cpp:36|Line 36|Observable\.ts|Line \d/);

      const { says } = questions[language];
      for (const answer of [bare, behind, tabular]) assert.match(answer.hover, says);
      assert.equal(tabular.hover, behind.hover);
      assert.ok(countTokens(behind.hover) < countTokens(bare.hover), `${behind.hover}\nis not shorter than\n${bare.hover}`);

      const found = inTree(tabular.symbols);
      assert.deepEqual(found, inTree(await treeOf(questions[language].file, 'minimal', { cwd: shippedProject(t), path })));
      assert.deepEqual(found.filter((one) => !rows.includes(one)), [], bare.symbols);
      assert.ok(countTokens(tabular.symbols) <= countTokens(bare.symbols) / 2, tabular.symbols);
    }
  });
}

test('Claude Code finds nothing to say about the plugins and their marketplace, and installs them', (t) => {
  const home = homeWith(t);
  const plugin = (...args) => {
    const { status, stdout, stderr } = spawnSync(newNode, [claudeCode, 'plugin', ...args], {
      env: { ...isolated(home, process.env.PATH), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      encoding: 'utf8', timeout: 120_000 * timeFactor,
    });
    assert.equal(status, 0, stdout + stderr);
    return stdout;
  };
  for (const parts of [['.'], ['.claude-plugin', 'plugin.json'], ['table']]) {
    assert.match(plugin('validate', shippedPath('claude-code', ...parts)), /Validation passed$/m);
  }
  plugin('marketplace', 'add', shippedPath('claude-code'));
  for (const name of ['symbols', 'symbols-table']) plugin('install', `${name}@symbols`);
  const installed = plugin('list');
  for (const name of ['symbols', 'symbols-table']) assert.match(installed, new RegExp(` ${name}@symbols$`, 'm'));
});
