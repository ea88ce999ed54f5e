// Real servers on real files that nobody here wrote: every row agrees with what the server itself says when asked by a client
// that shares no code with the program.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { languageServers } from './language_servers.mjs';
import { askServer, inPreOrder, rangeText } from './plain_client.mjs';
import { cells, fixture, folder, run, serversFolder, sourcesFolder } from './program.mjs';

const zod = join(sourcesFolder, 'node_modules/zod/src/v3/types.ts');
const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal/Observable.ts');
const dom = join(serversFolder, 'node_modules/typescript/lib/lib.dom.d.ts');

/** Letters and digits of a text: what no flattening may add to, nor put into another order. */
const essence = (text) => text.replace(/[^\p{L}\p{N}]/gu, '');

/** All text of a raw hover. */
function hoverText(hover) {
  const part = (contents) => (typeof contents === 'string' ? contents : contents.value);
  return Array.isArray(hover.contents) ? hover.contents.map(part).join('\n') : part(hover.contents);
}

/** Whether the words of `flattened` all stand in `raw`; the servers' escapes and entities are told apart by essence. */
function comesFrom(flattened, raw) {
  const source = essence(raw.replace(/&(lt|gt|amp|nbsp|quot|#\d+);/g, ' '));
  return flattened.replace(/…$/, '').split(/\s+/).map(essence).every((word) => source.includes(word));
}

/** The first fenced code of a raw hover without clangd's comments and what a macro expands to, in one line. */
function signature(raw) {
  const code = /```[^\n]*\n([^]*?)\n```/.exec(raw.replaceAll('\r\n', '\n'))?.[1];
  return code?.replace(/\n\/\/ Expands to\n[^]*/, '').replace(/^\/\/ In .*$/gm, '').replace(/\\$/gm, '').replace(/\s+/g, ' ').trim();
}

/** Whether this code is not about the row: what an import names, a macro that is used, the parameter of a callback. */
function isOfAnother(code, name) {
  return code.startsWith('(alias) ') || code.startsWith('#define ') || (code.startsWith('(parameter) ') && !code.startsWith(`(parameter) ${name}`));
}

/**
 * Whether a hover starts with this code, or with as much of it as there is room for: parameters are left out before the result, and
 * what is before the name. Code over several lines has no spaces inside its parentheses.
 */
function tells(hover, code) {
  let rest = code.replace(/\( /g, '(').replace(/ \)/g, ')');
  if (hover.startsWith([...rest].slice(0, 199).join(''))) return true;
  const pieces = hover.split('…');
  for (const piece of pieces) {
    const [signature, ...prose] = piece.split(' - ');
    const at = rest.indexOf(signature.trim());
    if (at < 0) return false;
    rest = rest.slice(at + signature.trim().length);
    if (prose.length > 0) break;
  }
  return pieces.length > 1;
}

/** The raw hover results of a --log, by position ("line:character"). */
function loggedHovers(log) {
  const positions = new Map();
  const hovers = new Map();
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, arrow, body] = /^\S+ \S+ (-->|<--) (.*)$/.exec(line) ?? [];
    const message = body && JSON.parse(body);
    if (arrow === '-->' && message.method === 'textDocument/hover') {
      positions.set(message.id, `${message.params.position.line}:${message.params.position.character}`);
    } else if (arrow === '<--' && message.method === undefined && positions.has(message.id)) {
      hovers.set(positions.get(message.id), message.result ?? null);
    }
  }
  return hovers;
}

/**
 * Compares a run of the program with two things: the symbols that the plain client was given, and the hovers that the server
 * gave the program itself. (TypeScript 7 answers in parallel, and how it names a type parameter depends on what it was asked
 * before, so two sessions' hovers are alike but not always the same.)
 */
async function compare(t, { server, file, symbols: expected }) {
  const { command, args, language, initializationOptions } = languageServers[server];
  const option = server === 'typescript-language-server' ? ['--server', server] : [];
  const raw = await askServer(command, args, file, language, initializationOptions);
  const log = join(folder(t), 'log');
  const { status, stdout, stderr } = await run([...option, '--root', dirname(file), '--log', log, file]);
  assert.equal(status, 0, stderr);
  const given = loggedHovers(log);
  const rows = cells(stdout);
  const symbols = inPreOrder(raw.symbols);
  assert.equal(symbols.length, expected);
  assert.equal(rows.length, expected);
  let empty = 0;
  let different = 0;
  rows.forEach(([name, kind, range, selection, parent, hover, end], i) => {
    const symbol = symbols[i];
    assert.deepEqual([name, kind, range, selection, parent.replace(/\^\d+$/, '')],
      [Buffer.from(symbol.name, 'utf8').toString('utf8'), String(symbol.kind), rangeText(symbol.range), rangeText(symbol.selectionRange), symbol.parent]);
    assert.equal(end, '<<<');
    const own = given.get(`${symbol.selectionRange.start.line}:${symbol.selectionRange.start.character}`);
    assert.notEqual(own, undefined, `${name} was not asked about`);
    if (JSON.stringify(own) !== JSON.stringify(raw.hovers[i])) ++different;
    const rawHover = own === null ? '' : hoverText(own);
    if (rawHover === '') assert.equal(hover, '', `${name}: a hover from nowhere`);
    else assert.ok(comesFrom(hover, rawHover), `${name}: ${hover}\nis not in\n${rawHover}`);
    assert.ok([...hover].length <= 200);
    const code = signature(rawHover);
    if (code && isOfAnother(code, name)) assert.equal(hover, '', `${name}: ${hover}`);
    else if (code && code !== `namespace ${name} {}`) assert.ok(tells(hover, code), `${name}: ${hover}\ndoes not start with\n${code}`);
    if (hover === '' && !(code && isOfAnother(code, name))) ++empty;
  });
  assert.ok(different <= expected * 0.02, `${different} of ${expected} hovers are not those that another client gets`);
  return empty;
}

const cases = [
  { server: 'clangd', file: '/usr/include/nlohmann/json.hpp', symbols: 320 },
  { server: 'clangd', file: fixture('geometry.cpp'), symbols: 15 },
  { server: 'TypeScript 7', file: zod, symbols: 1992 },
  { server: 'TypeScript 7', file: rxjs, symbols: 65 },
  { server: 'TypeScript 7', file: fixture('geometry.ts'), symbols: 25 },
  { server: 'typescript-language-server', file: rxjs, symbols: 51 },
  { server: 'typescript-language-server', file: fixture('geometry.ts'), symbols: 25 },
];
for (const { server, file, symbols } of cases) {
  test(`${server} on ${file.split('/').slice(-3).join('/')}: ${symbols} rows as the server has them`, async (t) => {
    assert.ok(existsSync(file));
    const empty = await compare(t, { server, file, symbols });
    assert.ok(empty < symbols * 0.15, `${empty} of ${symbols} hovers are empty`);
  });
}

test('lib.dom.d.ts: all of its symbols, in order', async () => {
  const { status, stdout, stderr } = await run(['--no-hover', '--server', 'typescript-language-server', dom]);
  assert.equal(status, 0, stderr);
  const rows = cells(stdout);
  assert.equal(rows.length, 11202);
  const names = new Set(rows.map(([name]) => name));
  for (const name of ['HTMLElement', 'addEventListener', 'onclick', 'querySelector']) assert.ok(names.has(name), name);
});

test('clangd: extensions that its compiler does not know', async (t) => {
  const names = ['a.h++', 'a.inl', 'a.ipp', 'a.tpp', 'a.txx', 'a.cuh', 'flags/a.ipp'];
  const cwd = folder(t, { ...Object.fromEntries(names.map((name) => [name, 'namespace n { int f(); }\n'])),
    'm.ixx': 'export module m;\nexport int f();\n', 'flags/compile_flags.txt': '-std=c++20\n' });
  const { status, stdout, stderr } = await run(['--no-hover', '--match', '^f$', ...names, 'm.ixx'], { cwd });
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout.match(/^f \| 12 \| 0:14-21 \| 0:18-19 \| n$/gm)?.length, names.length, stdout);
  assert.match(stdout, /^f \| 12 \| 1:7-14 \| 1:11-12 \| $/m);
});

test('several languages in one call', async () => {
  const files = [fixture('geometry.cpp'), fixture('geometry.ts'), rxjs];
  const { status, stdout, stderr } = await run(['--no-hover', ...files]);
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.match(/(?<===> ).*(?= <==)/g), files);
});
