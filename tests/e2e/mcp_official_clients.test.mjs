// `symbols mcp` with the official clients of the Model Context Protocol in TypeScript, the one of the revisions that begin with
// `initialize` and the one of the present revision, on sources of three languages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { mcpProject, questions, toolNames } from './mcp_project.mjs';
import { clientsFolder, eventually, fakeServer, folder, marked, symbolsPath, timeFactor } from './program.mjs';

const modules = join(clientsFolder, 'node_modules/@modelcontextprotocol');
const load = (file) => import(pathToFileURL(join(modules, file)));
const v1 = { ...await load('sdk/dist/esm/client/index.js'), ...await load('sdk/dist/esm/client/stdio.js'), ...await load('sdk/dist/esm/types.js') };
const isNodeNew = Number(process.versions.node.split('.')[0]) >= 20;
const v2 = isNodeNew && { ...await load('client/dist/index.mjs'), ...await load('client/dist/stdio.mjs') };

const info = { name: 'symbols-test', version: '1' };
const capabilities = { roots: {} };
const limit = 300_000 * timeFactor;

// All tests have one project, since its index takes longest to make.
const shared = mcpProject({ after });

/** The two clients, which differ in a few words. */
const clients = [
  {
    makesIndex: true,
    name: '@modelcontextprotocol/sdk', sdk: v1,
    make: () => new v1.Client(info, { capabilities }),
    onRoots: (client, handler) => client.setRequestHandler(v1.ListRootsRequestSchema, handler),
    call: (client, params, options) => client.callTool(params, undefined, options),
  },
  {
    name: '@modelcontextprotocol/client', sdk: v2, skip: !isNodeNew && 'it needs Node.js 20',
    make: () => new v2.Client(info, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    onRoots: (client, handler) => client.setRequestHandler('roots/list', handler),
    call: (client, params, options) => client.callTool(params, options),
  },
];

/** A session whose root is `cwd`. `.call` gives the text of an answer, of an error of the tool `{ error }`. */
async function connect(t, kind, { cwd, env, args = [] }) {
  const mark = marked();
  const client = kind.make();
  const transport = new kind.sdk.StdioClientTransport({ command: symbolsPath, args: ['mcp', ...args], cwd: '/', env: { ...process.env, ...env, ...mark.env }, stderr: 'inherit' });
  t.after(async () => {
    await client.close();
    await mark.noneLeft();
  });
  const session = { client, asked: 0, messages: [] };
  kind.onRoots(client, () => {
    ++session.asked;
    return { roots: [{ uri: pathToFileURL(cwd).href, name: 'project' }] };
  });
  await client.connect(transport);
  const onMessage = transport.onmessage;
  transport.onmessage = (message, ...more) => {
    session.messages.push(message);
    onMessage(message, ...more);
  };
  session.call = async (name, args, options) => {
    const { content, isError } = await kind.call(client, { name, arguments: args }, { timeout: limit, maxTotalTimeout: limit, ...options });
    assert.deepEqual(content.map(({ type }) => type), ['text']);
    return isError ? { error: content[0].text } : content[0].text;
  };
  return session;
}

for (const kind of clients) {
  const { name, skip, makesIndex } = kind;

  test(`${name}: every tool, in three languages`, { skip }, async (t) => {
    const session = await connect(t, kind, shared);
    const { client } = session;
    assert.equal(client.getServerVersion().name, 'symbols');
    assert.ok(client.getServerCapabilities().tools);
    assert.match(client.getInstructions(), /language servers/);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), toolNames);
    assert.ok(tools.every(({ annotations, inputSchema, description }) => annotations.readOnlyHint && inputSchema.type === 'object' && description.length > 50));

    // The first call makes the index, reports how far it is, and on a slow machine answers before it is whole.
    const told = [];
    await session.call('find', { query: 'Rectangle' }, { onprogress: (progress) => told.push(progress) });
    // The client of the present revision adds steps of its own.
    const ofServer = told.filter(({ message }) => /^indexing/.test(message));
    if (makesIndex) assert.ok(ofServer.length > 0);
    assert.ok(ofServer.every(({ progress }, i) => progress > (ofServer[i - 1]?.progress ?? 0)), JSON.stringify(told));
    await eventually(async () => !/still being indexed/.test(await session.call('find', { query: 'Rectangle' })), limit);

    assert.deepEqual(toolNames.filter((tool) => !questions.some(([one]) => one === tool)), []);
    for (const [tool, args, expected] of questions) {
      let answer = await session.call(tool, args);
      // pyright publishes an empty list before it has looked at the file, which is taken for the answer if the other is late.
      if (tool === 'diagnostics') await eventually(async () => expected.test(answer) || !(answer = await session.call(tool, args)), limit);
      assert.match(answer.error ?? answer, expected, `${tool} ${JSON.stringify(args)}`);
    }
    assert.ok(session.asked >= 1, 'for its roots');
  });

  test(`${name}: a call is cancelled, and with it what its server was asked`, { skip }, async (t) => {
    const record = join(folder(t), 'methods');
    const server = { name: 'slow', command: ['/bin/sh', '-c', `exec ${fakeServer('records-methods-silent-on-symbols', record)}`], languages: [{ id: 'x', extensions: ['.x'] }] };
    const cwd = folder(t, { 'slow.x': 'alpha\n', 'quick.cpp': 'int quick() { return 1; }\n' });
    const { env } = mcpProject(t, { 'symbols/servers.json': JSON.stringify({ servers: [server] }) });
    const session = await connect(t, kind, { cwd, env, args: ['--trust-project'] });
    const methods = () => { try { return readFileSync(record, 'utf8').split('\n'); } catch { return []; } };

    const aborting = new AbortController();
    const progress = [];
    const call = session.call('outline', { paths: ['slow.x'] }, { signal: aborting.signal, onprogress: (one) => progress.push(one) });
    const rejected = assert.rejects(call, /the user wants something else/);
    await eventually(() => methods().includes('textDocument/documentSymbol') && progress.length > 0, limit, 'asked, and told of it');
    assert.match(await session.call('outline', { paths: ['quick.cpp'] }), /f1 quick/);
    aborting.abort(new Error('the user wants something else'));
    await rejected;
    await eventually(() => methods().includes('$/cancelRequest'), limit);
    assert.match(await session.call('outline', { paths: ['quick.cpp'] }), /f1 quick/);
    // It alone got no reply.
    assert.equal(session.messages.filter((message) => JSON.stringify(message).includes('alpha')).length, 0);
  });
}
