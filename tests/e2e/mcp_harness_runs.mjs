// Has agent harnesses, each as it is from npm and configured by `symbols setup`, call the tools of `symbols mcp` with a scripted model.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isolated } from './language_servers.mjs';
import { codexPrograms, harnesses } from './harness_programs.mjs';
import { mcp } from './mcp_session.mjs';
import { converse, harnessHome } from './scripted_model.mjs';
import { fixture, folder, run, sourcesFolder } from './program.mjs';
import { shippedPrograms } from './shipped.mjs';
import { countTokens } from './tokens.mjs';

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
export const outlined = ['src/internal/Observable.ts', 'geometry.cpp'];
export const used = [
  { path: 'src/internal/util/isFunction.ts', name: 'isFunction', declaration: 'function isFunction', pattern: 'isFunction' },
  { path: 'src/internal/Scheduler.ts', name: 'schedule', declaration: 'public schedule', pattern: '\\.schedule\\(' },
  { path: 'src/internal/Subscription.ts', name: 'add', declaration: '  add(', pattern: '\\.add\\(' },
];
export const ours = [
  ['outline', { paths: outlined }],
  ...used.map(({ path, name }) => ['context', { path, name, source: 0, callers: 0, references: 100 }]),
  ['find', { query: 'calculate_area' }],
  ['context', { path: 'geometry.cpp', name: 'calculate_area' }],
];

const setUp = {
  'Claude Code': ['claude-code', '--mcp'],
  'GitHub Copilot CLI': ['copilot-cli', '--mcp'],
  'Qwen Code': ['qwen-code', '--mcp'],
  OpenCode: ['opencode', '--mcp'],
  Codex: ['codex'],
  'Gemini CLI': ['gemini-cli'],
};

/** A folder with the project and a home folder, and what `symbols` needs to be told to be run there. */
export function scene(t, name, config) {
  const path = `${shippedPrograms(t)}:${codexPrograms}`;
  const home = harnessHome(t, name, config);
  const cwd = newProject(t);
  return { cwd, home, path, options: { cwd, env: { ...isolated(home, path), XDG_CACHE_HOME: '', XDG_DATA_HOME: '' } } };
}

export async function symbolsSetup(options, ...args) {
  const { status, stderr } = await run(['setup', ...args, '--write', '--yes'], options);
  assert.equal(status, 0, stderr);
}

/** What the server answers when nothing stands between: the calls' texts, its tools, its instructions. */
export async function askDirectly(t, options, calls) {
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

export const spent = (said) => said.flat().reduce((sum, { call, result, text }) =>
  sum + countTokens(result ?? text ?? `${call.name} ${JSON.stringify(call.input)}`), 0);

/** Has the harness call the tools; gives what the server answers (`texts`), and the tokens of it. */
export async function throughTools(t, name) {
  const harness = harnesses[name];
  const { options, ...place } = scene(t, name);
  await symbolsSetup(options, ...setUp[name]);
  // The first session makes the index of the project; a second one is as the harness's will be.
  await askDirectly(t, options, [['find', { query: 'calculate_area' }]]);
  const direct = await askDirectly(t, options, ours);

  const names = direct.tools.map((tool) => harness.tool(tool.name));
  const calls = ours.map(([tool, input]) => harness.call(harness.tool(tool), input));
  if (harness.search) calls.unshift(harness.search(names));
  const { answers, said, tools, opening, printed, status, noneLeft } = await converse(t, name, calls, place);
  assert.equal(status, 0, printed);
  await noneLeft();
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
