// How well names are found: of functions, classes and methods drawn from what ctags finds in a project that is indexed, how many
// `symbols find` has in its first rows as they are, with a letter missing, and by two of their words; and of how many
// `symbols context NAME` tells the right declaration in one call.
//
//   node bench/names.mjs [--symbols FILE] [--count 65] [--seed 1] [--context N] [--show] DIR
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { argumentsOf, draws, fail, project } from './arguments.mjs';

const { values, positionals: [given] } = argumentsOf({
  options: { symbols: { type: 'string', default: `${project}/build/symbols` }, count: { default: 65 }, seed: { default: 1 }, context: { type: 'string', default: '0' }, show: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (!given) fail('give the folder of an indexed project');
const cwd = resolve(given);
const below = draws(values.seed);
const run = (program, ...args) => spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });

function found(query) {
  const rows = run(values.symbols, 'find', query).stdout.trimEnd().split('\n').slice(1);
  return rows.map((row) => row.split(' | ').at(-1).replace(/.*(::|\.)/, ''));
}
const languages = 'C,C++,Go,JavaScript,Python,TypeScript';
const wanted = new Set(['function', 'class', 'struct', 'method', 'member', 'func', 'interface']);
const ignored = ['node_modules', 'build', 'dist', 'test', 'tests', '__tests__', 'testing', '*_test.*', '*.test.*', '*.d.ts', '.?*'].map((name) => `--exclude=${name}`);
const tags = run('ctags', '-R', `--languages=${languages}`, '--output-format=json', '--fields=+nKs', '--kinds-C++=-m', '--kinds-C=-m', ...ignored, '.').stdout.trim().split('\n').map((line) => JSON.parse(line))
  .filter(({ kind, name, scope = '' }) => wanted.has(kind) && /^[A-Za-z_]\w{3,}$/.test(name) && !/anon/.test(scope));
const byName = new Map();
for (const tag of tags) byName.set(tag.name, [...byName.get(tag.name) ?? [], tag]);
// Those that the index has: what no server sees, such as what is left out by #ifdef, is not asked for.
const names = [...byName.keys()].sort().filter((name) => found(name).includes(name));
if (names.length === 0) fail('ctags finds no names');
function draw(count, from) {
  const left = [...from];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0]);
}
const wordsOf = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];

function measure(title, first, drawn, query) {
  const missed = drawn.filter((name) => !found(name.query = query(name)).slice(0, first).includes(String(name)));
  console.log(`${title}: ${drawn.length - missed.length} of ${drawn.length}`);
  if (values.show) for (const name of missed) console.log(`  ${name}: ${name.query}`);
}
const drawn = (from) => draw(Number(values.count), from).map((name) => Object(name));
console.log(`${cwd}: ${names.length} names`);
measure('exact, first', 1, drawn(names), (name) => `${name}`);
measure('a letter missing, first three', 3, drawn(names), (name) => { const at = below(name.length); return name.slice(0, at) + name.slice(at + 1); });
measure('two words, first three', 3, drawn(names.filter((name) => wordsOf(name).length > 1)), (name) => draw(2, wordsOf(name)).join(' ').toLowerCase());

// One that has a namesake is asked for with its container. Where namesakes have the same container, or none, nothing but their file
// tells them apart: the first count is without, the second with it. Overloads, and a function for each system, are one answer.
let byContainer = 0, byFile = 0, listed = 0;
const indexed = new Set(names);
const lastOf = (scope) => scope?.replace(/.*(::|\.)/, '');
const asked = draw(Number(values.context), tags.filter(({ name }) => indexed.has(name)));
for (const tag of asked) {
  const { name, scope, path } = tag;
  const file = path.replace(/^\.\//, '');
  const container = byName.get(name).length > 1 ? lastOf(scope) : undefined;
  const query = container ? `${container}.${name}` : name;
  const same = byName.get(name).filter((other) => lastOf(other.scope) === lastOf(scope) || container === undefined);
  const lines = same.filter((other) => other.path === path).map(({ line }) => line);
  const ask = (...words) => {
    const { stdout, stderr } = run(values.symbols, '--warm', 'context', ...words, '--include', 'children:0,source:1,references:0,callers:0,diagnostics:0');
    const answers = [...stdout.matchAll(/^# source (.+?):(\d+)/gm)];
    // Decorators and templates start above the line of the name.
    const isRight = answers.some(([, answered, start]) => answered === file && lines.some((line) => start <= line && line <= Number(start) + 10));
    return { isRight, answered: answers.map(([, answered, start]) => `${answered}:${start}`).join(' '), stderr };
  };
  const first = ask(query);
  const isListed = /^symbols: (\S+: )?\d+ symbols are/m.test(first.stderr) && lines.some((line) => first.stderr.includes(`${file}:${line}`));
  const second = !first.isRight && (isListed || same.some((other) => other.path !== path)) ? ask(file, tag.scopeKind === 'package' ? name : query) : first;
  if (first.isRight) ++byContainer;
  if (second.isRight) ++byFile;
  if (!second.isRight && isListed) ++listed;
  if (values.show && !first.isRight) console.log(`  ${query} ${file}:${lines} not ${first.answered}${second.isRight ? ', but with its file' : ''}: ${first.stderr.trim().split('\n').slice(0, 4).join('\n    ')}`);
}
if (asked.length > 0) console.log(`context: ${byContainer} of ${asked.length} by name and container, ${byFile} with the file of namesakes, ${listed} more in a list of several`);
