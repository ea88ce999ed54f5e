// How much of what clangd answers with a project's true compilation database `symbols` answers without one, as the project is
// cloned. Prints a table in Markdown.
//
//   node bench/cloned.mjs [--before PROGRAM] [--files N] [--references N] DIR=DATABASE…
//
// DIR: a clone without a database; DATABASE: the folder of its compile_commands.json, elsewhere, made by
//   cmake -S DIR -B DATABASE -DCMAKE_EXPORT_COMPILE_COMMANDS=ON     or     bear -- make
// Nothing has to be built, but what the build generates is missing then, for both. Asked about are the files of DIR in the
// database and the headers beside them and in include folders; --files: no more than N of each project, evenly spread. --before: another build
// of symbols to compare with. A symbol is right with its name, kind and lines; a signature, with its symbol and text, but for
// blanks, `public:` and `template <…>`. --references: those of N functions and
// classes, evenly spread, are asked for, too; with the database clangd keeps its index beside it, in .cache.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { argumentsOf, fail, needsPrograms, project } from './arguments.mjs';

const { values: options, positionals } = argumentsOf({ allowPositionals: true, options: { before: { type: 'string' }, files: { default: 200 }, references: { type: 'string', default: '0' } } });
if (positionals.length === 0) fail('give DIR=DATABASE, a clone and the folder of its compile_commands.json');
needsPrograms('symbols');
const programs = { ...(options.before && { before: options.before }), after: join(project, 'build', 'symbols') };

/** The files that are asked about, relative to `folder`. */
function filesOf(folder, database) {
  const files = new Set();
  const folders = new Set();
  for (const { directory, file } of JSON.parse(readFileSync(join(database, 'compile_commands.json'), 'utf8'))) {
    const path = relative(folder, resolve(directory, file));
    if (path.startsWith('..') || !existsSync(join(folder, path))) continue;
    files.add(path);
    folders.add(dirname(path));
  }
  for (const entry of readdirSync(folder, { recursive: true })) {
    const isHeader = /^\.(h|hh|hpp|hxx)$/.test(extname(entry));
    if (isHeader && (folders.has(dirname(entry)) || entry.split('/').includes('include'))) files.add(entry);
  }
  const all = [...files].sort();
  const step = Math.max(all.length / options.files, 1);
  return Array.from({ length: Math.floor(all.length / step) }, (_, i) => all[Math.floor(i * step)]);
}

/** { symbols, signatures }: how often each stands in the answer; `errors`: files with errors. */
function answer(program, folder, files, server = []) {
  const { stdout, stderr, error, status } = spawnSync(program, ['--no-warm', ...server, '--format', 'table', '--verbosity', 'signatures', '--files-from', '-'],
    { cwd: folder, input: files.join('\n'), encoding: 'utf8', maxBuffer: 1 << 30, env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent' } });
  if (error || status === null) fail(`${program}: ${error?.message ?? stderr}`);
  const symbols = new Map();
  const signatures = new Map();
  let file = '';
  for (const line of stdout.split('\n')) {
    const [, heading] = /^==> (.*) <==$/.exec(line) ?? [];
    file = heading ?? file;
    if (heading || line === '' || line.startsWith('NAME | ')) continue;
    const symbol = [file, ...line.split(' | ').slice(0, 3)].join('\n');
    const signature = symbol + line.split(' | ').slice(3).join(' | ').replace(/^(public|protected|private): /, '').replace(/^template <.*?> (?=[^>])/, '').replaceAll(' ', '');
    symbols.set(symbol, (symbols.get(symbol) ?? 0) + 1);
    signatures.set(signature, (signatures.get(signature) ?? 0) + 1);
  }
  return { symbols, signatures, errors: / (\d+) of \d+ files have errors/.exec(stderr)?.[1] ?? (/may be wrong/.test(stderr) ? 1 : 0) };
}

/** How often each reference stands in the answers about `places`, each a file and a line. */
function references(program, folder, places, server = []) {
  const found = new Map();
  for (const [file, line] of places) {
    const { stdout } = spawnSync(program, ['context', ...server, '--format', 'table', '--no-hover', '--include',
      'references:1000,callers:0,source:0,children:0,diagnostics:0', `${file}:${line}`], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 });
    for (const reference of stdout.split('\n').filter((one) => one.startsWith('/'))) {
      const key = `${file}:${line}\n${reference}`;
      found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  return found;
}

/** Files and lines of `count` functions, methods, classes and structs of the answer. */
function placesIn({ symbols }, count) {
  const all = [...symbols.keys()].map((key) => key.split('\n')).filter(([, , kind]) => ['5', '6', '12', '23'].includes(kind));
  const step = Math.max(all.length / count, 1);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)]).map(([file, , , lines]) => [file, parseInt(lines, 10)]);
}

const sum = (counts) => [...counts.values()].reduce((all, count) => all + count, 0);
function share(truth, found) {
  let same = 0;
  for (const [what, count] of truth) same += Math.min(count, found.get(what) ?? 0);
  return `${(100 * same / Math.max(sum(truth), 1)).toFixed(1)} %`;
}

const names = Object.keys(programs);
console.log(`| project | files | symbols | ${names.map((name) => `symbols right, ${name} | signatures right, ${name} | references right, ${name}`).join(' | ')} | files with errors: with the database, ${names.join(', ')} |`);
console.log(`|---|---|---|${names.map(() => '---|---|---|').join('')}---|`);
for (const [folder, database] of positionals.map((pair) => pair.split('=').map((path) => resolve(path)))) {
  const files = filesOf(folder, database);
  const clangd = `clangd-19 --pch-storage=memory --log=error --compile-commands-dir=${database}`;
  const truth = answer(programs.after, folder, files, ['--server', `${clangd} --background-index=false`]);
  const places = placesIn(truth, Number(options.references));
  const trueReferences = references(programs.after, folder, places, ['--no-confine', '--trust-project', '--server', `${clangd} --background-index --limit-references=0`]);
  const found = names.map((name) => ({ ...answer(programs[name], folder, files), references: references(programs[name], folder, places) }));
  console.log(`| ${basename(folder)} | ${files.length} | ${sum(truth.symbols)} | ${found.map((one) => `${share(truth.symbols, one.symbols)} | ${share(truth.signatures, one.signatures)} | ${places.length > 0 ? share(trueReferences, one.references) : '-'}`).join(' | ')} | ${[truth, ...found].map(({ errors }) => errors).join(', ')} |`);
}
