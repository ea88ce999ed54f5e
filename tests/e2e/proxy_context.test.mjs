// symbols.context: everything about one symbol in one answer, from real servers and from a scripted one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { frameSplitter, frame } from './lsp_stream.mjs';
import { fixture, folder, serversFolder, start } from './program.mjs';
import { capabilities, hoverSaying, position, range, scenario, symbolsNamed } from './scenario.mjs';

const scope = join(serversFolder, 'node_modules', '@typescript');
const tsc = join(scope, readdirSync(scope).find((name) => name.startsWith('typescript-')), 'lib', 'tsc');

/** A session of its own with a real server behind the proxy, and `source` as the file `name`, open. */
async function realSession(t, server, name, languageId, source) {
  // clangd reads the whole standard library for its index, and ends no sooner.
  const path = join(folder(t, { [name]: source, '.clangd': 'Index: { StandardLibrary: No }\n' }), name);
  const uri = pathToFileURL(path).href;
  const proxy = start(['proxy', '--', ...server], { keepInput: true, drop: true });
  t.after(() => proxy.kill('SIGKILL'));
  const waiting = new Map();
  const published = [];
  const write = (message) => proxy.stdin.write(frame(JSON.stringify({ jsonrpc: '2.0', ...message })));
  proxy.stdout.on('data', frameSplitter((header, body) => {
    const message = JSON.parse(body.toString('utf8'));
    if (message.method === 'textDocument/publishDiagnostics') published.push(message.params);
    else if (message.method !== undefined && message.id !== undefined) {
      write({ id: message.id, result: message.method === 'workspace/configuration' ? message.params.items.map(() => null) : null });
    } else if (message.id !== undefined) waiting.get(message.id)?.(message);
  }));
  let count = 0;
  const request = (method, params) => new Promise((resolve) => {
    waiting.set(++count, resolve);
    write({ id: count, method, params });
  });
  const initialized = await request('initialize', {
    processId: null, rootUri: pathToFileURL(join(path, '..')).href,
    capabilities: { textDocument: { publishDiagnostics: {}, diagnostic: {}, callHierarchy: {} } },
  });
  write({ method: 'initialized', params: {} });
  write({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId, version: 1, text: source } } });
  return {
    path, uri, published, commands: initialized.result.capabilities.executeCommandProvider.commands,
    context: (argument) => request('workspace/executeCommand', {
      command: 'symbols.context', arguments: [{ textDocument: { uri }, ...argument }],
    }),
    symbols: (params) => request('textDocument/documentSymbol', { textDocument: { uri }, ...params }),
    async finish() {
      await request('shutdown');
      write({ method: 'exit' });
      await proxy.finished;  // with the status of the server, whose own affair that is
    },
  };
}

/** Its headings, each with the lines below it; the table under ''. */
function sections(text) {
  const parts = { '': [] };
  let lines = parts[''];
  for (const line of text.split('\n')) {
    if (line.startsWith('# ') && !line.includes(' | ')) parts[line.slice(2)] = lines = [];
    else lines.push(line);
  }
  return parts;
}

const geometry = (name) => readFileSync(fixture(name), 'utf8');

test('clangd: a function by name and by position, and a class', async (t) => {
  const session = await realSession(t, ['clangd-19'], 'geometry.cpp', 'cpp', `${geometry('geometry.cpp')}int broken = undeclared;\n`);
  assert.deepEqual(session.commands.slice(-2), ['symbols.documentSymbols', 'symbols.context']);
  const { result } = await session.context({ name: 'calculate_area' });
  assert.deepEqual([result.success, result.format, result.meta], [true, 'table', undefined]);
  const parts = sections(result.symbols);
  assert.deepEqual(Object.keys(parts), ['', 'source 9:0-77', 'references 1, open files only', 'callers 1, open files only', 'diagnostics 1']);
  assert.equal(parts[''].length, 2);
  assert.match(parts[''][1], /^calculate_area \| 12 \| 9:0-77 \| 9:7-21 \| geometry \| double calculate_area\(double width, double height\) - .*the area, in square units.* \| <<<$/);
  assert.deepEqual(parts['source 9:0-77'], ['9:double calculate_area(double width, double height) { return width * height; }']);
  assert.deepEqual(parts['references 1, open files only'], [`${session.path} | 35:35-49`]);
  assert.deepEqual(parts['callers 1, open files only'], [`main | 12 | 33:4-8 | 35:35-49 | ${session.path}`]);
  assert.match(parts['diagnostics 1'][0], /^37:13-23 \| error \| .*undeclared.* \| clang undeclared_var_use$/);

  const same = await session.context({ position: position(9, 9) });
  assert.deepEqual(same.result, result);
  const inside = await session.context({ position: position(9, 60) });
  assert.deepEqual(inside.result, result);

  const point = sections((await session.context({ name: 'Point', include: ['references:2', 'source:3'] })).result.symbols);
  assert.equal(point[''].length, 5);
  assert.match(point[''][4], /^operator\\\|\\\| \| 6 \| .* \| Point \| /);
  assert.deepEqual(Object.values(point)[1], ['11:struct Point {', '12:  double x = 0;', '13:  double y = 0;']);

  const budget = (await session.context({ name: 'Point', max_tokens: 100 })).result;
  assert.match(budget.meta.truncated, /^\d+ -> \d+ tokens; dropped: \d+ hovers of children/);
  assert.ok(budget.symbols.endsWith(`\n# truncated: ${budget.meta.truncated}`), budget.symbols);

  const document = (await session.symbols({ include: 'diagnostics', format: 'tree' })).result;
  assert.match(document.diagnostics, /^# diagnostics 1\n37:13-23 \| error \| .*undeclared.* \| clang undeclared_var_use$/);
  assert.ok(!document.symbols.includes('diagnostics'));

  const { error } = await session.context({ name: 'area_' });
  assert.equal(error.code, -32803);
  assert.match(error.message, /no symbol called "area_"/);
  await session.finish();
});

test('TypeScript 7: by position and by name', async (t) => {
  const session = await realSession(t, [tsc, '--lsp', '--stdio'], 'geometry.ts', 'typescript', `${geometry('geometry.ts')}const broken: number = "text";\n`);
  const { result } = await session.context({ position: position(22, 20) });
  const parts = sections(result.symbols);
  assert.match(parts[''][1], /^calculateArea \| 12 \| 2\d:0-2\d:1 \| 2\d:16-29 \|  \| function calculateArea\(width: number, height: number\): number - Calculates the area/);
  const name = (word) => Object.keys(parts).find((heading) => heading.startsWith(word));
  assert.match(parts[name('source')][0], /^\d+:export function calculateArea\(/);
  assert.equal(parts[name('source')].length, 4);
  assert.equal(name('references'), 'references 1');
  assert.match(parts['references 1'][0], /geometry\.ts \| \d+:11-24$/);
  assert.equal(name('callers'), 'callers 1');
  assert.match(parts['callers 1'][0], /^area \| \d+ \| \d+:\d+-\d+ \| \d+:11-24 \| \/.*geometry\.ts$/);
  assert.match(parts[name('diagnostics')][0], /^\d+:6-12 \| error \| Type 'string' is not assignable to type 'number'\. \| .*2322$/);
  assert.equal(result.meta, undefined);

  const document = (await session.symbols({ include: ['diagnostics:5'] })).result;
  assert.match(document.diagnostics, /^# diagnostics 2\n\d+:6-12 \| error \| Type 'string' is not assignable to type 'number'\. \| ts 2322\n.* \| hint \| /);

  const rectangle = (await session.context({ name: 'Rectangle', include: 'references:0,callers:0,diagnostics:0,source:0' })).result.symbols;
  const rows = rectangle.split('\n');
  assert.match(rows[1], /^Rectangle \| 5 \| /);
  assert.ok(rows.length > 4 && rows.slice(2).every((row) => row.includes(' | Rectangle | ')), rectangle);

  const several = await session.context({ name: 'area' });
  assert.equal(several.error.code, -32803);
  assert.match(several.error.message, /^symbols\.context: 3 symbols are called "area", at 23:8, 36:6, 51:6 .*give the position/);
  await session.finish();
});

const a = 'file:///nonexistent/a.x';
const text = 'x alpha\nx beta\nx gamma\n';

async function ask({ client, server }, argument) {
  client.open(a, text);
  await server.receives('textDocument/didOpen');
  const answer = client.request('workspace/executeCommand', { command: 'symbols.context', arguments: [{ textDocument: { uri: a }, ...argument }] });
  const symbols = await server.receives('textDocument/documentSymbol');
  assert.deepEqual(symbols.params, { textDocument: { uri: a } });
  return { answer, symbols };
}

scenario('a server without call hierarchy: that part is named, the others are there', async (session) => {
  const { client, server } = session;
  await session.initialize({}, { capabilities: { ...capabilities, referencesProvider: true } });
  const diagnostics = [{ range: range(1, 2, 6), severity: 2, message: 'odd | beta\n# references 99' }];
  server.notify('textDocument/publishDiagnostics', { uri: a, diagnostics: [] });
  server.notify('textDocument/publishDiagnostics', { uri: a, diagnostics });
  await client.receives('textDocument/publishDiagnostics');
  assert.deepEqual((await client.receives('textDocument/publishDiagnostics')).params, { uri: a, diagnostics });
  const { answer, symbols } = await ask(session, { name: 'beta' });
  server.reply(symbols.id, symbolsNamed(['alpha', 'beta', 'gamma']));
  server.reply((await server.receives('textDocument/hover')).id, hoverSaying('hover of beta'));
  const references = await server.receives('textDocument/references');
  assert.deepEqual(references.params, { textDocument: { uri: a }, position: position(1, 2), context: { includeDeclaration: false } });
  server.reply(references.id, Array.from({ length: 12 }, (_, i) => ({ uri: a, range: range(i, 0, 1) })));
  const { result } = await answer;
  assert.deepEqual(result.meta, { _callers_error: 'not offered by the server' });
  assert.equal(result.symbols, `NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL
beta | 12 | 1:0-20 | 1:2-6 |  | hover of beta | <<<
# source 1:0-20
1:x beta
# references 10 of 12
/nonexistent/a.x | 0:0-1 1:0-1 2:0-1 3:0-1 4:0-1 5:0-1 6:0-1 7:0-1 8:0-1 9:0-1
# callers: not offered by the server
# diagnostics 1
1:2-6 | warning | odd \\| beta\\n# references 99`);
}, { initialized: false });
