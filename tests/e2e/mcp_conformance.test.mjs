// `symbols mcp` before the server scenarios of the official conformance suite, over a wire from HTTP to its standard streams. The suite
// runs all that a revision of the protocol requires. Here is, by name, what of it a server of tools on standard streams must pass, and why
// the rest does not apply.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { newNode } from './harness_programs.mjs';
import { readMessages } from './mcp_session.mjs';
import { clientsFolder, fixture, folder, start, timeFactor } from './program.mjs';

const program = join(clientsFolder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const methodNotFound = -32601;

/** Why checks do not apply, by what their failures say. */
const reasons = {
  'a tool of the suite\'s own server': /unknown tool: "|not found\. Available tools: outline, |Not testable: (server does not list the diagnostic tool|no task was created|server exposes no tool with x-mcp-header)/,
  'no such capability is declared': /no method (completion\/complete|logging\/setLevel|prompts\/\w+|resources\/[\w/]+)\b|resources\/list failed/,
  'a matter of HTTP, which the wire does not check': /invalid Host\/Origin headers|Expected HTTP 400(, got 200| and JSON-RPC error -32020)|\(HeaderMismatch\)|expected -32020 HeaderMismatch|routing-task fixture/,
  'the extension for tasks is not declared': /capabilities\.extensions MUST be advertised|MUST return -32021; got -32601|spec requires -32021|expected -32602; got -32601/,
  // Checks behind a call of such a tool, which do not say so.
  'follows from a tool of the suite\'s own server': /^(Expected InputRequiredResult with inputRequests and requestState|Prerequisite failed: could not get initial InputRequiredResult with requestState|Server returned JSON-RPC error instead of re-requesting via InputRequiredResult.*)$/,
  'follows from resources that are not there': /^Expected error code -32602 \(Invalid Params\), got -32601|^Error data\.uri is undefined/,
};

/** By revision, the scenarios of which every check must pass; the checks of the others may fail for the reasons alone. */
const scenarios = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'server-session-lifecycle',  // of the wire's sessions, each of which is a process
    'server-sse-multiple-streams',
    'server-sse-polling',
  ],
  '2026-07-28': [
    'tools-list',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'server-sse-multiple-streams',
    'tasks-status-notifications',  // the suite skips it
  ],
};

/**
 * The wire: messages pass as they are. A session has a process of its own; the present revision knows no sessions, so there each request
 * has. `.url` is where the suite finds the server; `.close()` gives the statuses with which the processes ended.
 */
async function startBridge(t, args) {
  const sessions = new Map();
  const ends = [];
  function begin(isModern) {
    const child = start(['mcp', ...args], { keepInput: true });
    const session = { child, waiting: new Map(), events: undefined };
    ends.push(child.finished);
    readMessages(child.stdout, (message, text) => {
      // What belongs to a request goes where its reply goes, as events before it; the rest to the session's stream of events.
      const isReply = message.method === undefined;
      const isOf = ([id, { token }]) => isModern || (isReply ? id === message.id : token !== undefined && token === message.params?.progressToken);
      const { response = session.events, headers } = [...session.waiting].find(isOf)?.[1] ?? {};
      if (!response || response.writableEnded) return;
      if (isReply && !response.headersSent) {
        const status = !isModern || !message.error ? 200 : message.error.code === methodNotFound ? 404 : 400;
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
      } else {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
        response.write(`event: message\ndata: ${text}\n\n`);
        if (isReply) response.end();
      }
      if (isReply) session.waiting.delete(message.id);
    });
    return session;
  }
  function send(session, { method, id, params }, text, response, headers) {
    if (method !== undefined && id !== undefined) session.waiting.set(id, { response, headers, token: params?._meta?.progressToken });
    else response.writeHead(202).end();
    session.child.stdin.write(`${text}\n`);
  }
  const server = createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const session = sessions.get(id);
    if (request.method === 'POST') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      const message = JSON.parse(text);
      if (request.headers['mcp-protocol-version'] === '2026-07-28' || message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined) {
        const own = begin(true);
        response.on('close', () => own.child.stdin.end());
        send(own, message, text, response);
      } else if (session) {
        send(session, message, text, response);
      } else if (message.method === 'initialize') {
        const id = randomUUID();
        sessions.set(id, begin(false));
        send(sessions.get(id), message, text, response, { 'mcp-session-id': id });
      } else {
        response.writeHead(id ? 404 : 400).end();
      }
    } else if (!session) {
      response.writeHead(id ? 404 : 405).end();
    } else if (request.method === 'GET') {
      session.events = response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
    } else {
      session.child.stdin.end();
      session.events?.end();
      sessions.delete(id);
      response.writeHead(200).end();
    }
  });
  const close = async () => {
    server.close();
    server.closeAllConnections();
    for (const { child } of sessions.values()) child.stdin.end();
    return (await Promise.all(ends)).map(({ status }) => status);
  };
  t.after(close);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close };
}

/** Runs the suite: its checks by scenario. It ends with an error where a scenario fails, as many do here. */
async function checksOf(t, args) {
  const { url, close } = await startBridge(t, ['--root', dirname(fixture('geometry.ts'))]);
  const results = folder(t);
  const child = spawn(newNode, [program, 'server', '--url', url, '--timeout', String(120_000 * timeFactor), '--output-dir', results, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  await new Promise((resolve) => child.on('close', resolve));
  const statuses = await close();
  assert.ok(statuses.length > 0 && statuses.every((status) => status === 0), `the processes ended with ${statuses}`);
  const checks = {};
  for (const name of readdirSync(results)) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
    checks[scenario] = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'));
  }
  assert.ok(Object.keys(checks).length > 0, said);
  return checks;
}

for (const [revision, passing] of Object.entries(scenarios)) {
  test(`what ${revision} requires`, async (t) => {
    const ran = await checksOf(t, ['--requirements', revision]);
    const failed = Object.entries(ran).map(([scenario, checks]) => [scenario, checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')]);
    assert.deepEqual(failed.filter(([, checks]) => checks.length === 0).map(([scenario]) => scenario).sort(), [...passing].sort());
    for (const [scenario, checks] of failed) {
      for (const { id, errorMessage } of checks) {
        // Every message that the server sent fits the schema of its revision.
        assert.ok(!id.startsWith('wire-schema') && Object.values(reasons).some((reason) => reason.test(errorMessage)), `${scenario} ${id}: ${errorMessage}`);
      }
    }
    assert.ok(Object.values(ran).flat().filter(({ id, status }) => id === 'wire-schema-valid' && status === 'SUCCESS').length > 20);
  });
}

test('the handshake and the tools in 2025-06-18', async (t) => {
  const ran = await checksOf(t, ['--suite', 'all', '--spec-version', '2025-06-18']);
  for (const scenario of ['server-initialize', 'ping', 'tools-list']) {
    assert.ok(ran[scenario]?.some(({ status }) => status === 'SUCCESS'), `${scenario}: ${Object.keys(ran)}`);
    assert.deepEqual(ran[scenario].filter(({ status }) => status === 'FAILURE' || status === 'WARNING'), []);
  }
});
