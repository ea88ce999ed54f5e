// symbols.context through the proxy: everything about one symbol in one answer of a real server. What each part may be:
// tests/proxy/query/context_query_test.cc.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languageServers, serverSettings } from './language_servers.mjs';
import { openInServer } from './plain_client.mjs';
import { fixture, folder, proxied } from './program.mjs';

const columns = String.raw`NAME \| KIND \| RANGE \| SELECTION \| PARENT \| HOVER_INFO \| EOL`;
const cases = {
  clangd: {
    file: 'geometry.cpp', broken: 'int broken = undeclared;\n', language: 'cpp',
    // By its name, at it and in it.
    same: [{ name: 'calculate_area' }, { position: { line: 9, character: 9 } }, { position: { line: 9, character: 60 } }],
    says: String.raw`^${columns}
calculate_area \| 12 \| 9:0-77 \| 9:7-21 \| geometry \| double calculate_area\(double width, double height\) - .*the area, in square units.* \| <<<
# source 9:0-77
9:double calculate_area\(double width, double height\) { return width \* height; }
# references 1, open files only
/.*/geometry.cpp \| 35:35-49
# callers 1, open files only
main \| 12 \| 33:4-8 \| 35:35-49 \| /.*/geometry.cpp
# diagnostics 1
37:13-23 \| error \| .*undeclared.* \| clang undeclared_var_use$`,
    refused: [{ name: 'area_' }, /no symbol called "area_"/],
    diagnostics: /^# diagnostics 1\n37:13-23 \| error \| .*undeclared.* \| clang undeclared_var_use$/,
  },
  'TypeScript 7': {
    file: 'geometry.ts', broken: 'const broken: number = "text";\n', language: 'typescript',
    same: [{ position: { line: 22, character: 20 } }, { name: 'calculateArea' }],
    says: String.raw`^${columns}
calculateArea \| 12 \| 2\d:0-2\d:1 \| 2\d:16-29 \|  \| function calculateArea\(width: number, height: number\): number - Calculates the area[^]*
# source .*
\d+:export function calculateArea\([^#]*
# references 1
/.*/geometry.ts \| \d+:11-24
# callers 1
area \| \d+ \| \d+:\d+-\d+ \| \d+:11-24 \| /.*geometry\.ts
# diagnostics.*
\d+:6-12 \| error \| Type 'string' is not assignable to type 'number'\. \| .*2322\b`,
    refused: [{ name: 'area' }, /^symbols\.context: 3 symbols are called "area", at 23:8, 36:6, 51:6 .*give the position/],
    diagnostics: /^# diagnostics 2\n\d+:6-12 \| error \| Type 'string' is not assignable to type 'number'\. \| ts 2322\n.* \| hint \| /,
  },
};

for (const [name, { file, broken, language, same, says, refused, diagnostics }] of Object.entries(cases)) {
  test(`${name}: one symbol, however it is named, and what is wrong in the document`, async (t) => {
    const path = join(folder(t, { [file]: readFileSync(fixture(file), 'utf8') + broken }), file);
    const { command, args } = languageServers[name];
    const [program, ...words] = proxied([], [command, ...args]);
    const session = await openInServer('env', [`XDG_CONFIG_HOME=${folder(t, serverSettings)}`, program, ...words], path, language);
    t.after(session.finish);
    const textDocument = { uri: session.uri };
    const context = (argument) => session.request('workspace/executeCommand', { command: 'symbols.context', arguments: [{ textDocument, ...argument }] });
    for (const argument of same) {
      const { result } = await context(argument);
      assert.deepEqual([result.success, result.format, result.meta], [true, 'table', undefined]);
      assert.match(result.symbols, new RegExp(says), JSON.stringify(argument));
    }
    const { error } = await context(refused[0]);
    assert.equal(error.code, -32803);
    assert.match(error.message, refused[1]);
    const { result } = await session.request('textDocument/documentSymbol', { textDocument, include: 'diagnostics', format: 'tree' });
    assert.match(result.diagnostics, diagnostics);
    assert.ok(!result.symbols.includes('diagnostics'));
  });
}
