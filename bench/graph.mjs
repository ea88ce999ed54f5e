// Measures precision and recall of callers and references: from `symbols context`, codegraph (if given), and ctags with rg. The expected
// answers come from the same language server, asked by an independent client with all files of the project open. Symbols are functions,
// methods and classes drawn from what ctags finds. References compare as file and line, callers as file and the caller's name. Uses of a
// method include those of the methods that it overrides, for which the servers of C++ and Python are asked apart; what else names such a
// method in its own body does not count.
//
//   node bench/graph.mjs [--symbols FILE] [--count 30] [--seed 1] [--codegraph PROGRAM] [--cloned DIR2] [--overriding] [--show] cpp|typescript|python|go DIR
//
// --cloned: symbols is asked in DIR2, which has the same sources as they are cloned, such as without compile_commands.json.
// --overriding: only methods that override others (C++ and Python).
// DIR is changed by codegraph (.codegraph/) and clangd (.cache/). rg and ctags have to be installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openInServer } from '../tests/e2e/plain_client.mjs';
import { argumentsOf, draws, fail, project } from './arguments.mjs';

const { values, positionals: [language, given] } = argumentsOf({
  options: {
    symbols: { type: 'string', default: `${project}/build/symbols` }, count: { default: 30 }, seed: { default: 1 },
    codegraph: { type: 'string' }, cloned: { type: 'string' }, overriding: { type: 'boolean', default: false }, show: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const languages = {
  cpp: { ctags: 'C,C++', files: /\.(c|cc|cpp|h|hpp)$/, id: 'cpp', server: ['clangd', ['--background-index', '--limit-references=0', '--log=error']], loaded: 'progress' },
  typescript: { ctags: 'TypeScript,JavaScript', files: /\.[mc]?[tj]sx?$/, id: 'typescript', server: ['typescript', ['--lsp', '--stdio']] },
  python: { ctags: 'Python', files: /\.pyi?$/, id: 'python', server: ['pyright', ['--stdio']], loaded: /^Found \d+ source file/ },
  go: { ctags: 'Go', files: /\.go$/, id: 'go', server: ['gopls', []] },
};
const of = languages[language];
if (!of || !given) fail(`give one of ${Object.keys(languages).join(', ')}, and a folder`);
const cwd = resolve(given);
const askedIn = resolve(values.cloned ?? given);
const below = draws(values.seed);
const runIn = (folder, program, ...args) => spawnSync(program, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
const run = (program, ...args) => runIn(cwd, program, ...args);
const files = run('rg', '--files').stdout.trim().split('\n').filter((path) => of.files.test(path)).sort();
const lines = new Map(files.map((path) => [path, readFileSync(join(cwd, path), 'utf8').split('\n')]));
const tags = run('ctags', `--languages=${of.ctags}`, '--output-format=json', '--fields=+nKsei', '--kinds-C++=+p', '--kinds-C=+p', '-f', '-', ...files).stdout.trim().split('\n').map((line) => JSON.parse(line))
  .map((tag) => ({ ...tag, path: relative(cwd, resolve(cwd, tag.path)) }));
const functions = tags.filter(({ kind, end }) => ['function', 'method', 'func', 'member'].includes(kind) && end);
const isTest = /(^|[/_.-])(tests?|testing|__tests__|spec|fixtures|examples?|testdata|benchlib)([/_.-]|$)/;
const candidates = tags.filter(({ kind, name, path, line }) => ['function', 'method', 'func', 'class', 'struct', 'interface', 'member'].includes(kind) && /^[A-Za-z_]\w{2,}$/.test(name) && !isTest.test(path)
  && (language !== 'python' || !name.startsWith('__')) && lines.get(path)?.[line - 1].includes(name)).sort((a, b) => (a.path + a.line < b.path + b.line ? -1 : 1));

// clangd keeps what it has read of an open file that is not compiled here.
const commands = language === 'cpp' && existsSync(join(cwd, 'compile_commands.json')) ? readFileSync(join(cwd, 'compile_commands.json'), 'utf8') : undefined;
const isCompiled = ({ path }) => !commands || /\.(h|hpp)$/.test(path) || commands.includes(`/${path}"`);

// The innermost function around a line, without those that the line declares.
const callerOf = (path, line) => functions.filter((tag) => tag.path === path && tag.line <= line && line <= tag.end).sort((a, b) => b.line - a.line)[0];

const [server, args] = of.server;
const program = run(values.symbols, 'servers').stdout.split('\n').map((row) => row.trim().split(/\s{2,}/)).find(([name]) => name === server)?.[2];
if (!program?.startsWith('/')) fail(`'symbols servers' finds no ${server}`);
const firstFile = language === 'cpp' ? files.find((path) => /\.c/.test(path) && isCompiled({ path })) : files[0];
const first = join(cwd, firstFile);
rmSync(join(cwd, '.cache/clangd'), { recursive: true, force: true });
const idOf = (path) => (language !== 'typescript' ? of.id : path.endsWith('x') ? 'typescriptreact' : /\.[mc]?js$/.test(path) ? 'javascript' : 'typescript');
let loaded = !of.loaded;
const client = await openInServer(program, args, first, idOf(first), undefined, cwd, (message) => {
  if (of.loaded === 'progress' && message.method === '$/progress' && message.params.value.kind === 'end') loaded = true;
  if (of.loaded instanceof RegExp && message.method === 'window/logMessage' && of.loaded.test(message.params.message)) loaded = true;
});
for (const path of language === 'cpp' ? [] : files.filter((one) => one !== firstFile)) {
  client.notify('textDocument/didOpen', { textDocument: { uri: pathToFileURL(join(cwd, path)).href, languageId: idOf(path), version: 1, text: lines.get(path).join('\n') } });
}
const opened = new Set([firstFile]);
for (let i = 0; !loaded && i < 1200; ++i) await new Promise((done) => setTimeout(done, 100));
if (!loaded) fail('the server has not loaded the project within two minutes');

const pathOf = (uri) => relative(cwd, fileURLToPath(uri));
const placeOf = (uri, range) => `${pathOf(uri)}:${range.start.line + 1}`;
const callerName = ({ uri, name }) => `${pathOf(uri)} ${name.replace(/.*(::|\.)/, '').replace(/\(.*/, '')}`;
/** Of a function that a library's macro defines, such as a test, clangd tells the library's file, and keeps those of one source. */
const inProject = (callers) => new Set(callers.filter((one) => !one.startsWith('../')));
const columnOf = ({ path, line, name }) => lines.get(path)[line - 1].search(new RegExp(`\\b${name}\\b(?!\\s*::)`));
async function ask(method, path, line, character, more) {
  const uri = pathToFileURL(join(cwd, path)).href;
  if (language === 'cpp' && !opened.has(path)) {
    opened.add(path);
    client.open(uri, lines.get(path).join('\n'), 'cpp');
  }
  return (await client.request(`textDocument/${method}`, { textDocument: { uri }, position: { line: line - 1, character }, ...more })).result ?? [];
}
/** What the server lists for a symbol alone: references, and calls or null. */
async function listed(tag) {
  const at = [tag.path, tag.line, columnOf(tag)];
  const references = await ask('references', ...at, { context: { includeDeclaration: false } });
  const [item] = await ask('prepareCallHierarchy', ...at);
  return { references, calls: item ? (await client.request('callHierarchy/incomingCalls', { item })).result : null };
}
/** The classes of Python that a class's declaration names, and theirs. */
async function basesOf(type, known = new Set()) {
  for (const base of (type.inherits || '').split(',').filter((one) => one && !one.includes('='))) {
    const name = base.replace(/\[.*/, '').split('.').pop().trim();
    const after = lines.get(type.path).slice(type.line - 1).findIndex((text, i) => new RegExp(`${i ? '' : '\\(.*'}\\b${name}\\b`).test(text));
    const line = type.line + after;
    const [found] = after < 0 ? [] : await ask('definition', type.path, line, lines.get(type.path)[line - 1].search(new RegExp(`\\b${name}\\b(?!\\()`)));
    const declared = found && tags.find(({ kind, path, line: at }) => kind === 'class' && `${path}:${at}` === placeOf(found.uri, found.range));
    if (!declared || known.has(declared)) continue;
    known.add(declared);
    await basesOf(declared, known);
  }
  return known;
}
/** The methods that a method overrides: those of Python's bases with its name, and those that clangd lists among its references. */
async function overridden(tag, references) {
  if (!tag.scope || !functions.includes(tag)) return [];
  const others = tags.filter((one) => one.name === tag.name && one.scope && one.scope !== tag.scope && lines.has(one.path));
  if (language === 'cpp') {
    return others.filter((one) => references.some(({ uri, range }) => placeOf(uri, range) === `${one.path}:${one.line}` && range.start.character === columnOf(one)));
  }
  const type = language === 'python' && tags.find((one) => one.kind === 'class' && one.path === tag.path && scopeOf(one) === tag.scope);
  const bases = type ? [...await basesOf(type)] : [];
  return others.filter((one) => bases.some((base) => base.path === one.path && scopeOf(base) === one.scope));
}
const scopeOf = ({ scope, name }) => (scope ? `${scope}.${name}` : name);
async function truth(tag) {
  const { references, calls } = await listed(tag);
  const bases = await overridden(tag, references);
  const isInMethod = (uri, { start }) => pathOf(uri) === tag.path && tag.line <= start.line + 1 && start.line < (tag.end ?? tag.line);
  const isOfBase = ({ uri, range }) => bases.some((base) => placeOf(uri, range) === `${base.path}:${base.line}` && range.start.character === columnOf(base));
  for (const base of bases) {
    const more = await listed(base);
    references.push(...more.references.filter(({ uri, range }) => !isInMethod(uri, range)));
    calls?.push(...(more.calls ?? []).filter(({ from, fromRanges }) => !fromRanges.every((range) => isInMethod(from.uri, range))));
  }
  return {
    bases: bases.length,
    references: new Set(references.filter((one) => !isOfBase(one)).map(({ uri, range }) => placeOf(uri, range))),
    callers: calls && inProject(calls.map(({ from }) => callerName(from))),
    character: columnOf(tag),
  };
}
function ours({ path, line }, character) {
  const { stdout } = runIn(askedIn, values.symbols, '--warm', 'context', `${path}:${line}:${character + 1}`, '--format', 'table', '--include', 'children:0,source:0,diagnostics:0,references:10000,callers:10000', '--timeout', '120s', '--server', server);
  const part = (name) => new RegExp(`^# ${name} \\d+(?:, (.*))?\\n((?:[^#\\n].*\\n)*)`, 'm').exec(stdout);
  const references = part('references');
  const callers = part('callers');
  return {
    name: stdout.split('\n')[1]?.split(' | ')[0].replace(/.*(::|\.)/, ''),
    word: references?.[1] ?? '',
    without: !references && (/^# references: .*/m.exec(stdout)?.[0] ?? 'no references'),
    throughBases: stdout.split('\n').filter((row) => / \| names \S/.test(row)).length,
    references: new Set((references?.[2] ?? '').trim().split('\n').filter(Boolean).flatMap((row) => {
      const [file, ranges] = row.split(' | ');
      return ranges.split(' ').map((range) => `${relative(askedIn, file)}:${Number(range.split(':')[0]) + 1}`);
    })),
    callers: callers && inProject(callers[2].trim().split('\n').filter(Boolean).map((row) => {
      const cells = row.split(' | ');
      const [name, file] = [cells[0], cells[4]];  // a sixth tells a base's declaration
      return `${relative(askedIn, file)} ${name.replace(/.*(::|\.)/, '').replace(/\(.*/, '')}`;
    })),
  };
}
function words({ path, line, name }) {
  const found = run('rg', '-nw', '--no-heading', name, ...files).stdout.trim().split('\n').filter(Boolean).map((row) => row.split(':').slice(0, 2).join(':')).filter((place) => place !== `${path}:${line}`);
  const callers = found.map((place) => { const [file, at] = place.split(':'); return callerOf(file, Number(at)); }).filter((tag) => tag && !(tag.name === name));
  return { references: new Set(found), callers: new Set(callers.map((tag) => `${tag.path} ${tag.name}`)) };
}
function graph({ path, line, name }) {
  const { stdout } = run(values.codegraph, 'callers', '--json', '--limit', '10000', '--file', path, name);
  const answer = stdout.startsWith('{') ? JSON.parse(stdout) : {};
  const group = answer.definitions?.find?.((one) => Math.abs(one.target?.startLine - line) < 2) ?? answer;
  return { callers: new Set((group.callers ?? []).map((one) => `${one.filePath} ${one.name}`)) };
}
if (values.codegraph) run(values.codegraph, 'init', '.');

const sums = {};
function add(tool, what, got, want) {
  const sum = (sums[`${what}, ${tool}`] ??= { right: 0, got: 0, want: 0, whole: 0 });
  sum.right += [...got].filter((one) => want.has(one)).length;
  sum.got += got.size;
  sum.want += want.size;
  ++sum.whole;
}
let whole = 0, lacking = 0, asked = 0, without = 0, overriding = 0, throughBases = 0;
const left = candidates.filter(isCompiled);
while (asked < values.count && left.length > 0) {
  const [tag] = left.splice(below(left.length), 1);
  const want = await truth(tag);
  if (want.references.size === 0 || (values.overriding && want.bases === 0)) continue;
  const got = ours(tag, want.character);
  if (got.name !== tag.name) continue;  // the server has no row for it, such as for a Python overload
  ++asked;
  overriding += want.bases > 0;
  throughBases += got.throughBases;
  const all = { symbols: got, 'rg and ctags': words(tag), ...values.codegraph && { codegraph: graph(tag) } };
  for (const [tool, { references, callers }] of Object.entries(all)) {
    if (references) add(tool, 'references', references, want.references);
    if (callers && want.callers && (tool !== 'rg and ctags' || functions.length > 0)) add(tool, 'callers', callers, want.callers);
  }
  const missing = [...want.references].filter((one) => !got.references.has(one));
  if (got.without) {
    ++without;
    console.log(`  ${tag.path}:${tag.line} ${tag.name}: ${got.without}`);
  }
  if (got.word === 'whole project') {
    ++whole;
    if (missing.length > 0) ++lacking;
  }
  if (got.word === 'whole project') {
    add('symbols, "whole project"', 'references', got.references, want.references);
    if (got.callers && want.callers) add('symbols, "whole project"', 'callers', got.callers, want.callers);
  }
  const extra = [...got.references].filter((one) => !want.references.has(one));
  const other = (from, without) => [...from ?? []].filter((one) => !without?.has(one));
  const lostCallers = want.callers ? other(want.callers, got.callers) : [];
  const moreCallers = want.callers ? other(got.callers, want.callers) : [];
  if (values.show && lostCallers.length + moreCallers.length) console.log(`  ${tag.path}:${tag.line} ${tag.name} callers: lacks ${lostCallers.slice(0, 5).join(', ')}; more ${moreCallers.slice(0, 5).join(', ')}`);
  if (values.show && (missing.length || extra.length)) console.log(`  ${tag.path}:${tag.line} ${tag.name} (${got.word}): lacks ${missing.slice(0, 5).join(' ')}; more ${extra.slice(0, 5).join(' ')}`);
}
const percent = (part, all) => (all === 0 ? '-' : `${((100 * part) / all).toFixed(1)} %`);
console.log(`${cwd}: ${files.length} files, ${asked} symbols; "whole project" said of ${whole}, ${lacking} of these lack one; ${without} without a list; ${overriding} override others, ${throughBases} rows through these`);
for (const [title, { right, got, want }] of Object.entries(sums).sort()) console.log(`${title}: precision ${percent(right, got)}, recall ${percent(right, want)} (${got} given, ${want} true)`);
await client.finish();
run(values.symbols, 'warm', '--stop');
