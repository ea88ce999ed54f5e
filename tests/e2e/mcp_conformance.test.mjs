// `symbols mcp` before the server scenarios of the official conformance suite, over a wire from HTTP to its standard streams
// (mcp_http_bridge.mjs). The suite runs all that a revision of the protocol requires. Here is, by name, what of it a server of tools on
// standard streams must pass, and why the rest does not apply.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { startBridge } from './mcp_http_bridge.mjs';
import { newNode } from './harness_programs.mjs';
import { clientsFolder, fixture, folder, timeFactor } from './program.mjs';

const program = join(clientsFolder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

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

/** Runs the suite: its checks by scenario. It ends with an error where a scenario fails, as many do here. */
async function checksOf(t, args) {
  const { url, close } = await startBridge(t, { args: ['--root', dirname(fixture('geometry.ts'))] });
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
