// ts-lsp-client, a library for programs that speak to language servers: in `standard` it gets the results that it gets without the
// proxy, whatever it asks.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { languageServers, serverSettings } from './language_servers.mjs';
import { clientsFolder, folder, marked, proxied, timeFactor } from './program.mjs';
import { questions, shippedProject } from './shipped_project.mjs';

const { JSONRPCEndpoint, LspClient } = createRequire(join(clientsFolder, 'package.json'))('ts-lsp-client');

/** The results of a session that asks about a file; nothing of it is left. */
async function session(t, [command, ...args], { cwd, file, language, line, character, initializationOptions }) {
  const { env, noneLeft } = marked();
  const server = spawn(command, args, {
    cwd, env: { ...process.env, ...env, XDG_CONFIG_HOME: folder(t, serverSettings) }, stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000 * timeFactor, killSignal: 'SIGKILL',
  });
  const ended = new Promise((resolve) => server.on('close', resolve));
  const client = new LspClient(new JSONRPCEndpoint(server.stdin, server.stdout));
  const uri = pathToFileURL(join(cwd, file)).href;
  const { capabilities: { experimental, ...capabilities }, serverInfo } = await client.initialize({
    processId: process.pid, rootUri: pathToFileURL(cwd).href, initializationOptions,
    capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, hover: { contentFormat: ['markdown'] } } },
  });
  client.initialized();
  client.didOpen({ textDocument: { uri, languageId: language, version: 1, text: readFileSync(join(cwd, file), 'utf8') } });
  const at = { textDocument: { uri }, position: { line: line - 1, character: character - 1 } };
  const results = {
    capabilities,
    serverInfo,
    symbols: await client.documentSymbol({ textDocument: { uri } }),
    hover: await client.hover(at),
    definition: await client.definition(at),
    references: await client.references({ ...at, context: { includeDeclaration: true } }),
  };
  client.didClose({ textDocument: { uri } });
  await client.shutdown();
  client.exit();
  await ended;
  await noneLeft();
  return { results, symbolsOffered: experimental?.symbols !== undefined };
}

for (const [name, question] of [
  ['clangd', { ...questions.cpp, language: 'cpp' }],
  ['typescript-language-server', { ...questions.ts, language: 'typescript' }],
]) {
  test(`${name}: the results behind standard are the results without`, async (t) => {
    const { command, args, initializationOptions } = languageServers[name];
    const call = { ...question, cwd: shippedProject(t), initializationOptions };
    const direct = await session(t, [command, ...args], call);
    const behind = await session(t, proxied(['--format', 'standard'], [command, ...args]), call);
    assert.ok(direct.results.symbols.length > 0);
    assert.match(JSON.stringify(direct.results.hover), question.says);
    assert.ok(direct.results.references.length > 0);
    assert.deepEqual(behind.results, direct.results);
    assert.deepEqual([direct.symbolsOffered, behind.symbolsOffered], [false, true]);
  });
}
