// symbols.context through the proxy: everything about one symbol in one answer of a real server. What each part may be:
// tests/proxy/query/context_query_test.cc.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languageServers, serverSettings } from './language_servers.mjs';
import { openInServer } from './plain_client.mjs';
import { fixture, folder, proxied } from './program.mjs';

const diagnostics = String.raw`# diagnostics 1
37:13-23 \| error \| .*undeclared.* \| clang undeclared_var_use$`;
const whole = new RegExp(String.raw`^NAME \| KIND \| RANGE \| SELECTION \| PARENT \| HOVER_INFO \| EOL
calculate_area \| 12 \| 9:0-77 \| 9:7-21 \| geometry \| double calculate_area\(double width, double height\) - .*the area, in square units.* \| <<<
# source 9:0-77
9:double calculate_area\(double width, double height\) { return width \* height; }
# references 1, open files only
/.*/geometry.cpp \| 35:35-49
# callers 1, open files only
main \| 12 \| 33:4-8 \| 35:35-49 \| /.*/geometry.cpp
${diagnostics}`);

test('clangd: one symbol, by its name, at it and in it, and what is wrong in the document', async (t) => {
  const path = join(folder(t, { 'geometry.cpp': `${readFileSync(fixture('geometry.cpp'), 'utf8')}int broken = undeclared;\n` }), 'geometry.cpp');
  const { command, args } = languageServers.clangd;
  const session = await openInServer('env', [`XDG_CONFIG_HOME=${folder(t, serverSettings)}`, ...proxied([], [command, ...args])], path, 'cpp');
  t.after(session.finish);
  const textDocument = { uri: session.uri };
  const context = (argument) => session.request('workspace/executeCommand', { command: 'symbols.context', arguments: [{ textDocument, ...argument }] });
  for (const argument of [{ name: 'calculate_area' }, { position: { line: 9, character: 9 } }, { position: { line: 9, character: 60 } }]) {
    const { result } = await context(argument);
    assert.deepEqual([result.success, result.format, result.meta], [true, 'table', undefined]);
    assert.match(result.symbols, whole, JSON.stringify(argument));
  }
  const { error } = await context({ name: 'area_' });
  assert.equal(error.code, -32803);
  assert.match(error.message, /no symbol called "area_"/);
  const { result } = await session.request('textDocument/documentSymbol', { textDocument, include: 'diagnostics', format: 'tree' });
  assert.match(result.diagnostics, new RegExp(`^${diagnostics}`));
  assert.ok(!result.symbols.includes('diagnostics'));
});
