// Compares `symbols impact REV` with what an independent client finds: the symbols around the lines of git's diff, and the references and
// implementations of each, with all files of the project open. Prints what either lacks, and for each commit the counts and the tokens.
//
//   node bench/impact.mjs [--count 5] [--symbols FILE] [--codegraph PROGRAM] typescript|python|go DIR
//
// --codegraph: also asks it for what each of these symbols affects (`impact --depth 1`), and compares the files that either names.
// DIR is a git work tree without changes; the last COUNT commits that change at most 15 of its sources are checked out, each in turn.
// git may report a line as changed that has only moved; `impact` compares texts. Such differences are printed, but are not errors.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openInServer } from '../tests/e2e/plain_client.mjs';
import { countTokens as tokens } from '../tests/e2e/tokens.mjs';
import { argumentsOf, fail, project } from './arguments.mjs';

const { values, positionals: [language, given] } = argumentsOf({
  options: { symbols: { type: 'string', default: `${project}/build/symbols` }, count: { default: 5 }, codegraph: { type: 'string' } }, allowPositionals: true,
});
const languages = {
  typescript: { files: /\.[mc]?[tj]sx?$/, id: 'typescript', server: ['typescript', ['--lsp', '--stdio']] },
  python: { files: /\.pyi?$/, id: 'python', server: ['pyright', ['--stdio']], loaded: /^Found \d+ source file/ },
  go: { files: /\.go$/, id: 'go', server: ['gopls', []] },
};
const of = languages[language];
if (!of || !given) fail(`give one of ${Object.keys(languages).join(', ')}, and a folder`);
const cwd = resolve(given);
const run = (program, ...args) => spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
const git = (...args) => {
  const { status, stdout, stderr } = run('git', ...args);
  if (status !== 0) fail(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
};
if (git('status', '--porcelain', '-uno')) fail(`${cwd} has changes`);
const [server, args] = of.server;
const program = run(values.symbols, 'servers').stdout.split('\n').map((row) => row.trim().split(/\s{2,}/)).find(([name]) => name === server)?.[2];
if (!program?.startsWith('/')) fail(`'symbols servers' finds no ${server}`);
const uriOf = (path) => pathToFileURL(join(cwd, path)).href;
const idOf = (path) => (language !== 'typescript' ? of.id : path.endsWith('x') ? 'typescriptreact' : /\.[mc]?js$/.test(path) ? 'javascript' : 'typescript');

/** A client that has `texts` open, a map by path. */
async function clientOf(texts) {
  let loaded = !of.loaded;
  const [first] = texts.keys();
  const client = await openInServer(program, args, join(cwd, first), idOf(first), undefined, cwd, ({ method, params }) => {
    if (of.loaded && method === 'window/logMessage' && of.loaded.test(params.message)) loaded = true;
  });
  for (const [path, text] of texts) if (path !== first) client.open(uriOf(path), text, idOf(path));
  for (let i = 0; !loaded && i < 1200; ++i) await new Promise((done) => setTimeout(done, 100));
  if (!loaded) fail('the server has not loaded the project within two minutes');
  return client;
}

/** The symbols of a file, each with the `names` of its parents and its own; those inside a function belong to it. */
async function symbolsOf(client, path) {
  const { result } = await client.request('textDocument/documentSymbol', { textDocument: { uri: uriOf(path) } });
  const walk = (symbols, names, parent) => symbols.flatMap((symbol) => {
    const own = { ...symbol, names: [...names, symbol.name], parent };
    return [own, ...([6, 9, 12].includes(symbol.kind) ? [] : walk(symbol.children ?? [], own.names, own))];
  });
  return walk(result ?? [], [], undefined);
}
const keyOf = ({ names }) => names.join('\n');
const innermost = (symbols, line) => symbols.filter(({ range }) => range.start.line <= line && line <= range.end.line).at(-1);

/** The lines, from zero, that differ before and after, without blank ones; `texts` are both of the file. */
function changedLines(revision, path, texts) {
  const lines = [[], []];
  for (const [, ...numbers] of git('diff', '-U0', '--no-renames', revision, '--', path).matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)) {
    for (const side of [0, 1]) {
      const [from, count] = [Number(numbers[2 * side]) - 1, Number(numbers[2 * side + 1] ?? 1)];
      for (let line = from; line < from + count; ++line) if (texts[side].split('\n')[line].trim()) lines[side].push(line);
    }
  }
  return lines;
}

/** The files that codegraph's index has for what changing these symbols affects; what it prints for people counts. */
function codegraphFiles(changed) {
  const begin = Date.now();
  run(values.codegraph, existsSync(join(cwd, '.codegraph')) ? 'sync' : 'init', '.');
  const files = new Set();
  let text = '', own = 0;
  for (const { path, symbol } of changed) {
    const asked = ['impact', '--depth', '1', '--file', path, symbol.name];
    text += run(values.codegraph, ...asked).stdout;
    const start = Date.now();
    const { stdout } = run(values.codegraph, ...asked, '--json');
    own += Date.now() - start;
    const { definitions = [] } = stdout.trimStart().startsWith('{') ? JSON.parse(stdout) : {};
    for (const { definition, affected } of definitions) {
      if (definition.filePath === path) for (const one of affected) if (one.id !== definition.id) files.add(one.filePath);
    }
  }
  spent.codegraph.push([(Date.now() - begin - own) / 1000, tokens(text)]);
  return files;
}

/** What changed: `+PATH:LINE NAME` of what is there, `-PATH NAME` of what is gone. */
function changedIn(path, lines, trees) {
  const [before, after] = trees.map((tree) => new Map(tree.map((symbol) => [keyOf(symbol), symbol])));
  const outermostWithout = (symbol, others) => (symbol.parent && !others.has(keyOf(symbol.parent)) ? outermostWithout(symbol.parent, others) : symbol);
  const found = new Map();
  const there = (symbol) => found.set(`+${path}:${symbol.range.start.line + 1} ${symbol.name}`, symbol);
  for (const line of lines[1]) {
    const symbol = innermost(trees[1], line);
    const added = trees[1].filter((one) => one.range.start.line === line && one.range.end.line === line && !before.has(keyOf(one)));
    if (added.length > 0) added.forEach((one) => there(outermostWithout(one, before)));
    else if (symbol) there(outermostWithout(symbol, before));
  }
  for (const line of lines[0]) {
    const symbol = innermost(trees[0], line);
    if (!symbol) continue;
    const same = after.get(keyOf(symbol));
    if (same) there(same);
    else found.set(`-${path} ${outermostWithout(symbol, after).name}`, undefined);
  }
  return found;
}

const sources = () => git('ls-files').split('\n').filter((path) => of.files.test(path));
const show = (what, list) => list.length && console.log(`  ${what}: ${list.slice(0, 8).join(', ')}${list.length > 8 ? ` and ${list.length - 8} more` : ''}`);
const sums = { symbols: [0, 0, 0], lines: [0, 0, 0], files: [0, 0, 0], ...values.codegraph && { 'files of codegraph': [0, 0, 0] } };
const spent = { symbols: [], codegraph: [] };  // [seconds, tokens] of each commit
function compare(what, got, want) {
  const right = [...got].filter((one) => want.has(one)).length;
  [right, got.size, want.size].forEach((count, i) => (sums[what][i] += count));
  show(`${what}, lacks`, [...want].filter((one) => !got.has(one)));
  show(`${what}, more`, [...got].filter((one) => !want.has(one)));
}
const last = run('git', 'symbolic-ref', '--short', '-q', 'HEAD').stdout.trim() || git('rev-parse', 'HEAD').trim();
process.on('exit', () => run('git', 'checkout', '-q', last));
let done = 0;
for (const commit of git('log', '--format=%h', '--no-merges', '-n', '1000').trim().split('\n')) {
  if (done === values.count) break;
  const rows = git('diff', '--name-status', '--no-renames', `${commit}~1`, commit).trim().split('\n').map((row) => row.split('\t')).filter(([, path]) => of.files.test(path));
  if (rows.length === 0 || rows.length > 15) continue;
  ++done;
  git('checkout', '-q', commit);
  const start = Date.now();
  const { stdout, stderr } = run(values.symbols, 'impact', `${commit}~1`, '--format', 'json', '--timeout', '120s');
  const milliseconds = Date.now() - start;
  if (!stdout) fail(stderr);
  const answer = JSON.parse(stdout);
  const text = run(values.symbols, 'impact', `${commit}~1`, '--timeout', '120s').stdout;
  const got = new Set(answer.changed.flatMap(({ path, line, name, change, name_before: before }) => [
    ...(change === 'removed' ? [] : [`+${path}:${line} ${name}`]), ...(change === 'removed' || change === 'renamed' ? [`-${path} ${before ?? name}`] : [])]));
  const texts = new Map(sources().map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
  const client = await clientOf(texts);
  const olds = new Map(rows.filter(([status]) => status !== 'A').map(([, path]) => [path, git('show', `${commit}~1:${path}`)]));
  const old = olds.size > 0 ? await clientOf(olds) : undefined;
  const want = new Map();
  for (const [, path] of rows) {
    const trees = [olds.has(path) ? await symbolsOf(old, path) : [], texts.has(path) ? await symbolsOf(client, path) : []];
    for (const [key, symbol] of changedIn(path, changedLines(`${commit}~1`, path, [olds.get(path) ?? '', texts.get(path) ?? '']), trees)) want.set(key, { path, symbol });
  }
  console.log(`${commit} ${git('log', '-1', '--format=%s', commit).trim().slice(0, 60)}: ${answer.changed.length} symbols, ${answer.used.length} lines, ${(milliseconds / 1000).toFixed(1)} s, ${tokens(text)} tokens (their files: ${tokens([...new Set(answer.used.map(({ path }) => path))].map((path) => texts.get(path) ?? '').join(''))})`);
  compare('symbols', got, new Set(want.keys()));
  spent.symbols.push([milliseconds / 1000, tokens(text)]);
  const lines = new Set();
  for (const [key, { path, symbol }] of want) {
    if (!symbol || !got.has(key)) continue;
    const at = { textDocument: { uri: uriOf(path) }, position: symbol.selectionRange.start };
    const asked = [['textDocument/references', { ...at, context: { includeDeclaration: false } }], ...([5, 6, 11, 23].includes(symbol.kind) && language !== 'python' ? [['textDocument/implementation', at]] : [])];
    for (const [method, params] of asked) {
      for (const { uri, range } of (await client.request(method, params)).result ?? []) {
        const where = relative(cwd, fileURLToPath(uri));
        const isOwn = where === path && symbol.range.start.line <= range.start.line && range.end.line <= symbol.range.end.line;
        if (!isOwn) lines.add(`${where}:${range.start.line + 1}`);
      }
    }
  }
  compare('lines', new Set(answer.used.map(({ path, line }) => `${path}:${line}`)), lines);
  const files = new Set([...lines].map((line) => line.replace(/:\d+$/, '')));
  compare('files', new Set(answer.used.map(({ path }) => path)), files);
  if (values.codegraph) compare('files of codegraph', codegraphFiles([...want].filter(([key, { symbol }]) => symbol && got.has(key)).map(([, one]) => one)), files);
  await client.finish();
  await old?.finish();
}
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
for (const [what, each] of Object.entries(spent)) if (each.length) console.log(`${what}: ${median(each.map(([one]) => one)).toFixed(1)} s, ${median(each.map(([, one]) => one))} tokens, medians`);
for (const [what, [right, got, want]] of Object.entries(sums)) console.log(`${what}: ${right} of ${want} found, ${got - right} more`);
