// The command on real servers: large files, extensions that their compilers do not know. That rows are as the server has
// them: proxy_rows.test.mjs; which part of a hover is shown: tests/table/hover/.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, folder, printed, quietly, serversFolder } from './program.mjs';

const dom = join(serversFolder, 'node_modules/typescript/lib/lib.dom.d.ts');

test('lib.dom.d.ts: all of its symbols, in order', async () => {
  const stdout = await printed(['--no-hover', '--server', 'typescript-language-server', dom]);
  const rows = cells(stdout);
  assert.equal(rows.length, 11202);
  const names = new Set(rows.map(([name]) => name));
  for (const name of ['HTMLElement', 'addEventListener', 'onclick', 'querySelector']) assert.ok(names.has(name), name);
});

test('clangd: extensions that its compiler does not know', async (t) => {
  const names = ['a.h++', 'a.inl', 'a.ipp', 'a.tpp', 'a.txx', 'a.cuh', 'flags/a.ipp'];
  const cwd = folder(t, { ...Object.fromEntries(names.map((name) => [name, 'namespace n { int f(); }\n'])),
    'm.ixx': 'export module m;\nexport int f();\n', 'flags/compile_flags.txt': '-std=c++20\n' });
  const stdout = await quietly(['--no-hover', '--match', '^f$', ...names, 'm.ixx'], { cwd });
  assert.equal(stdout.match(/^f \| 12 \| 0:14-21 \| 0:18-19 \| n$/gm)?.length, names.length, stdout);
  assert.match(stdout, /^f \| 12 \| 1:7-14 \| 1:11-12 \| $/m);
});
