// `symbols mcp` before the server scenarios of the official conformance suite, over a wire from HTTP to its standard streams
// (mcp_http_bridge.mjs). The suite runs all that a revision of the protocol requires. Here is, by name, what of it a server of tools on
// standard streams must pass, and why the rest does not apply: each of those must fail for that reason alone.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { startBridge } from './mcp_http_bridge.mjs';
import { newNode } from './harness_programs.mjs';
import { clientsFolder, fixture, folder, timeFactor } from './program.mjs';

const program = join(clientsFolder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Why a check does not apply, and what a failure of it must say. */
const reasons = {
  'a tool of the suite\'s own server': /unknown tool: "|not found\. Available tools: outline, |Not testable: (server does not list the diagnostic tool|no task was created|server exposes no tool with x-mcp-header)/,
  'no such capability is declared': /no method (completion\/complete|logging\/setLevel|prompts\/\w+|resources\/[\w/]+)\b|resources\/list failed/,
  'a matter of HTTP, which the wire does not check': /invalid Host\/Origin headers|Expected HTTP 400(, got 200| and JSON-RPC error -32020)|\(HeaderMismatch\)|expected -32020 HeaderMismatch|routing-task fixture/,
  'the extension for tasks is not declared': /capabilities\.extensions MUST be advertised|MUST return -32021; got -32601|spec requires -32021|expected -32602; got -32601/,
  // Checks behind a call of such a tool, which do not say so.
  'follows from a tool of the suite\'s own server': /^(Expected InputRequiredResult with inputRequests and requestState|Prerequisite failed: could not get initial InputRequiredResult with requestState|Server returned JSON-RPC error instead of re-requesting via InputRequiredResult.*)$/,
  'follows from resources that are not there': /^Expected error code -32602 \(Invalid Params\), got -32601|^Error data\.uri is undefined/,
};
const [tool, capability, http, tasks, followsTool, followsResources] = Object.keys(reasons);

/** By revision and scenario: true where every check must pass, else why some do not apply. */
const scenarios = {
  '2025-11-25': {
    'server-initialize': true,
    ping: true,
    'tools-list': true,
    'server-session-lifecycle': true,  // of the wire's sessions, each of which is a process
    'server-sse-multiple-streams': true,
    'server-sse-polling': true,
    'logging-set-level': [capability],
    'completion-complete': [capability],
    'tools-call-simple-text': [tool],
    'tools-call-image': [tool],
    'tools-call-audio': [tool],
    'tools-call-embedded-resource': [tool],
    'tools-call-mixed-content': [tool],
    'tools-call-with-logging': [capability],
    'tools-call-error': [tool],
    'tools-call-with-progress': [tool],
    'tools-call-sampling': [tool],
    'tools-call-elicitation': [tool],
    'elicitation-sep1034-defaults': [tool],
    'elicitation-sep1330-enums': [tool],
    'json-schema-2020-12': [tool],
    'resources-list': [capability],
    'resources-read-text': [capability],
    'resources-read-binary': [capability],
    'resources-templates-read': [capability],
    'resources-subscribe': [capability],
    'resources-unsubscribe': [capability],
    'prompts-list': [capability],
    'prompts-get-simple': [capability],
    'prompts-get-with-args': [capability],
    'prompts-get-embedded-resource': [capability],
    'prompts-get-with-image': [capability],
    'dns-rebinding-protection': [http],
  },
  '2026-07-28': {
    'tools-list': true,
    'input-required-result-unsupported-methods': true,
    'input-required-result-validate-input': true,
    'server-sse-multiple-streams': true,
    'tasks-status-notifications': true,  // the suite skips it
    'server-stateless': [tool, http],
    caching: [capability],
    'sep-2164-resource-not-found': [followsResources],
    'completion-complete': [capability],
    'tools-call-simple-text': [tool],
    'tools-call-image': [tool],
    'tools-call-audio': [tool],
    'tools-call-embedded-resource': [tool],
    'tools-call-mixed-content': [tool],
    'tools-call-error': [tool],
    'tools-call-with-progress': [tool],
    'json-schema-2020-12': [tool],
    'resources-list': [capability],
    'resources-read-text': [capability],
    'resources-read-binary': [capability],
    'resources-templates-read': [capability],
    'prompts-list': [capability],
    'prompts-get-simple': [capability],
    'prompts-get-with-args': [capability],
    'prompts-get-embedded-resource': [capability],
    'prompts-get-with-image': [capability],
    'dns-rebinding-protection': [http],
    'http-header-validation': [http],
    'http-custom-header-server-validation': [tool],
    'input-required-result-basic-elicitation': [tool],
    'input-required-result-basic-sampling': [tool],
    'input-required-result-basic-list-roots': [tool],
    'input-required-result-request-state': [tool],
    'input-required-result-multiple-input-requests': [tool],
    'input-required-result-multi-round': [followsTool],
    'input-required-result-missing-input-response': [followsTool],
    'input-required-result-non-tool-request': [capability],
    'input-required-result-result-type': [tool],
    'input-required-result-tampered-state': [followsTool],
    'input-required-result-capability-check': [tool],
    'input-required-result-ignore-extra-params': [tool],
    'tasks-lifecycle': [tool],
    'tasks-capability-negotiation': [tool, tasks],
    'tasks-wire-fields': [tool],
    'tasks-request-state-removal': [tool],
    'tasks-mrtr-input': [tool],
    'tasks-request-headers': [tool, http],
    'tasks-dispatch-and-envelope': [tool, tasks],
    'tasks-required-task-error': [tasks],
    'tasks-mrtr-composition': [tool],
  },
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

for (const [revision, ofRevision] of Object.entries(scenarios)) {
  test(`what ${revision} requires`, async (t) => {
    const ran = await checksOf(t, ['--requirements', revision]);
    assert.deepEqual(Object.keys(ran).sort(), Object.keys(ofRevision).sort());
    for (const [scenario, checks] of Object.entries(ran)) {
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      // Every message that the server sent fits the schema of its revision.
      assert.equal(failed.some(({ id }) => id.startsWith('wire-schema')), false, JSON.stringify(failed));
      const why = ofRevision[scenario];
      if (why === true) {
        assert.deepEqual(failed, [], scenario);
        continue;
      }
      assert.ok(failed.length > 0, `${scenario} passes`);
      const used = new Set();
      for (const { id, errorMessage } of failed) {
        const reason = why.find((one) => reasons[one].test(errorMessage));
        assert.ok(reason, `${scenario} ${id}: ${errorMessage}`);
        used.add(reason);
      }
      assert.deepEqual([...used].sort(), [...why].sort(), scenario);
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
