// The servers of bench/soak, each with a project of real sources.
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { languageServers } from '../tests/e2e/language_servers.mjs';
import { fixture, project, sourcesFolder } from '../tests/e2e/program.mjs';
import { fail, needsSources } from './arguments.mjs';

const python = join('/usr/lib', readdirSync('/usr/lib').find((name) => /^python3\.\d+$/.test(name)) ?? 'python3');
const go = '/usr/share/go-1.19/src';
const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal');
const programPaths = process.env.PATH.split(':');
const pyright = join(sourcesFolder, 'node_modules/.bin/pyright-langserver');

const cLike = { comment: '//' };

/**
 * `command` may be a name on the PATH; `open` are the documents, of `files` (path in the project: source) ; `encodings`: what the
 * client offers. clangd as `symbols` starts it: a clangd that is killed would leave its preambles on the disk.
 */
export const soakServers = [
  {
    name: 'clangd', languageId: 'cpp', encodings: ['utf-8', 'utf-16'], install: 'apt-get install clangd-19',
    command: [languageServers.clangd.command, '--background-index=false', '--pch-storage=memory', '--log=error'],
    // clangd 19 tells the comment of a header's declaration also when the document includes the header no more.
    keepsComments: true,
    // clangd 14 and 19 lock themselves up where a document is opened, changed and closed before they have begun to read it
    // (PreambleThread::update waits for what nobody does any more): what was asked about it is never answered.
    mustReadBeforeClose: true,
    language: { ...cLike, declaration: (word) => `inline int ${word}(int value) { return value + 1; }` },
    settings: { 'compile_flags.txt': '-xc++\n-std=c++20\n-I.\n' },
    files: Object.fromEntries([
      ['geometry.cpp', fixture('geometry.cpp')], ['stdlib.h', '/usr/include/stdlib.h'], ['stl_pair.h', '/usr/include/c++/12/bits/stl_pair.h'],
      ...['base/text.h', 'base/result.h', 'lsp/uri.h', 'lsp/uri.cc', 'lsp/position.h', 'lsp/unicode.h', 'lsp/unicode.cc']
        .map((path) => [path, join(project, path)]),
    ]),
    open: ['geometry.cpp', 'stdlib.h', 'stl_pair.h', 'lsp/uri.cc', 'lsp/unicode.cc', 'lsp/position.h'],
  },
  {
    name: 'TypeScript 7', languageId: 'typescript', encodings: ['utf-16', 'utf-8'], install: 'scripts/setup --tests',
    command: [languageServers['TypeScript 7'].command, ...languageServers['TypeScript 7'].args],
    env: { PATH: '' },  // so that it starts no npm
    language: { ...cLike, declaration: (word) => `export function ${word}(value: number): number { return value + 1; }` },
    settings: { 'tsconfig.json': '{"compilerOptions": {"strict": true, "target": "es2020", "lib": ["es2020", "dom"], "types": []}}' },
    files: sourcesOf(rxjs, 'src', /\.ts$/, ['', 'util', 'symbol', 'scheduler', 'operators', 'observable']),
    open: ['Subject', 'Observable', 'Subscriber', 'Subscription', 'ReplaySubject', 'Notification', 'scheduler/AsyncAction', 'operators/groupBy'].map((name) => `src/${name}.ts`),
  },
  {
    name: 'pyright', languageId: 'python', encodings: ['utf-16'], install: 'scripts/setup --tests',
    command: [process.execPath, pyright, '--stdio'],
    language: { comment: '#', declaration: (word) => `def ${word}(value: int) -> int:\n    return value + 1` },
    settings: { 'pyrightconfig.json': '{}' },
    files: {
      ...sourcesOf(python, 'library', /^(shlex|textwrap|configparser|fnmatch|csv|heapq|sched|queue)\.py$/, ['']),
      ...sourcesOf(join(python, 'json'), 'json_copy', /\.py$/, ['']),
    },
    open: ['library/shlex.py', 'library/textwrap.py', 'library/configparser.py', 'library/heapq.py', 'library/queue.py', 'json_copy/decoder.py', 'json_copy/encoder.py'],
  },
  {
    name: 'gopls', languageId: 'go', encodings: ['utf-16'], install: 'apt-get install gopls golang-go', also: ['go'],
    command: ['gopls'],
    language: { ...cLike, declaration: (word) => `func ${word}(value int) int { return value + 1 }` },
    settings: { 'go.mod': 'module example.com/soak\n\ngo 1.19\n' },
    files: Object.assign({}, ...['text/tabwriter', 'text/scanner', 'container/list', 'container/ring', 'encoding/csv', 'bufio', 'path', 'html']
      .map((name) => sourcesOf(join(go, name), name, /^(?!.*_test\.go$).*\.go$/, ['']))),
    open: ['text/tabwriter/tabwriter.go', 'text/scanner/scanner.go', 'container/list/list.go', 'container/ring/ring.go', 'encoding/csv/reader.go', 'encoding/csv/writer.go', 'bufio/scan.go', 'path/match.go'],
  },
];

/** The files with such a name in these folders of `from`, as `to`/…: path in the project: source. */
function sourcesOf(from, to, isWanted, folders) {
  const found = folders.flatMap((folder) => (existsSync(join(from, folder)) ? readdirSync(join(from, folder)) : [])
    .filter((name) => isWanted.test(name)).map((name) => join(folder, name)));
  return Object.fromEntries(found.map((name) => [join(to, name), join(from, name)]));
}

/** Ends the program, saying what to do, where a server or a source of one of them is missing. */
export function needServers(servers) {
  for (const { name, command, also = [], install, open, files } of servers) {
    for (const program of [command[0], ...also]) {
      const isThere = program.includes('/') ? existsSync(program) : programPaths.some((folder) => existsSync(join(folder, program)));
      if (!isThere) fail(`${name} needs ${basename(program)}, which is not here; it comes with: ${install}`);
    }
    if (name === 'pyright') needsSources(pyright);
    needsSources(...open.map((path) => files[path] ?? fail(`${name} has no source for ${path}: ${name === 'gopls' ? 'apt-get install golang-1.19-src' : 'scripts/setup --tests'}`)), ...Object.values(files));
  }
}

/** Copies the server's project into this folder. */
export function makeProject({ settings, files }, folder) {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(source, join(folder, path));
  }
  for (const [path, text] of Object.entries(settings)) writeFileSync(join(folder, path), text);
}
