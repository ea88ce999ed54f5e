// The tokens of the tools of `symbols mcp` in agent harnesses, against those of the harness's own ways to the same facts: its language
// servers, reading, searching. docs/agents.md sums the figures up.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { harnesses } from './harness_programs.mjs';
import { outlined, scene, spent, throughTools, used } from './mcp_harness_runs.mjs';
import { converse } from './scripted_model.mjs';
import { folder } from './program.mjs';
import { shipped, withMembers, withoutProxy } from './shipped.mjs';
import { countTokens } from './tokens.mjs';

/** The configurations of language servers in editors/, which are compared without the proxy. */
const shippedServers = {
  'Claude Code': ['claude-code', '.lsp.json'],
  'GitHub Copilot CLI': ['copilot-cli', 'lsp-config.json'],
  'Qwen Code': ['qwen-code', '.lsp.json'],
  OpenCode: ['opencode', 'opencode.json'],
};

/** Files and lines of the references in an answer of `context`. */
const placesIn = (text) => [.../^# references \d+, .*\n((?:[^#].*\n)*)/m.exec(text)[1].matchAll(/^(.*): ([\d ]+)$/gm)]
  .map(([, file, lines]) => ({ file, lines: lines.split(' ').map(Number) }));

/** The names in an answer of `outline` about several files. */
function namesIn(outline) {
  const names = [];
  const add = (symbol) => (names.push(symbol.name), symbol.children.forEach(add));
  for (const tree of outline.replace(/^# \d+ symbols: .*\n/gm, '').split(/^==> .* <==\n/m).slice(1)) decodeTree(tree.trimEnd()).forEach(add);
  return names;
}

/** Has the harness find the facts in `texts` by its own tools; gives the tokens. */
async function byItself(t, name, texts) {
  const harness = harnesses[name];
  const config = shippedServers[name] && withMembers(withoutProxy(shipped(...shippedServers[name])), harness.servers);
  const { options, ...place } = scene(t, name, config);
  const plugins = name === 'Claude Code' ? [folder(t, { '.claude-plugin/plugin.json': shipped('claude-code', '.claude-plugin', 'plugin.json'), '.lsp.json': config })] : [];
  const references = used.map(({ path, name: symbol, declaration }) => {
    const lines = readFileSync(join(place.cwd, path), 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes(declaration));
    return { operation: 'findReferences', file: path, line: line + 1, character: lines[line].indexOf(symbol) + 1 };
  });
  const uses = texts.slice(1, 1 + used.length).map(placesIn);
  const parts = {
    search: harness.lsp && harness.search ? [harness.search(['lsp'])] : [],
    symbols: harness.lsp ? outlined.map((file) => harness.lsp({ operation: 'documentSymbol', file })) : [],
    references: harness.lsp ? references.map(harness.lsp) : [],
    read: outlined.map((file) => harness.read(join(place.cwd, file))),
    grep: used.map(({ pattern }) => harness.grep(pattern)),
  };
  const calls = Object.values(parts).flat();
  const { answers, said, tools, opening, printed, status } = await converse(t, name, calls, { ...place, config, plugins });
  assert.equal(status, 0, printed);
  const of = (part, list) => list.slice(calls.indexOf(parts[part][0]), calls.indexOf(parts[part][0]) + parts[part].length);

  // They are the same facts.
  for (const part of ['references', 'grep']) {
    for (const [i, text] of of(part, answers).entries()) {
      for (const { file, lines } of uses[i]) {
        assert.ok(text.includes(file), text);
        for (const line of lines) assert.match(text, new RegExp(`(?<!\\d)${name === 'OpenCode' && part === 'references' ? line - 1 : line}(?!\\d)`));
      }
    }
  }
  const symbols = of('symbols', answers).join('\n');
  if (harness.lsp) for (const one of namesIn(texts[0])) assert.ok(symbols.includes(one), `${one} is not in ${symbols}`);
  for (const [i, text] of of('read', answers).entries()) {
    const lines = readFileSync(join(place.cwd, outlined[i]), 'utf8').split('\n');
    for (const line of lines) assert.ok(text.includes(line.trim()), line);
  }
  const lsp = harness.lsp && {
    definitions: parts.search.length > 0
      ? spent(of('search', said)) + countTokens(/- \\"lsp\\".*?\\n/.exec(opening)[0])
      : countTokens(JSON.stringify(tools.get(calls[0].name))),
    outline: spent(of('symbols', said)),
    uses: spent(of('references', said)),
  };
  return { lsp, files: { outline: spent(of('read', said)), uses: spent(of('grep', said)) } };
}

for (const name of Object.keys(harnesses)) {
  test(`${name}: the tools that symbols setup gives it need fewer tokens than its own`, async (t) => {
    const { texts, tokens } = await throughTools(t, name);
    const { lsp, files } = await byItself(t, name, texts);
    const row = [name, tokens.definitions, lsp?.definitions, tokens.outline, lsp?.outline, files.outline, tokens.uses, lsp?.uses, files.uses];
    t.diagnostic(`| ${row.map((cell) => cell ?? '').join(' | ')} |`);

    const isLess = (part, whole, what) => assert.ok(part * whole[1] <= whole[0], `${what}: ${part} is not 1/${whole[1]} of ${whole[0]}`);
    isLess(tokens.outline, [files.outline, 10], 'outline instead of reading');
    isLess(tokens.uses, [files.uses, 2], 'context instead of searching');
    const all = ({ definitions = 0, outline, uses }) => definitions + outline + uses;
    isLess(all(tokens), [all(files), 2], 'all, with the definitions, instead of reading and searching');
    if (lsp) {
      isLess(tokens.outline, [lsp.outline, 2.5], 'outline instead of documentSymbol');
      isLess(tokens.uses, [lsp.uses, 1.25], 'context instead of findReferences');
    }
  });
}
