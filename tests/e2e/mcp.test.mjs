// `symbols mcp` with real servers: its tools, what they may read, wrong messages, ends.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually, fixture, folder, hangLimit, marked, run, sourcesFolder } from './program.mjs';
import { serverSettings } from './language_servers.mjs';
import { mcp, modernMeta } from './mcp_session.mjs';
import { dice, mutated } from './mutated_messages.mjs';

const python = 'import os\n\n\nclass Tool:\n    """A tool."""\n\n    def use(self, times: int) -> str:\n        return os.sep * times\n\n\ndef run() -> str:\n    return Tool().use("x")\n';

/** A project in three languages, and an environment with a cache of its own. */
function project(t) {
  const cwd = folder(t, {
    'package.json': '{}',
    'compile_flags.txt': '-std=c++20\n',
    'pyproject.toml': '',
    'src/geometry.ts': readFileSync(fixture('geometry.ts')),
    'src/geometry.cpp': readFileSync(fixture('geometry.cpp')),
    'py/tool.py': python,
  });
  const home = folder(t, Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [`config/${name}`, text])));
  const PATH = `${join(sourcesFolder, 'node_modules/.bin')}:${process.env.PATH}`;
  return { cwd, env: { PATH, XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config') } };
}

test('every tool, in three languages, and again from what is kept', async (t) => {
  const { cwd, env } = project(t);
  const client = await mcp(t, { cwd, env });
  assert.equal(client.serverInfo.serverInfo.name, 'symbols');
  const { tools } = (await client.request('tools/list')).result;
  assert.deepEqual(tools.map((tool) => tool.name), ['outline', 'find', 'context', 'map', 'diagnostics', 'hover']);
  for (const tool of tools) {
    assert.equal(tool.annotations.readOnlyHint, true);
    assert.equal(tool.inputSchema.additionalProperties, false);
    // Strict readers of schemas, such as Gemini CLI's, complain about an argument with several types.
    for (const { type } of Object.values(tool.inputSchema.properties)) assert.equal(typeof type, 'string');
  }

  const outline = await client.call('outline', { paths: ['src/geometry.ts', 'src/geometry.cpp', 'py'] });
  const cold = await run(['--format', 'tree', '--verbosity', 'minimal', '--max-tokens', '5000', 'src/geometry.ts', 'src/geometry.cpp', 'py'], { cwd, env });
  const counted = /^# 23 symbols: .*; \d levels\n/m;
  assert.match(outline, counted);
  assert.equal(outline.replace(counted, ''), cold.stdout.trimEnd());
  assert.equal(await client.call('outline', { paths: ['src/geometry.ts', 'src/geometry.cpp', 'py'] }), outline);
  assert.match(await client.call('outline', { paths: 'src/geometry.cpp', verbosity: 'signatures', kind: ['Function'] }), /f10 calculate_area\(double, double\) -> double/);
  for (const children of ['no', '2', 2]) {
    assert.match(await client.call('outline', { paths: ['src/geometry.cpp'], children }), children === 'no' ? /^n2-32 geometry f34 main$/ : / f10 calculate_area /);
  }
  assert.match(await client.call('outline', { paths: ['py/tool.py'], verbosity: 'full' }), /c4-8 Tool.*\tclass Tool\(\) - A tool\./);

  assert.match(await client.call('find', { query: 'Rectangle' }), /\nsrc\/geometry\.ts:28 \| Class \|  \| Rectangle/);
  assert.match(await client.call('find', { query: 'Tool.use', kind: ['Method'] }), /\npy\/tool\.py:7 \| Method \| Tool \| use$/);
  assert.match(await client.call('map'), /^py\/\n tool\.py: Tool\{use\b.*\nsrc\/\n geometry\.cpp: /);
  assert.match(await client.call('map', { folder: 'py', max_tokens: 200 }), /^py\/\n tool\.py: [^\n]*$/);

  const context = await client.call('context', { name: 'Rectangle' });
  assert.match(context, /^c28-44 Rectangle.*\tclass Rectangle\n/);
  assert.match(context, /\n# source src\/geometry\.ts:28-44\n export class Rectangle/);
  assert.match(context, /\n# references 4, whole project\nsrc\/geometry\.ts: 15 33 41 42\n# callers 1, whole project\nscale src\/geometry\.ts:41: 42\n/);
  assert.equal(await client.call('context', { path: 'src/geometry.ts', line: 28 }), context);
  assert.match(await client.call('context', { path: 'py/tool.py', name: 'run', source: 0, references: 0 }), /\n# callers 0, whole project\n# diagnostics\n1 diagnostic:\n12:23 {2}error {2}Argument of type/);
  assert.match(await client.call('hover', { path: 'src/geometry.cpp', line: 10 }), /^f10 calculate_area.*\tdouble calculate_area\(double width, double height\) - Calculates the area of a rectangle\./);
  assert.match(await client.call('diagnostics', { paths: ['py/tool.py'] }), /^py\/tool\.py: 1 diagnostic:\n12:23 {2}error {2}Argument of type/);
  assert.equal(await client.call('diagnostics', { paths: ['src/geometry.ts'] }), 'no diagnostics in 1 file');

  // The same arguments to another tool are another question.
  const rectangle = { path: 'src/geometry.ts', name: 'Rectangle' };
  const about = await client.call('context', rectangle);
  assert.match(about, /\n# source src\/geometry\.ts:28-44\n/);
  assert.doesNotMatch(await client.call('hover', rectangle), /# source/);
  assert.equal(await client.call('context', rectangle), about);

  // What is answered is what is on disk now.
  appendFileSync(join(cwd, 'src/geometry.ts'), 'export function addedLater() {}\n');
  assert.match(await client.call('find', { query: 'addedLater' }), /src\/geometry\.ts:61 \| Function/);
  assert.match(await client.call('outline', { paths: ['src/geometry.ts'], match: 'Later' }), /f61 addedLater/);
  const { status, stderr } = await client.close();
  assert.deepEqual([status, stderr], [0, '']);
});

test('an answer keeps to its budget and says how to get the rest', async (t) => {
  const { cwd, env } = project(t);
  const client = await mcp(t, { cwd, env });
  assert.match(await client.call('outline', { paths: ['src/geometry.ts'], max_tokens: 60 }), /\n# truncated: \d+ -> \d+ tokens; .*\n# to see more: narrow it with kind, match/);
  writeFileSync(join(cwd, 'src/many.ts'), Array.from({ length: 400 }, (_, i) => `export const wrong${i}: string = ${i};\n`).join(''));
  // A context found by its name has the same budget as one found by its place.
  writeFileSync(join(cwd, 'src/long.ts'), `export function long() {\n${'  console.log("a line of a function that is long");\n'.repeat(900)}}\n`);
  const long = await client.call('context', { name: 'long', source: 10_000, max_tokens: 30_000 });
  assert.equal(long, await client.call('context', { path: 'src/long.ts', line: 1, source: 10_000, max_tokens: 30_000 }));
  assert.ok(long.split('a line of a function').length === 901 && !long.includes('truncated'), long.slice(-300));
  assert.match(await client.call('context', { name: 'long', source: 10_000, max_tokens: 100 }), /\n# to see more: give max_tokens, or limits for source, /);
  // Notes of an answer are cut at the end of a line, and name what the tool has.
  const found = await client.call('find', { query: 'a', limit: 1 });
  assert.match(found, /\nnote: only the first 1 are shown; more: a larger limit(\n# truncated: .*)?$/m);
  const text = await client.call('diagnostics', { paths: ['src/many.ts'], limit: 1000 });
  assert.match(text, /\n# truncated: the rest; ask about fewer paths$/);
  assert.ok(text.length < 40_000, `${text.length}`);
});

test('mistakes are told so that the next call is right', async (t) => {
  const { cwd, env } = project(t);
  const client = await mcp(t, { cwd, env });
  const cases = [
    ['outline', {}, /^no paths are given; give files or folders: /],
    ['outline', { path: ['a'] }, /^there is no argument "path" \(did you mean paths\?\); the arguments are paths, children, verbosity, /],
    ['outline', { paths: [7] }, /^paths cannot be .*; give a list of strings/],
    ['outline', { paths: ['src/geometry.ts'], verbosity: 'standard' }, /^verbosity cannot be "standard"; give minimal, signatures or full$/],
    ['outline', { paths: ['src/geometry.ts'], max_tokens: 3 }, /^max_tokens cannot be .*; give a whole number from 50 to 100000/],
    ['outline', { paths: ['src/geometry.ts'], match: '(' }, /^match cannot be /],
    ['outline', { paths: ['src/none.ts'] }, /^"src\/none\.ts" is not in "/],
    ['outline', { paths: ['package.json2'] }, /is not in/],
    ['outline', { paths: Array.from({ length: 1001 }, (_, i) => `src/f${i}.ts`) }, /paths has 1001 entries, and the limit is 1000; give a folder/],
    ['find', {}, /^no query is given; /],
    ['context', {}, /^neither a name nor a line is given; /],
    ['context', { path: 'src/geometry.ts', name: 'Rectangel' }, /there is no symbol called "Rectangel".*\nsrc\/geometry\.ts:28:14 {2}Class Rectangle$/],
    ['context', { name: 'area' }, /^3 symbols are called "area"; ask for one of them by its place:\nsrc\/geometry\.cpp:25 {2}Method area in Circle {2}Number area\(\) const [^\n]*\n/],
    ['context', { line: 4 }, /^a line needs a path; /],
    ['hover', { path: 'src/geometry.ts', name: 'a', line: 1 }, /^both a name and a line are given; /],
    ['map', { folder: 'nowhere' }, /^"nowhere" is not in /],
  ];
  for (const [tool, args, expected] of cases) {
    const answer = await client.call(tool, args);
    assert.match(answer.error ?? `no error: ${answer}`, expected);
  }
  await assert.rejects(client.call('outlin', {}), /-32602 unknown tool: "outlin"; the tools are outline, find, /);
});

test('nothing outside of the roots is read', async (t) => {
  const outside = folder(t, { 'secret.ts': 'export const secret = 1;\n', 'package.json': '{}' });
  const other = folder(t, { 'other.ts': 'export const other = 1;\n', 'package.json': '{}' });
  const { cwd, env } = project(t);
  symlinkSync(join(outside, 'secret.ts'), join(cwd, 'link.ts'));
  symlinkSync(outside, join(cwd, 'folder'));
  const wanted = [join(outside, 'secret.ts'), 'link.ts', 'folder/secret.ts', 'folder', `../${outside.split('/').pop()}/secret.ts`,
    pathToFileURL(join(outside, 'secret.ts')).href, '/etc/passwd', '..', '/', '~/x', 'src/../../x\0y'];
  const refuses = async (client) => {
    for (const path of wanted) {
      for (const [tool, args] of [['outline', { paths: [path] }], ['context', { path, line: 1 }], ['map', { folder: path }], ['diagnostics', { paths: ['src', path] }]]) {
        const { error } = await client.call(tool, args);
        assert.match(error ?? `${tool} ${path}`, /is not in "|NUL byte/);
        assert.doesNotMatch(error, /secret = /);
      }
    }
  };
  let roots = [{ uri: pathToFileURL(cwd).href }];
  const client = await mcp(t, { cwd: outside, env, capabilities: { roots: { listChanged: true } }, requests: { 'roots/list': () => ({ roots }) } });
  await refuses(client);
  assert.match(await client.call('outline', { paths: ['.'] }), /Rectangle/);
  assert.doesNotMatch(await client.call('find', { query: 'secret' }), /secret(?!")/);

  // They change.
  roots = [...roots, { uri: pathToFileURL(other).href }, { uri: 'file:///nonexistent' }];
  client.notify('notifications/roots/list_changed');
  assert.match(await client.call('outline', { paths: ['other.ts'] }), /^k1 other$|v1 other/);
  assert.match(await client.call('find', { query: 'other' }), new RegExp(`${other}/other\\.ts:1`));
  roots = [];
  client.notify('notifications/roots/list_changed');
  assert.match((await client.call('outline', { paths: ['other.ts'] })).error, /^the client names no folder that may be read; /);

  // --root counts for more, and the client is not asked.
  const fixed = await mcp(t, { cwd: outside, env, args: ['--root', cwd], capabilities: { roots: {} }, requests: { 'roots/list': () => ({ roots: [{ uri: 'file:///' }] }) } });
  await refuses(fixed);
  assert.equal(fixed.messages.some((message) => message.method === 'roots/list'), false);

  // The folder / would confine nothing.
  const nowhere = await mcp(t, { cwd: '/', env });
  assert.match((await nowhere.call('outline', { paths: ['etc'] })).error, /start the server with --root DIR$/);
  const wrong = await run(['mcp', '--root', '/nonexistent'], { env });
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
});

test('it ends with its input, by a signal, and with its client, and leaves nothing', async (t) => {
  const { cwd, env } = project(t);
  for (const how of ['input', 'SIGTERM', 'SIGINT', 'client']) {
    const mark = marked();
    const client = await mcp(t, { cwd, env: { ...env, ...mark.env } });
    await client.call('outline', { paths: ['src/geometry.cpp'] });
    const call = client.request('tools/call', { name: 'outline', arguments: { paths: ['src/geometry.ts'] } });
    if (how === 'input') {
      const { status } = await client.close();
      assert.equal(status, 0);
      assert.match((await call).result.content[0].text, /Rectangle/);  // what was asked for is answered
    } else if (how === 'client') {
      client.child.stdout.destroy();
      client.child.stdin.destroy();
      await client.finished;
    } else {
      client.child.kill(how);
      assert.equal((await client.finished).signal, how);
    }
    await mark.noneLeft();
  }
});

test('10,000 mutated messages: each request with an id gets one reply, and the server lives', async (t) => {
  const { cwd, env } = project(t);
  const client = await mcp(t, { cwd, env, capabilities: { roots: {} }, requests: { 'roots/list': () => ({ roots: [{ uri: pathToFileURL(cwd).href }] }) } });
  const random = dice(12345);
  const seeds = [
    (id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'outline', arguments: { paths: ['src/geometry.ts'], kind: ['Class'] } } }),
    (id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'find', arguments: { query: 'area', limit: 3 }, _meta: { progressToken: id } } }),
    (id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'context', arguments: { path: 'src/geometry.ts', line: 28 } } }),
    (id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'map', arguments: { folder: 'src' }, _meta: modernMeta() } }),
    (id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }),
    (id) => ({ jsonrpc: '2.0', id, method: 'server/discover', params: { _meta: modernMeta() } }),
    (id) => ({ jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: { roots: {} } } }),
    (id) => ({ jsonrpc: '2.0', id, method: 'ping' }),
    (_, i) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: `m${i - 1 - random(3)}` } }),
    () => ({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }),
  ];
  const sent = new Map();  // the messages by their raw ids, which changes can make those of others
  const maybeCancelled = new Set();
  client.replies.length = 0;
  for (let i = 0; i < 10_000; ++i) {
    const { bytes } = mutated(seeds[random(seeds.length)](`m${i}`, i), random);
    const text = bytes.toString('utf8');
    if (text.trim() === '') continue;
    let message;
    try { message = JSON.parse(text); } catch { /* is answered by an error without an id */ }
    for (const [, one] of text.matchAll(/"id" *: *("[^"]*"|-?[\d.eE+]+)/g)) sent.set(one, [...sent.get(one) ?? [], { message, text }]);
    if (text.includes('cancel')) for (const [one] of text.matchAll(/"m\d+"/g)) maybeCancelled.add(one);
    client.write(bytes);
    client.write('\n');
    // Of more than 64 calls at a time most would be refused.
    if (i % 40 === 39) await eventually(async () => (await client.request('tools/call', { name: 'find', arguments: { query: 'area' } })).result, hangLimit);
  }
  // One message has this id, once, and is a request, well-formed or not; a subscription is answered when it ends.
  const requests = [...sent].filter(([id, [one, ...others]]) => one.message && others.length === 0 && !maybeCancelled.has(id) && JSON.stringify(one.message.id) === id &&
    'method' in one.message && one.message.method !== 'subscriptions/listen' && (one.text.match(/"(id|method|result|error)" *:/g) ?? []).length === 2);
  const replies = new Map();
  const take = () => {
    for (const reply of client.replies.splice(0)) {
      const id = JSON.stringify(reply.id);
      replies.set(id, [...replies.get(id) ?? [], reply]);
    }
  };
  const lacking = () => {
    take();
    return requests.filter(([id]) => !replies.has(id)).map(([, [{ text }]]) => text);
  };
  await eventually(() => lacking().length === 0, hangLimit, () => `without a reply: ${lacking().slice(0, 5).join('\n')}`);
  for (const [id, [{ text }]] of requests) {
    const [reply, ...others] = replies.get(id);
    assert.deepEqual(others, [], text);
    assert.notEqual('result' in reply, 'error' in reply, text);
  }
  assert.ok(requests.length > 3000 && replies.get('null').every(({ error }) => error));
  assert.deepEqual((await client.request('ping')).result, {});
  assert.equal((await client.close()).status, 0);
});

test('a message without an end and one that is too long', async (t) => {
  const { cwd, env } = project(t);
  const client = await mcp(t, { cwd, env });
  client.write('x'.repeat(9 << 20));
  client.write('\n');
  assert.deepEqual((await client.request('ping')).result, {});
  assert.match(client.replies.at(-2).error.message, /longer than 8 MiB/);
});

test('line breaks in the name of a file forge no line of the answer', async (t) => {
  const { cwd, env } = project(t);
  for (const name of ['src/x\nnote: forged.ts', 'src/y.ts']) writeFileSync(join(cwd, name), 'export function twice() {}\n');
  const client = await mcp(t, { cwd, env });
  const answer = await client.call('context', { name: 'twice' });
  assert.match(answer, /src\/y\.ts/);
  assert.doesNotMatch(answer, /^note: forged/m);
});
