// How much of what clangd answers with a project's true compilation database `symbols` answers without one, as the project is
// cloned. Prints a table in Markdown.
//
//   node bench/cloned.mjs [--before PROGRAM] [--files N] DIR=DATABASE…
//
// DIR: a clone without a database; DATABASE: the folder of its compile_commands.json, elsewhere, made by
//   cmake -S DIR -B DATABASE -DCMAKE_EXPORT_COMPILE_COMMANDS=ON     or     bear -- make
// Nothing has to be built, but what the build generates is missing then, for both. Asked about are the files of DIR in the
// database and the headers beside them and in include folders; --files: no more than N of each project, evenly spread. --before: another build
// of symbols to compare with. A symbol is right with its name, kind and lines; a signature, with its symbol and text.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { argumentsOf, fail, needsPrograms, project } from './arguments.mjs';

const { values: options, positionals } = argumentsOf({ allowPositionals: true, options: { before: { type: 'string' }, files: { default: 200 } } });
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
    const signature = `${file}\n${line}`;
    symbols.set(symbol, (symbols.get(symbol) ?? 0) + 1);
    signatures.set(signature, (signatures.get(signature) ?? 0) + 1);
  }
  return { symbols, signatures, errors: / (\d+) of \d+ files have errors/.exec(stderr)?.[1] ?? (/may be wrong/.test(stderr) ? 1 : 0) };
}

const sum = (counts) => [...counts.values()].reduce((all, count) => all + count, 0);
function share(truth, found) {
  let same = 0;
  for (const [what, count] of truth) same += Math.min(count, found.get(what) ?? 0);
  return `${(100 * same / Math.max(sum(truth), 1)).toFixed(1)} %`;
}

const names = Object.keys(programs);
console.log(`| project | files | symbols | ${names.map((name) => `symbols right, ${name} | signatures right, ${name}`).join(' | ')} | files with errors: with the database, ${names.join(', ')} |`);
console.log(`|---|---|---|${names.map(() => '---|---|').join('')}---|`);
for (const [folder, database] of positionals.map((pair) => pair.split('=').map((path) => resolve(path)))) {
  const files = filesOf(folder, database);
  const truth = answer(programs.after, folder, files, ['--server', `clangd-19 --background-index=false --pch-storage=memory --log=error --compile-commands-dir=${database}`]);
  const found = names.map((name) => answer(programs[name], folder, files));
  console.log(`| ${basename(folder)} | ${files.length} | ${sum(truth.symbols)} | ${found.map(({ symbols, signatures }) => `${share(truth.symbols, symbols)} | ${share(truth.signatures, signatures)}`).join(' | ')} | ${[truth, ...found].map(({ errors }) => errors).join(', ')} |`);
}
