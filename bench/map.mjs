// What a model sees of a project within a budget: the share of its exported names, of its files and of its folders that
// `symbols map` names, beside `repomix --compress` and `ast-grep outline` cut at the same number of tokens (o200k).
//
//   node bench/map.mjs [--server 'CMD ARGS'] [DIR]...    default: the sources of zod and rxjs in tests/npm
//     after: scripts/build; scripts/setup --tests; for C++: apt-get install universal-ctags
//
// What is exported is read by others than those that are measured: of TypeScript by its own parser, of C and C++ headers by
// ctags. A name counts where it stands in what is printed of its own file. Each folder is indexed anew, in a cache of its own.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { argumentsOf, fail, needsSources, project, temporaryFolder } from './arguments.mjs';
import { output, program } from './tokens/captures.mjs';
import { astGrep, repomix, repomixCompress } from './tokens/packages.mjs';
import { decode, encode } from './tokens/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js';

const { values, positionals } = argumentsOf({ allowPositionals: true, options: { server: { type: 'string' } } });
const sources = join(project, 'tests/npm/node_modules');
const parser = join(process.env.SYMBOLS_SERVERS_DIR ?? join(project, 'scripts/servers'), 'node_modules/typescript/lib/typescript.js');
if (positionals.length === 0) needsSources(join(sources, 'zod/src'), join(sources, 'rxjs/src'));
needsSources(parser);
const ts = createRequire(import.meta.url)(parser);
const folders = (positionals.length > 0 ? positionals : [join(sources, 'zod/src'), join(sources, 'rxjs/src')]).map((folder) => resolve(folder));
const budgets = [1000, 4000, 16_000];

const tokensOf = (text) => encode(text, { disallowedSpecial: new Set() });
const isScript = (path) => /\.[cm]?tsx?$/.test(path);
const isHeader = (path) => /\.(h|hh|hpp|hxx)$/.test(path);

/** The names that a TypeScript file exports by itself, not from another one. */
function exportsOfScript(text) {
  const names = new Set();
  for (const statement of ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true).statements) {
    if (ts.isExportDeclaration(statement) && !statement.moduleSpecifier && statement.exportClause) {
      for (const { name } of statement.exportClause.elements ?? []) names.add(name.text);
    }
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    for (const { name } of statement.declarationList?.declarations ?? [statement]) {
      if (name && ts.isIdentifier(name)) names.add(name.text);
      for (const element of name?.elements ?? []) if (element.name) names.add(element.name.text);
    }
  }
  return names;
}

/** What C and C++ headers declare outside of types and functions, by file. */
function exportsOfHeaders(folder, paths) {
  const args = ['--output-format=json', '--kinds-C=+px-dhe', '--kinds-C++=+px-dhen', '--fields=+K', '-f', '-', ...paths];
  const names = new Map();
  for (const line of output('ctags', args, { cwd: folder }).split('\n').filter(Boolean)) {
    const { path, name, scopeKind } = JSON.parse(line);
    if (scopeKind && scopeKind !== 'namespace' || name.startsWith('__anon')) continue;
    names.set(path, (names.get(path) ?? new Set()).add(name));
  }
  return names;
}

function exportsOf(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name))).sort();
  const headers = paths.filter(isHeader);
  const ofHeaders = headers.length > 0 ? exportsOfHeaders(folder, headers) : new Map();
  const files = paths.filter((path) => isScript(path) || isHeader(path) || /\.(c|cc|cpp|cxx)$/.test(path));
  return new Map(files.map((path) => [path, isScript(path) ? exportsOfScript(readFileSync(join(folder, path), 'utf8')) : ofHeaders.get(path) ?? new Set()]));
}

/** What is printed of each file, by path: of texts whose sections start with a line that has it. */
function sections(text, heading) {
  const found = new Map();
  let current = [];
  for (const line of text.split('\n')) {
    const path = heading(line);
    if (path !== undefined) found.set(path, current = []);
    else current.push(line);
  }
  return new Map([...found].map(([path, lines]) => [path, lines.join('\n')]));
}

/** What `symbols map` says of each file. */
function mapSections(text) {
  const found = new Map();
  let folder = '';
  let extension = '';
  const path = (name) => join(folder, name.includes('.') || !extension ? name : name + extension);
  for (const line of text.split('\n')) {
    if (line.startsWith('# ') || line === '') continue;
    if (!line.startsWith(' ')) {
      const heading = line.split(' ')[0];
      folder = heading.slice(0, heading.lastIndexOf('/') + 1);
      extension = heading.slice(folder.length + 1);
    } else if (line.startsWith(' also: ')) {
      for (const name of line.slice(7).split(' ')) found.set(path(name), '');
    } else {
      const colon = line.indexOf(':');
      found.set(path(line.slice(1, colon)), line.slice(colon + 1));
    }
  }
  return found;
}

const cut = (text) => {
  const tokens = tokensOf(text);
  return { size: tokens.length, at: (budget) => decode(tokens.slice(0, budget)) };
};

/** By tool: how many tokens all of it has, and what it prints in a budget, by file. */
function tools(folder, cache) {
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const { status, stderr } = spawnSync(program, ['index', '--root', '.', ...(values.server ? ['--server', values.server] : [])],
    { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === null || status === 2) fail(stderr);
  const map = (budget) => output(program, ['map', '--max-tokens', String(budget)], { cwd: folder, env });
  const compressed = cut(output(repomix[0], [repomix[1], ...repomixCompress], { cwd: folder })
    .replace(/\n=+\n(?=File: )|(?<=\nFile: .*)\n=+(?=\n)/g, '\n'));
  // It prints files in the order in which its threads come to them.
  const outline = output(astGrep, ['outline', '--color', 'never', '.'], { cwd: folder });
  const outlined = cut(outline.trimEnd().split('\n\n').sort().join('\n\n'));
  return [
    { title: '`symbols map`', size: tokensOf(map(1e9)).length, of: (budget) => mapSections(map(budget)), used: (budget) => tokensOf(map(budget)).length },
    { title: '`repomix --compress`', size: compressed.size, of: (budget) => sections(compressed.at(budget), (line) => line.match(/^File: (.*)$/)?.[1]) },
    { title: '`ast-grep outline`', size: outlined.size, of: (budget) => sections(outlined.at(budget), (line) => line.match(/^\.\/(\S+)$/)?.[1]) },
  ];
}

const share = (some, all) => `${(100 * some / all).toFixed(1)} %`;
console.log('| project | tool | all of it, tokens | budget | exported names | files | folders |\n|---|---|--:|--:|--:|--:|--:|');
for (const folder of folders) {
  const exported = exportsOf(folder);
  const names = [...exported].flatMap(([path, ofFile]) => [...ofFile].map((name) => ({ path, name })));
  const places = new Set([...exported.keys()].map(dirname));
  for (const { title, size, of, used } of tools(folder, temporaryFolder())) {
    for (const budget of budgets) {
      const shown = of(budget);
      const words = new Map([...shown].map(([path, text]) => [path, new Set(text.match(/[\w$]+/g))]));
      const files = [...exported.keys()].filter((path) => shown.has(path));
      const found = names.filter(({ path, name }) => words.get(path)?.has(name)).length;
      if (used && used(budget) > 1.05 * budget) fail(`${title} takes ${used(budget)} tokens of ${budget}`);
      console.log(`| ${basename(folder) === 'src' ? basename(dirname(folder)) : basename(folder)}: ${exported.size} files, ${names.length} names | ${title} | ${size} | ${budget} | ` +
        `${share(found, names.length)} | ${share(files.length, exported.size)} | ${share(new Set(files.map(dirname)).size, places.size)} |`);
    }
  }
}
