// The documents: every link leads somewhere, and every command that they or the program's help show is run, or listed here with the
// reason why it is not. Output that is shown is compared here, or in readme.test.mjs.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { blocksOf, brokenLink, inlineCode, linksOf, pages } from './documents.mjs';
import { serverSettings } from './language_servers.mjs';
import { fixture, folder, marked, project, run, sourcesFolder } from './program.mjs';
import { programFolder } from './program_folder.mjs';


// Commands of this program that are not run, or of which more than the status is not looked at.
const notRun = [
  [/^symbols index --watch$/, 'does not end by itself: index_watch.test.mjs runs it'],
  [/^symbols completions fish \| source$/, 'a command of fish: completions.test.mjs runs it'],
  [/^symbols$/, 'the name of the program'],
  [/^symbols mcp( |$)/, 'a server, whose input has to be open: mcp.test.mjs runs it'],
];
// Commands of other programs, and those that take long. Files of the project that they name have to exist.
const others = [
  [/^scripts\/(setup|build|test|package|lint|fuzz|coverage|mutate)( |$)/, 'sets up, builds or tests this project'],
  [/^(time )?scripts\/package( |$)/, 'builds for minutes: tests/packages/packages.test.mjs runs it'],
  [/^bench\/soak( |$)/, 'runs for minutes: soak.test.mjs runs it'],
  [/^(SYMBOLS_\w+=\S+ )?build\/tests\/\S+_test( |$)/, 'a test program'],
  [/^(SYMBOLS_\w+=\S+ )?node (--test )?/, 'a measurement or another test'],
  [/^(cmake|ctest) /, 'builds or tests this project'],
  [/^(apt|apt-get) (install|purge) /, 'changes the system'],
  [/^(npm install|npx symbols-lsp) /, 'from a registry: tests/packages/packages.test.mjs uses the tarball'],
  [/^nix-build /, 'Nix is not in Debian 12 as the tests need it'],
  [/^code --install-extension /, 'VS Code'],
  [/^claude (plugin|mcp|--plugin-dir|-p)/, 'Claude Code'],
  [/^codex mcp add /, 'Codex'],
  [/^qwen /, 'Qwen Code'],
  [/^opencode /, 'OpenCode'],
  [/^cli-lsp-client /, 'cli-lsp-client'],
  [/^hx /, 'Helix'],
  [/^ln -s /, 'links the program'],
  [/^mkdir -p \S+$|^cp -r \S+ \S+$/, 'copies a folder of editors/'],
  [/^jq |^parallel /, 'needs what Debian 12 has in other packages; two_hosts.test.mjs runs parallel'],
  [/^export SYMBOLS_\w+=\w+$/, 'sets a variable'],
];
// Where the documents write a word for anything of its kind.
const placeholders = [
  [/ \[OPTIONS\]| \[ARGUMENT\.\.\.\]|\[:N\]|\[:COLUMN\]/g, ''],
  [/--merge (FILE…|index\/\*\.db)/g, '--merge 1.db 2.db'],
  [/2\.db 3\.db … 8\.db/g, '2.db 3.db'],
  [/FILE:LINE/g, 'src/app.ts:24'],
  [/(context FILE) NAME/g, '$1 calculateArea'],
  [/(setup) NAME/g, '$1 copilot-cli'],
  [/(context) NAME/g, '$1 calculateArea'],
  [/--to PATH/g, '--to ./settings.json'],
  [/\bFILE…?|PATH…|\bPATH$/g, 'src/app.ts'],
  [/ \[?DIR\b\]?/g, ' src'],
  [/--from F --to G/g, '--from json --to tree reply.json'],
  [/-- SERVER/g, '-- clangd'],
  [/^(symbols proxy(?!.* -- ).*)$/g, '$1 -- clangd'],
  [/\bQUERY\b/g, 'area'],
  [/>DIR\//g, '>'],
];
// Wrong only because something is not installed or there by chance; 2 is a wrong command line, which is never right.
const mayFail = [
  [/^symbols proxy/, 'there is no client'],
  [/^symbols doctor/, 'tells what is broken on this machine'],
  [/^symbols setup codex --write/, 'there may be no codex'],
  [/(-s|--server) pyright/, 'there may be no pyright'],
  [/^symbols find lrucache/, 'the project of the test has no such name'],
];

// The pages whose examples with output readme.test.mjs runs.
const comparedPages = ['README.md', 'docs/formats.md', 'docs/command-line.md'];
const commands = ['servers', 'config', 'doctor', 'context', 'setup', 'proxy', 'mcp', 'warm', 'convert', 'index', 'find', 'map', 'completions'];
const programs = /^(symbols|scripts\/[\w.-]+|bench\/soak|tests\/\S+\.sh|build\/tests\/\S+|node|npm|npx|cmake|ctest|apt|apt-get|nix-build|code|claude|codex|qwen|opencode|cli-lsp-client|hx|man|ln|mkdir|cp|jq|parallel|export [A-Z_]+=\S+|source|git show|git ls-files|time)( |$)/;
const isCommand = (line) => programs.test(line.replace(/^SYMBOLS_\w+=\S+ /, ''));
/** Without the remark behind it. */
const command = (line) => line.replace(/^\$ /, '').replace(/ {2,}.*$| # .*$/, '').trim();

// What output looks like in blocks that have no command: of the program, of harnesses, grammars.
const outputs = [
  /^ *NAME \| KIND/, /^\d+ files, \d+ rows: /, /^symbols: /, /^ *[a-zA-Z]\d+(-\d+)? /, /^\[L\d+\]/,
  /^(row|outline|map) +:= /, /^(Hover|Declaration|Document symbols|Symbols in|double |geometry )/,
];

/** { shown, where, output } of each command in the pages and in the program's own help. */
async function shownCommands() {
  const shown = [];
  const unknown = [];
  for (const [where, text] of Object.entries(pages)) {
    for (const { language, text: block } of blocksOf(text)) {
      if (!['', 'sh', 'bash', 'shell', 'console'].includes(language) || block.startsWith('#!')) continue;
      const lines = block.replace(/\\\n */g, ' ').split('\n').filter((line) => line.trim() !== '');
      if (/^\$ /m.test(block)) {
        for (const part of block.split(/^(?=\$ )/m)) {
          const [first, ...rest] = part.split('\n');
          shown.push({ shown: command(first), where, output: rest.join('\n') });
        }
      } else if (lines.some(isCommand)) {
        for (const line of lines.filter((one) => !/^ {20}/.test(one))) {
          if (isCommand(line)) shown.push({ shown: command(line), where });
          else unknown.push(`${where}: ${line}`);
        }
      } else if (!outputs.some((pattern) => pattern.test(block))) {
        unknown.push(`${where}: ${lines[0]}`);
      }
    }
    for (const code of inlineCode(text)) if (isCommand(code) && (/ /.test(code) || code.startsWith('symbols'))) shown.push({ shown: code, where });
  }
  for (const name of ['', ...commands]) {
    const { stdout } = await run([...(name ? [name] : []), '--help']);
    const examples = /^Examples:\n((?: {2}.*\n)+)/m.exec(stdout);
    assert.ok(examples, `symbols ${name} --help has examples`);
    for (const line of examples[1].trimEnd().split('\n')) shown.push({ shown: command(line.trim()), where: `symbols ${name} --help`.replace('  ', ' ') });
  }
  return { shown, unknown };
}

const source = `/** A shape. */
export interface Shape { perimeter(): number; }

export class Table {
  open(path: string): boolean { return path !== ''; }
}

export class Cache {}

export class HoverCache extends Cache {
  hits = 0;
}

export class Circle implements Shape {
  constructor(readonly radius: number) {}

  area(): number { return Math.PI * this.radius ** 2; }

  perimeter(): number { return 2 * Math.PI * this.radius; }
}

/** Calculates an area. */
export function calculateArea(width: number, height: number): number {
  const product = width * height;
  return product;
}

export const total = calculateArea(1, 2) + new Circle(1).area();
`;

/** The project in which the commands are run: all that they name is there, and a home and a PATH of a user. */
async function preparedProject(t) {
  const cwd = folder(t, {
    'src/app.ts': source, 'app.ts': 'export const app = 1;\n', 'tsconfig.json': '{}', 'include/app.hpp': '#pragma once\nint area();\n', 'src/main.cc': '#include "../include/app.hpp"\nint area() { return 1; }\n',
    'lib.py': 'def area():\n    return 1\n', 'src/app.py': 'def area():\n    return 1\n', 'notes.my': 'notes\n', 'bad.cpp': 'int broken = undeclared;\n',
    'compile_flags.txt': '-std=c++20\n', 'settings.json': '{}', 'fixtures/other.ts': '', '.gitignore': '/fixtures/\n',
  });
  copyFileSync(fixture('geometry.cpp'), join(cwd, 'geometry.cpp'));
  for (const name of ['geometry.ts', 'geometry.cpp']) copyFileSync(fixture(name), join(cwd, 'fixtures', name));
  copyFileSync(fixture('captures/gopls/strings__builder.go.symbols.json'), join(cwd, 'reply.json'));
  // A server of one's own, which answers about any language: TypeScript's.
  writeFileSync(join(cwd, 'my-server.js'), `require('node:child_process').spawn('typescript-language-server', process.argv.slice(2), { stdio: 'inherit' }).on('exit', process.exit);\n`);
  const bin = programFolder(t);
  symlinkSync(join(sourcesFolder, 'node_modules/.bin/pyright-langserver'), join(bin, 'pyright-langserver'));
  symlinkSync(join(bin, 'clangd'), join(bin, 'clangd-19'));
  const runtime = folder(t, {});
  chmodSync(runtime, 0o700);
  const mark = marked();
  const homes = folder(t, {});
  const cache = folder(t, {});
  const execute = (line, options = {}) => {
    const home = mkdtempSync(join(homes, 'home-'));
    for (const name of ['src/project', '.local/share/bash-completion/completions', '.config/fish/completions', '.config/clangd']) mkdirSync(join(home, name), { recursive: true });
    writeFileSync(join(home, '.config/clangd/config.yaml'), serverSettings['clangd/config.yaml']);
    return run(['-c', `set -o pipefail; ${line}`], {
      program: 'bash', cwd,
      env: { ...mark.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: undefined, XDG_CACHE_HOME: cache, XDG_RUNTIME_DIR: runtime, PATH: `${bin}:${process.env.PATH}` },
      ...options,
    });
  };
  const made = await execute('git init -q . && git add -A && git -c user.name=me -c user.email=me@example.com commit -qm all && symbols index && ' +
    'symbols index --database 1.db src && cp 1.db 2.db && cp 1.db 3.db');
  assert.equal(made.signal, null, made.stderr);
  return { cwd, execute, end: () => mark.kill() };
}

let all;
before(async () => { all = await shownCommands(); });

test('each line that is shown as a command is one of a known program', () => assert.deepEqual(all.unknown, []));

test('commands that are not run are listed, and name files that exist', () => {
  for (const { shown, where } of all.shown) {
    if (/^([A-Z_]+=\S+ )?(scripts\/)?symbols( |$)/.test(shown)) continue;
    if (/^(source <\(symbols|git show .*\| symbols|git ls-files .*\| symbols)/.test(shown)) continue;
    for (const part of shown.split(' && ')) {
      assert.ok(others.some(([pattern]) => pattern.test(part)), `${where}: neither run nor listed in this test: ${part}`);
      for (const [file] of part.matchAll(/(?<![\w./-])(scripts|bench|tests|editors|packaging)\/[\w./-]+/g)) {
        assert.ok(existsSync(join(project, file)), `${where}: ${part}: there is no ${file}`);
      }
    }
  }
  const script = (name) => readFileSync(join(project, 'scripts', name), 'utf8');
  for (const { shown, where } of all.shown) {
    const [, name, rest] = /^scripts\/(setup|build|test|package|lint|fuzz|coverage|mutate)(.*)$/.exec(shown.split(' && ')[0]) ?? [];
    for (const [option] of (rest ?? '').matchAll(/--[\w-]+/g)) assert.ok(script(name).includes(option), `${where}: scripts/${name} has no ${option}`);
  }
});

test('each command of this program is run: in a project that has what it names, without a mistake', async (t) => {
  const { cwd, execute, end } = await preparedProject(t);
  t.after(end);
  const lines = new Map();
  const wrong = [];
  for (const { shown, where, output } of all.shown) {
    if (!/(^|[\s|(&])(scripts\/)?symbols( |$)/.test(shown) || others.some(([pattern]) => pattern.test(shown))) continue;
    if (/^([A-Z_]+=\S+ )?scripts\/symbols /.test(shown) && output !== undefined) {
      if (!comparedPages.includes(where)) wrong.push(`${where}: readme.test.mjs does not compare: ${shown}`);
      continue;
    }
    let line = shown.replace(/^scripts\/symbols/, 'symbols');
    for (const [pattern, text] of placeholders) line = line.replace(pattern, text);
    if (!lines.has(line)) lines.set(line, where);
  }
  assert.ok(lines.size > 80, String(lines.size));
  for (const [line, where] of lines) {
    const bare = line.trim();
    if (notRun.some(([pattern]) => pattern.test(bare))) continue;
    // The name of a command alone: there is one.
    const name = /^symbols(?: --[\w-]+)* ([a-z]+)$/.exec(bare)?.[1];
    if (name && commands.includes(name) && ['context', 'find', 'convert', 'proxy', 'completions', 'index'].includes(name)) {
      const { status } = await run([name, '-h']);
      if (status !== 0) wrong.push(`${where}: ${bare}: status ${status}`);
      continue;
    }
    const { status, signal, stderr } = await execute(bare);
    const allowed = mayFail.some(([pattern]) => pattern.test(bare)) ? status !== 2 : status === 0;
    if (signal !== null || !allowed) wrong.push(`${where}: ${bare}: status ${status ?? signal}: ${stderr.trim()}`);
    if (/--warm|SYMBOLS_WARM/.test(bare)) await execute('symbols warm --stop');
  }
  assert.deepEqual(wrong, []);

  // What is shown, where the machine matters little: … stands for anything.
  for (const { shown, where, output } of all.shown) {
    if (output === undefined || !/^symbols (--no-hover --include|context geometry)/.test(shown)) continue;
    const pattern = output.trim().replaceAll('/p/', `${cwd}/`).split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
    const { stdout } = await execute(shown);
    assert.match(stdout.trim(), new RegExp(`^${pattern}$`), `${where}: ${shown}`);
  }
});

test('every link leads to a file and a heading that exist, or has a well-formed https address', () => {
  const links = Object.entries(pages).flatMap(([path, text]) => linksOf(text).map((target) => ({ path, target })));
  assert.ok(links.length > 150, String(links.length));
  assert.deepEqual(links.map(({ path, target }) => ({ path, target, why: brokenLink(path, target) })).filter(({ why }) => why !== undefined), []);
  // The test can fail.
  assert.equal(brokenLink('docs/index.md', 'nowhere.md'), 'no such file');
  assert.match(brokenLink('docs/index.md', 'limits.md#nowhere'), /^no heading/);
  assert.match(brokenLink('README.md', 'http://example.com'), /https/);
});

// Pages that name files from another folder: where that is said.
const pathsFrom = { 'docs/security.md': ['tests'], 'docs/agents.md': readdirSync(join(project, 'editors')).map((name) => join('editors', name)) };
test('every path of the project that is named exists', () => {
  const missing = [];
  let count = 0;
  for (const [page, text] of Object.entries(pages)) {
    for (const word of inlineCode(text).flatMap((code) => code.split(' '))) {
      const [path] = /^(base|bench|cmake|docs|editors|fixtures|lsp|packaging|proxy|scripts|table|tests)\/[\w./-]+/.exec(word) ?? [];
      // NAME, COMMAND and * stand for anything, and what is installed is not there yet.
      if (path === undefined || /[A-Z]{4}|[*]|node_modules|debian-13/.test(word.replace('README', ''))) continue;
      ++count;
      const places = [path, ...['.cc', '.h'].map((end) => path + end)];
      const from = path.startsWith('scripts/') ? ['.'] : ['.', dirname(page), ...(pathsFrom[page] ?? [])];
      if (!from.some((folder) => places.some((place) => existsSync(join(project, folder, place))))) missing.push(`${page}: ${path}`);
    }
  }
  assert.ok(count > 100, String(count));
  assert.deepEqual(missing, []);
});

test('JSON that is shown can be read', () => {
  for (const [path, text] of Object.entries(pages)) {
    for (const { language, text: block } of blocksOf(text)) {
      if (language !== 'json' || /^ *…|…\]|: …|…$/m.test(block) || block.includes('\n    …')) continue;
      try {
        JSON.parse(/^\s*["']/.test(block) ? `{${block}}` : block);
      } catch (error) {
        assert.fail(`${path}: ${error.message}: ${block}`);
      }
    }
  }
});
