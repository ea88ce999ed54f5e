// What an answer costs beside reading the file: percent of the file's own tokens, over 20 files of other people's, in four
// languages, asked of live servers; and what else a model could be given of them.
//
// How the files were chosen, once: in each language those nearest in size to 8, 16, 32, 64 and 128 KiB that build on this
// machine and of which the server has symbols, without tests and generated sources. C++: each library under /usr/include once
// (Benchmark, CLI11, doctest, {fmt}, googletest, nlohmann, RapidJSON, RE2). TypeScript: all of rxjs and zod, without
// translations. Python, Go: all of the standard library.
//
// $SYMBOLS_RECORDED names a folder where the servers' answers are kept, so that a second run does not ask them.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { countTokens, output, program, project, readJson, total } from './captures.mjs';
import { packages } from './packages.mjs';
import { outputs } from './source_tools.mjs';

const npm = process.env.SYMBOLS_TEST_SOURCES_DIR ?? join(project, 'tests/npm');
const cxx = '/usr/include';
const typescript = join(npm, 'node_modules');
const python = '/usr/lib/python3.11';
const go = '/usr/share/go-1.19/src';

// `server`: the package of the server; `declarations`: what grep -nP is given.
const languages = [
  {
    name: 'C++', folder: cxx, debian: ['rapidjson-dev', 'libgtest-dev', 'libcli11-dev', 'libbenchmark-dev', 'libfmt-dev'],
    declarations: String.raw`^\s*(template|class|struct|enum|union|namespace|using|typedef|#\s*define)\b|^\s*(?!if|for|while|switch|catch|else|return|do\b)[A-Za-z_~].*\).*\{\s*$`,
    files: ['rapidjson/internal/dtoa.h', 'CLI/Error.hpp', 'gtest/gtest-matchers.h', 'benchmark/benchmark.h', 'fmt/core.h'],
  },
  {
    name: 'TypeScript', folder: typescript, npm: ['rxjs', 'zod'],
    declarations: String.raw`^(export |declare |abstract |default |async )*(class|interface|type|enum|function|const|let|namespace)\b|^  (?!if|for|while|switch|catch|else|return|do\b)[\w$ ]+(\(.*\{|[?]?: .*;)\s*$`,
    files: ['rxjs/src/internal/observable/forkJoin.ts', 'rxjs/src/internal/operators/timeout.ts', 'zod/src/v4/core/to-json-schema.ts',
      'zod/src/v4/mini/schemas.ts', 'zod/src/v4/classic/schemas.ts'],
  },
  {
    name: 'Python', folder: python, debian: ['libpython3.11-stdlib'],
    declarations: String.raw`^\s*(async def|def|class)\b|^[A-Za-z_]\w*\s*[:=]`,
    files: ['lib2to3/fixes/fix_metaclass.py', 'distutils/cygwinccompiler.py', 'multiprocessing/pool.py', 'pickle.py', 'inspect.py'],
  },
  {
    name: 'Go', folder: go, debian: ['golang-1.19-src'],
    declarations: String.raw`^(func|type|var|const)\b|^\t[A-Z]\w*(,| =| [\w*\[])`,
    files: ['expvar/expvar.go', 'database/sql/convert.go', 'fmt/scan.go', 'testing/testing.go', 'debug/elf/elf.go'],
  },
].map((language) => ({
  ...language,
  files: language.files.map((shortName) => ({ shortName, path: join(language.folder, shortName), declarations: language.declarations })),
}));

for (const language of languages) {
  for (const { path } of language.files) {
    if (!existsSync(path)) throw new Error(`${path} is not here; apt-get install ${language.debian?.join(' ') ?? ''}, or scripts/setup --tests`);
  }
}
const files = languages.flatMap((language) => language.files);
for (const file of files) file.tokens = countTokens(readFileSync(file.path, 'utf8'));

/** What `symbols` prints (pyright is in this folder's packages). */
const symbols = (args) => output(program, args, {
  env: { ...process.env, PATH: [process.env.PATH, join(packages, '.bin')].join(delimiter) },
});

/** Asks live servers about every file, once; their traffic is kept as a log for each file, to be answered from. */
function record(folder) {
  for (const [i, file] of files.entries()) {
    file.log = join(folder, `${i}.log`);
    if (!existsSync(file.log)) symbols(['--format', 'tree', '--log', file.log, file.path]);
  }
}

/** What `symbols` answers about a file with these options. */
function answer({ path, log }, options) {
  const server = `${process.execPath} '${join(project, 'bench/tokens/recorded_server.mjs')}' '${log}'`;
  return symbols([...options, '--server', server, path]).trimEnd();
}
const forms = [
  '--format table', '--format table --no-hover',
  '--format outline', '--format outline --no-hover',
  '--format tree', '--format tree --no-hover',
  '--format tree --verbosity signatures --fold no', '--format tree --verbosity signatures',
  '--format tree --verbosity minimal --fold no', '--format tree --verbosity minimal', '--format tree --verbosity minimal --children no',
];

const median = (values) => [...values].sort((a, b) => a - b).reduce((sum, value, i, { length }) =>
  sum + (i === (length >> 1) || i === ((length - 1) >> 1) ? value / (2 - length % 2) : 0), 0);

/** Rows { title, tokens: by language }: every form, ours and others', of each language's files together. */
function measure() {
  const rows = [];
  const folder = process.env.SYMBOLS_RECORDED ?? mkdtempSync(join(tmpdir(), 'symbols-files-'));
  record(folder);
  const push = (title, ofFile, more) => {
    for (const file of files) file.cost = ofFile(file);
    const tokens = languages.map((language) => total(language.files.map(({ cost }) => cost)));
    rows.push({ title, tokens, each: files.map(({ cost }) => cost), ...more });
  };
  const ours = (title, options) =>
    push(title, (file) => countTokens(answer(file, options.split(' '))), { ours: !title.startsWith('JSON') });
  push('reading the file', ({ tokens }) => tokens);
  ours('JSON, minified', '--format json --no-hover');
  for (const form of forms) ours(form.replace('--format ', ''), form);
  const tools = languages.map((language) => outputs(language.files));
  for (const { title } of tools[0]) {
    rows.push({ title, tokens: tools.map((all) => countTokens(all.find((tool) => tool.title === title).text)) });
  }
  push('grep of declarations', ({ path, declarations }) => countTokens(output('grep', ['-nP', declarations, path])));
  if (!process.env.SYMBOLS_RECORDED) rmSync(folder, { recursive: true });
  const [whole] = rows;
  return rows.map((row) => ({
    ...row,
    share: total(row.tokens) / total(whole.tokens),
    median: row.each && median(row.each.map((tokens, i) => tokens / files[i].tokens)),
    shares: row.tokens.map((tokens, i) => tokens / whole.tokens[i]),
  }));
}

/** Debian's packages and npm's, with their versions. */
function versions() {
  const debian = ['clangd-19', 'gopls', 'universal-ctags', ...languages.flatMap(({ debian: names }) => names ?? [])];
  const installed = output('dpkg-query', ['-W', '-f', '${Package} ${Version}\n', ...debian]).trim().split('\n');
  const ofNpm = (folder, name) => `${name} ${readJson(join(folder, name, 'package.json')).version}`;
  return [...installed, ...['rxjs', 'zod'].map((name) => ofNpm(typescript, name)), ofNpm(packages, 'pyright'),
    ofNpm(join(project, 'scripts/servers/node_modules'), 'typescript7')].join(', ');
}

export function printPercents() {
  const rows = measure();
  const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`;
  console.log(`### Percent of the file's own tokens: ${files.length} files, ${total(rows[0].tokens).toLocaleString('en')} tokens\n`);
  console.log(`| what a model is given | all | median file | ${languages.map(({ name }) => name).join(' | ')} |\n|---|---:|---:|${'---:|'.repeat(languages.length)}`);
  for (const { title, share, shares, median: middle } of rows) console.log(`| ${title} | ${percent(share)} | ${middle === undefined ? '' : percent(middle)} | ${shares.map(percent).join(' | ')} |`);
  const cost = (title) => rows.find((row) => row.title === title).each;
  const [names, signatures] = ['tree --verbosity minimal', 'tree --verbosity signatures'].map(cost);
  console.log('\n| file | tokens | minimal | signatures |\n|---|---:|---:|---:|');
  for (const [i, { shortName, tokens }] of files.entries()) {
    console.log(`| ${shortName} | ${tokens.toLocaleString('en')} | ${percent(names[i] / tokens)} | ${percent(signatures[i] / tokens)} |`);
  }
  console.log('\ngrep -nP:\n');
  for (const { name, declarations } of languages) console.log(`- ${name}: \`${declarations}\``);
  console.log(`\n${versions()}\n`);
  return rows;
}
