// The documents: every link leads somewhere, every command of this program that they or its help show is run, or listed here with the
// reason why it is not, and every test that they name exists. Output that is shown is compared here, or in readme.test.mjs.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { programFolder, serverSettings } from './language_servers.mjs';
import { fixture, folder, marked, project, run, sourcesFolder } from './program.mjs';

/** The Markdown of these folders, by path from the project's root; not of other people's packages. */
function markdownIn(folder, depth = 3) {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 && !/^(node_modules|\.|build|dist)/.test(entry.name) ? markdownIn(path, depth - 1) : [];
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
const pages = Object.fromEntries(
  [...readdirSync(project).filter((name) => name.endsWith('.md')), ...['docs', 'editors', 'packaging'].flatMap((folder) => markdownIn(folder))]
    .map((path) => [path, readFileSync(join(project, path), 'utf8')]));

const fence = /^( *)```(\w*)\n([^]*?)^ *```$/gm;
const withoutBlocks = (text) => text.replace(fence, '');

const blocksOf = (text) => [...text.matchAll(fence)].map(([, indent, language, body]) =>
  ({ language, text: body.replace(new RegExp(`^${indent}`, 'gm'), '') }));

/** What stands between backticks in the text, on one line. */
const inlineCode = (text) =>
  [...withoutBlocks(text).matchAll(/(`+)([^]+?)\1(?!`)/g)].map(([, , code]) => code.replace(/\s+/g, ' ').trim());

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(text) {
  const counts = new Map();
  return [...withoutBlocks(text).matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading]) => {
    const slug = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').trim().replace(/ /g, '-');
    const times = counts.get(slug) ?? 0;
    counts.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
}

const linksOf = (text) =>
  [...withoutBlocks(text).replace(/(`+)[^]+?\1(?!`)/g, '').matchAll(/\]\(([^()\s]+(?:\([^()\s]*\))?)\)|^\[[^\]]+\]: *(\S+)$|\b(?:src|href)="([^"]+)"/gm)].map((found) => found[1] ?? found[2] ?? found[3]);

/** Why this link of the page at `path` leads nowhere, or undefined. */
function brokenLink(path, target) {
  if (/^[a-z]+:/.test(target)) {
    const url = URL.canParse?.(target) ?? true ? new URL(target) : undefined;
    return url?.protocol === 'https:' && /^[\w-]+(\.[\w-]+)+$/.test(url.hostname) ? undefined : 'no well-formed https address';
  }
  const [file, anchor] = target.split('#');
  const found = file === '' ? path : relative(project, join(project, dirname(path), decodeURI(file)));
  if (found.startsWith('..') || !existsSync(join(project, found))) return 'no such file';
  if (anchor !== undefined && !anchorsOf(pages[found] ?? '').includes(anchor)) return `no heading #${anchor} in ${found}`;
  return undefined;
}

// Commands of this program that are not run, or of which more than the status is not looked at.
const notRun = [
  [/^symbols index --watch$/, 'does not end by itself: index_watch.test.mjs runs it'],
  [/^symbols completions fish \| source$/, 'a command of fish: completions.test.mjs runs it'],
  [/^symbols$/, 'the name of the program'],
  [/^symbols mcp( |$)/, 'a server, whose input has to be open: mcp.test.mjs runs it'],
  [/^symbols(?: --[\w-]+)* (context|find|convert|proxy|completions|index)$/, 'the name of a command that needs more words, or takes long'],
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
  [/^symbols (impact( main| --staged|$)|check)/, 'the project of the test is no repository'],
  [/^symbols find lrucache/, 'the project of the test has no such name'],
];

const commands = ['servers', 'config', 'doctor', 'context', 'setup', 'proxy', 'mcp', 'warm', 'convert', 'index', 'find', 'map', 'rename', 'impact', 'check', 'completions'];
const isOurs = (line) => /^([A-Z_]+=\S+ )?(scripts\/)?symbols( |$)|^(source <\(|git .*\| )symbols /.test(line);
const shells = ['', 'sh', 'bash', 'shell', 'console'];
const command = (line) => line.replace(/^\$ /, '').replace(/ {2,}.*$| # .*$/, '').trim();

/** { shown, where, output } of each command of this program in the pages and in its own help. */
async function shownCommands() {
  const shown = [];
  for (const [where, text] of Object.entries(pages)) {
    for (const { language, text: block } of blocksOf(text)) {
      if (!shells.includes(language) || block.startsWith('#!')) continue;
      if (/^\$ /m.test(block)) {
        for (const part of block.split(/^(?=\$ )/m)) {
          const [first, ...rest] = part.split('\n');
          shown.push({ shown: command(first), where, output: rest.join('\n') });
        }
      } else {
        for (const line of block.replace(/\\\n */g, ' ').split('\n')) shown.push({ shown: command(line), where });
      }
    }
    for (const code of inlineCode(text)) shown.push({ shown: code, where });
  }
  for (const name of ['', ...commands]) {
    const { stdout } = await run([...(name ? [name] : []), '--help']);
    const examples = /^Examples:\n((?: {2}.*\n)+)/m.exec(stdout);
    assert.ok(examples, `symbols ${name} --help has examples`);
    for (const line of examples[1].trimEnd().split('\n')) shown.push({ shown: command(line.trim()), where: `symbols ${name} --help` });
  }
  return shown.filter(({ shown: line }) => isOurs(line));
}

const source = `export interface Shape { perimeter(): number; }
export class Table { open(path: string): boolean { return path !== ''; } }
export class Cache {}
export class HoverCache extends Cache {}
export class Circle { area(): number { return 3; } }
${'\n'.repeat(16)}/** Calculates an area. */
export function calculateArea(width: number, height: number): number {
  const product = width * height;
  return product;
}
export const total = calculateArea(1, 2) + new Circle().area();
`;

/** The project in which the commands are run: all that they name is there, and a home and a PATH of a user. */
async function preparedProject(t) {
  const cwd = folder(t, {
    'src/app.ts': source, 'app.ts': 'export const app = 1;\n', 'tsconfig.json': '{}', 'include/app.hpp': '#pragma once\nint area();\n', 'src/main.cc': '#include "../include/app.hpp"\nint area() { return 1; }\n',
    'lib.py': 'def area():\n    return 1\n', 'src/app.py': 'def area():\n    return 1\n', 'notes.my': 'notes\n', 'bad.cpp': 'int broken = undeclared;\n',
    'settings.json': '{}', 'fixtures/other.ts': '', '.gitignore': '/fixtures/\n',
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

test('each command of this program is run: in a project that has what it names, without a mistake', async (t) => {
  const all = await shownCommands();
  const { cwd, execute, end } = await preparedProject(t);
  t.after(end);
  const lines = new Map();
  const wrong = [];
  for (const { shown, where, output } of all) {
    if (/^([A-Z_]+=\S+ )?scripts\/symbols /.test(shown) && output !== undefined) continue;  // readme.test.mjs compares it
    let line = shown.replace(/^scripts\/symbols/, 'symbols');
    for (const [pattern, text] of placeholders) line = line.replace(pattern, text);
    if (!lines.has(line)) lines.set(line, where);
  }
  assert.ok(lines.size > 80, String(lines.size));
  for (const [line, where] of lines) {
    const bare = line.trim();
    if (notRun.some(([pattern]) => pattern.test(bare))) continue;
    const { status, signal, stderr } = await execute(bare);
    const allowed = mayFail.some(([pattern]) => pattern.test(bare)) ? status !== 2 : status === 0;
    if (signal !== null || !allowed) wrong.push(`${where}: ${bare}: status ${status ?? signal}: ${stderr.trim()}`);
    if (/--warm|SYMBOLS_WARM/.test(bare)) await execute('symbols warm --stop');
  }
  assert.deepEqual(wrong, []);

  // What is shown, where the machine matters little: … stands for anything.
  for (const { shown, where, output } of all) {
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
});

// Pages that name files from another folder: where that is said.
const pathsFrom = { 'docs/security.md': ['tests'], 'docs/agents.md': readdirSync(join(project, 'editors')).map((name) => join('editors', name)) };
test('every path of the project that is named exists', () => {
  const missing = [];
  let count = 0;
  for (const [page, text] of Object.entries(pages)) {
    const blocks = blocksOf(text).filter(({ language }) => shells.includes(language)).map((block) => block.text);
    for (const word of [...inlineCode(text), ...blocks].flatMap((code) => code.split(/\s+/))) {
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

/** A JSON text that is shown; that of members is taken for their object. */
const parsed = (text, visit) => JSON.parse(/^\s*["']/.test(text) ? `{${text}}` : text, visit);

test('JSON that is shown can be read', () => {
  for (const [path, text] of Object.entries(pages)) {
    for (const { language, text: block } of blocksOf(text)) {
      if (language !== 'json' || /^ *…|…\]|: …|…$/m.test(block) || block.includes('\n    …')) continue;
      assert.doesNotThrow(() => parsed(block), `${path}: ${block}`);
    }
  }
});

/** The command lines of this program in a JSON text. */
function commandsIn(text) {
  const found = [];
  parsed(text, (key, value) => {
    if (Array.isArray(value) && (value.includes('proxy') || value.includes('mcp'))) found.push(value.join(' '));
    return value;
  });
  return found;
}

test('the command lines in JSON that READMEs of editors/ have for copying are those of the files beside them', () => {
  let count = 0;
  for (const name of readdirSync(join(project, 'editors'))) {
    const snippets = blocksOf(pages[`editors/${name}/README.md`]).filter(({ language, text }) => language === 'json' && /"proxy"|"mcp"\]/.test(text));
    if (snippets.length === 0) continue;
    // setup.json is filled in by symbols setup.
    const files = readdirSync(join(project, 'editors', name), { recursive: true }).filter((file) => file.endsWith('.json') && !/package|^setup|node_modules/.test(file));
    const shipped = files.flatMap((file) => commandsIn(readFileSync(join(project, 'editors', name, file), 'utf8')));
    for (const line of snippets.flatMap(({ text }) => commandsIn(text))) {
      ++count;
      assert.ok(shipped.includes(line), `${name}/README.md: in no file: ${line}`);
    }
  }
  assert.ok(count >= 12, String(count));
});

const security = pages['docs/security.md'];
const code = /`((?:e2e|fuzz|lsp|table|proxy)\/[a-z0-9_/]+(?:\.test\.mjs|_test\.cc|\.cc))`/g;

test('each line of docs/security.md says what holds it, and each test that it names exists', () => {
  const lines = security.split('\n').filter((line) => /^\| (?!It cannot|They cannot|Input|---)/.test(line) && line.split(' | ').length === 2);
  assert.ok(lines.length > 20, `${lines.length} lines`);
  for (const line of lines) assert.match(line.split(' | ')[1], /`|\[limits\]/, line);
  let names = 0;
  // A file, and the names behind it in quotes.
  for (const [, file, said] of security.matchAll(new RegExp(`${code.source}((?:,? "[^"]+")*)`, 'g'))) {
    const path = join(project, 'tests', file);
    assert.ok(existsSync(path), `no ${file}`);
    const text = readFileSync(path, 'utf8');
    for (const [, name] of said.matchAll(/"([^"]+)"/g)) {
      ++names;
      const line = text.split('\n').some((each) => /test\(|TEST_CASE\(|scenario\(/.test(each) && each.includes(name));
      assert.ok(line, `${file} has no test "${name}"`);
    }
  }
  assert.ok(names > 15, `${names} names`);
});
