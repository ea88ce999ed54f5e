// `symbols mcp` with real servers: its tools, what they may read, wrong messages, ends.
import assert from 'node:assert/strict';
import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { mcpProject, questions, toolNames } from './mcp_project.mjs';
import { mcp } from './mcp_session.mjs';
import { folder, marked, run } from './program.mjs';

test('every tool, in three languages, and again from what is kept', async (t) => {
  const { cwd, env } = mcpProject(t);
  const client = await mcp(t, { cwd, env });
  assert.equal(client.serverInfo.serverInfo.name, 'symbols');
  const { tools } = (await client.request('tools/list')).result;
  assert.deepEqual(tools.map((tool) => tool.name), toolNames);
  for (const tool of tools) {
    assert.equal(tool.annotations.readOnlyHint, true);
    assert.equal(tool.inputSchema.additionalProperties, false);
    // Strict readers of schemas, such as Gemini CLI's, complain about an argument with several types.
    for (const { type } of Object.values(tool.inputSchema.properties)) assert.equal(typeof type, 'string');
  }
  const answers = [];
  for (const [tool, args, expected] of questions) {
    answers.push(await client.call(tool, args));
    assert.match(answers.at(-1), expected, `${tool} ${JSON.stringify(args)}`);
  }
  for (const [i, [tool, args]] of questions.entries()) if (tool === 'outline') assert.equal(await client.call(tool, args), answers[i]);
  const cold = await run(['--format', 'tree', '--verbosity', 'minimal', '--max-tokens', '5000', ...questions[0][1].paths], { cwd, env });
  assert.equal(answers[0].replace(questions[0][2], ''), cold.stdout.trimEnd());

  // The same arguments to another tool are another question.
  const rectangle = { path: 'src/geometry.ts', line: 28 };
  const about = await client.call('context', rectangle);
  assert.equal(about, await client.call('context', { name: 'Rectangle' }));
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
  const { cwd, env } = mcpProject(t);
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
  const { cwd, env } = mcpProject(t);
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
  const outside = folder(t, { 'secret.ts': 'export const secret = 1;\n', 'package.json': '{}', '.symbols.json': '{"secret_setting": 1}' });
  const other = folder(t, { 'other.ts': 'export const other = 1;\n', 'package.json': '{}' });
  const { cwd, env } = mcpProject(t);
  symlinkSync(join(outside, 'secret.ts'), join(cwd, 'link.ts'));
  symlinkSync(outside, join(cwd, 'folder'));
  const wanted = [join(outside, 'secret.ts'), 'link.ts', 'folder/secret.ts', 'folder', `../${outside.split('/').pop()}/secret.ts`,
    pathToFileURL(join(outside, 'secret.ts')).href, '/etc/passwd', '..', '/', '~/x', 'src/../../x\0y'];
  const refuses = async (client) => {
    for (const path of wanted) {
      for (const [tool, args] of [['outline', { paths: [path] }], ['context', { path, line: 1 }], ['map', { folder: path }], ['diagnostics', { paths: ['src', path] }]]) {
        const { error } = await client.call(tool, args);
        assert.match(error ?? `${tool} ${path}`, /is not in "|NUL byte/);
        assert.doesNotMatch(error, /secret( =|_setting)/);
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
  const { cwd, env } = mcpProject(t);
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

test('a message without an end and one that is too long', async (t) => {
  const { cwd, env } = mcpProject(t);
  const client = await mcp(t, { cwd, env });
  client.write('x'.repeat(9 << 20));
  client.write('\n');
  assert.deepEqual((await client.request('ping')).result, {});
  assert.match(client.replies.at(-2).error.message, /longer than 8 MiB/);
});
