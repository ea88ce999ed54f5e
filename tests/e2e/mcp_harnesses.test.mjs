// The tools of `symbols mcp` in agent harnesses, each as it is from npm and configured by `symbols setup`, with a scripted model: that
// they are offered, that a call gives the model what the server answers, and the tokens of it against the harness's own ways to
// the same facts: its language servers, reading, searching.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeTree } from '../../docs/tree-decoder.mjs';
import { isolated } from './harness_home.mjs';
import { codexPrograms, harnesses } from './harness_programs.mjs';
import { mcp } from './mcp_session.mjs';
import { converse, harnessHome, notYet } from './model_harnesses.mjs';
import { eventually, fixture, folder, project, run, sourcesFolder, timeFactor } from './program.mjs';
import { shipped, shippedPrograms, withoutProxy } from './shipped.mjs';
import { countTokens } from './tokens.mjs';

/** RxJS's source and a C++ file. */
function newProject(t) {
  const cwd = folder(t, {
    'geometry.cpp': readFileSync(fixture('geometry.cpp')),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, target: 'es2020', module: 'es2020', moduleResolution: 'node', lib: ['es2020', 'dom'], types: [] },
      typeAcquisition: { enable: false },
      include: ['src'],
    }),
  });
  cpSync(join(sourcesFolder, 'node_modules/rxjs/src/internal'), join(cwd, 'src', 'internal'), { recursive: true });
  return cwd;
}

// What the model wants to know: what is in these files, and where these are used: a function, and methods whose names are short, but
// which other things seldom have.
const outlined = ['src/internal/Observable.ts', 'geometry.cpp'];
const used = [
  { path: 'src/internal/util/isFunction.ts', name: 'isFunction', declaration: 'function isFunction', pattern: 'isFunction' },
  { path: 'src/internal/Scheduler.ts', name: 'schedule', declaration: 'public schedule', pattern: '\\.schedule\\(' },
  { path: 'src/internal/Subscription.ts', name: 'add', declaration: '  add(', pattern: '\\.add\\(' },
];
const ours = [
  ['outline', { paths: outlined }],
  ...used.map(({ path, name }) => ['context', { path, name, source: 0, callers: 0, references: 100 }]),
  ['find', { query: 'calculate_area' }],
  ['context', { path: 'geometry.cpp', name: 'calculate_area' }],
];

/** How each is set up for the tools, and its configuration of language servers in editors/, which is compared without the proxy. */
const setUp = {
  'Claude Code': { name: ['claude-code', '--mcp'], servers: ['claude-code', '.lsp.json'] },
  'GitHub Copilot CLI': { name: ['copilot-cli', '--mcp'], servers: ['copilot-cli', 'lsp-config.json'] },
  'Qwen Code': { name: ['qwen-code', '--mcp'], servers: ['qwen-code', '.lsp.json'] },
  OpenCode: { name: ['opencode', '--mcp'], servers: ['opencode', 'opencode.json'] },
  Codex: { name: ['codex'] },
  'Gemini CLI': { name: ['gemini-cli'] },
};

/** A folder with the project and a home folder, and what `symbols` needs to be told to be run there. */
function scene(t, name, config) {
  const path = `${shippedPrograms(t)}:${codexPrograms}`;
  const home = harnessHome(t, name, config);
  const cwd = newProject(t);
  return { cwd, home, path, options: { cwd, env: { ...isolated(home, path), XDG_CACHE_HOME: '', XDG_DATA_HOME: '' } } };
}

async function symbolsSetup(options, ...args) {
  const { status, stderr } = await run(['setup', ...args, '--write', '--yes'], options);
  assert.equal(status, 0, stderr);
}

/** What the server answers when nothing stands between: the calls' texts, its tools, its instructions. */
async function askDirectly(t, options, calls) {
  const client = await mcp(t, options);
  const { tools } = (await client.request('tools/list')).result;
  const texts = [];
  for (const [tool, args] of calls) texts.push(await client.call(tool, args));
  await client.close();
  return { tools, texts, instructions: client.serverInfo.instructions };
}

/** What a model is told of a tool, in whichever form an API has it: its description, and those of its arguments with their types. */
const told = (tool) => {
  const { description, inputSchema, input_schema, parameters, parametersJsonSchema } = tool.function ?? tool;
  const { properties } = inputSchema ?? input_schema ?? parameters ?? parametersJsonSchema;
  return { description, properties: Object.fromEntries(Object.entries(properties).map(([name, { type, description }]) => [name, { type, description }])) };
};

/** What is said and called, in tokens. */
const spent = (said) => said.flat().reduce((sum, { call, result, text }) =>
  sum + countTokens(result ?? text ?? `${call.name} ${JSON.stringify(call.input)}`), 0);

/** Files and lines of the references in an answer of `context`. */
const placesIn = (text) => [.../^# references \d+\n((?:[^#].*\n)*)/m.exec(text)[1].matchAll(/^(.*): ([\d ]+)$/gm)]
  .map(([, file, lines]) => ({ file, lines: lines.split(' ').map(Number) }));

/** The names in an answer of `outline` about several files. */
function namesIn(outline) {
  const names = [];
  const add = (symbol) => (names.push(symbol.name), symbol.children.forEach(add));
  for (const tree of outline.split(/^==> .* <==\n/m).slice(1)) decodeTree(tree.trimEnd()).forEach(add);
  return names;
}

/** Has the harness call the tools; gives what the server says of them, and the tokens of it. */
async function throughTools(t, name) {
  const harness = harnesses[name];
  const { options, ...place } = scene(t, name);
  await symbolsSetup(options, ...setUp[name].name);
  // The first session makes the index of the project; a second one is as the harness's will be.
  await askDirectly(t, options, [['find', { query: 'calculate_area' }]]);
  const direct = await askDirectly(t, options, ours);

  const names = direct.tools.map((tool) => harness.tool(tool.name));
  const calls = ours.map(([tool, input]) => harness.call(harness.tool(tool), input));
  if (harness.search) calls.unshift(harness.search(names));
  const { answers, said, tools, opening, printed, status, pids } = await converse(t, name, calls, place);
  assert.equal(status, 0, printed);
  await eventually(() => pids().length === 0, 30_000 * timeFactor);
  assert.doesNotMatch(printed, /strict mode/);

  const searched = harness.search ? [said.shift(), answers.shift()] : [];
  const found = new Map([...(searched[1] ?? '').matchAll(/<function>(.*)<\/function>/g)].map(([, json]) => JSON.parse(json)).map((tool) => [tool.name, tool]));
  const offered = names.map((tool) => tools.get(tool) ?? found.get(tool));
  for (const [i, tool] of direct.tools.entries()) {
    assert.ok(offered[i], `${names[i]} is not among ${[...tools.keys(), ...found.keys()]}`);
    assert.ok(opening.includes(names[i].replace(/^.*\./, '')) && opening.includes(tool.description.slice(0, 50)));
    const { wait_for_previous: ofGemini, ...properties } = told(offered[i]).properties;
    assert.deepEqual({ ...told(offered[i]), properties }, told(tool));
  }
  for (const [i, answer] of answers.entries()) assert.equal(harness.answer(answer), direct.texts[i]);

  // Where the tools are searched for, the first request has a line of each.
  const lines = harness.search ? names.map((tool) => new RegExp(`- \\\\"${tool}\\\\".*?\\\\n`).exec(opening)[0]) : [];
  const instructions = opening.includes(JSON.stringify(direct.instructions).slice(1, -1)) ? [direct.instructions] : [];
  const definitions = searched[0] ? [searched[0]] : [offered.map((tool) => ({ text: JSON.stringify(tool) }))];
  return {
    texts: direct.texts,
    tokens: {
      definitions: spent(definitions) + [...lines, ...instructions].reduce((sum, text) => sum + countTokens(text), 0),
      outline: spent([said[0]]),
      uses: spent(said.slice(1, 1 + used.length)),
    },
  };
}

/** Has the harness find the facts in `texts` by its own tools; gives the tokens. */
async function byItself(t, name, texts) {
  const harness = harnesses[name];
  const config = setUp[name].servers && withoutProxy(shipped(...setUp[name].servers));
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
  // TypeScript's server answers from the files that it has read so far, which are few at first.
  const again = (result, call) => notYet(result) || !(uses[parts.references.indexOf(call)] ?? []).every(({ file }) => result.includes(file));
  const { answers, said, tools, opening, printed, status } = await converse(t, name, calls, { ...place, config, plugins, again });
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

const documented = readFileSync(join(project, 'docs', 'harnesses.md'), 'utf8');

for (const name of Object.keys(harnesses)) {
  test(`${name}: symbols setup gives it tools that say what the server says, in fewer tokens than its own`, async (t) => {
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
      isLess(tokens.outline, [lsp.outline, 3], 'outline instead of documentSymbol');
      isLess(tokens.uses, [lsp.uses, 1.25], 'context instead of findReferences');
    }

    // The figures in the documentation are these; names of temporary folders, which differ, are in some of the answers.
    const cells = new RegExp(`^\\| ${name} \\|(.*)\\|$`, 'm').exec(documented.split('tests/e2e/mcp_harnesses.test.mjs')[1])?.[1].split('|') ?? [];
    assert.equal(cells.length, row.length - 1, `docs/harnesses.md has no row of ${name}`);
    for (const [i, value] of row.slice(1).entries()) {
      const figure = Number(cells[i].replace(/[ ,]/g, ''));
      assert.ok(Math.abs(figure - (value ?? 0)) <= 0.1 * figure + 5, `docs/harnesses.md says ${figure} in column ${i + 1} of ${name}, and it is ${value}`);
    }
  });
}

test('Claude Code: the plugin that symbols setup writes has the same tools', async (t) => {
  const name = 'Claude Code';
  const { options, ...place } = scene(t, name);
  await symbolsSetup(options, 'claude-code');
  const direct = await askDirectly(t, options, ours.slice(0, 1));
  const calls = [{ name: 'mcp__plugin_symbols-mcp_symbols__outline', input: ours[0][1] }];
  const plugins = [join(place.home, '.local', 'share', 'symbols', 'claude-code', 'mcp')];
  const { answers, status, pids } = await converse(t, name, calls, { ...place, plugins });
  assert.equal(status, 0);
  assert.deepEqual(answers, direct.texts);
  await eventually(() => pids().length === 0, 30_000 * timeFactor);
});
