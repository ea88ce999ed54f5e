// docs/security.md is true as far as a page can be checked: each line of its tables names a test that exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project } from './program.mjs';

const page = readFileSync(join(project, 'docs', 'security.md'), 'utf8');
const code = /`((?:e2e|fuzz|lsp|table|proxy)\/[a-z0-9_/]+(?:\.test\.mjs|_test\.cc|\.cc))`/g;

test('each line says what holds it', () => {
  const lines = page.split('\n').filter((line) => /^\| (?!It cannot|They cannot|Input|---)/.test(line) && line.split(' | ').length === 2);
  assert.ok(lines.length > 20, `${lines.length} lines`);
  for (const line of lines) assert.match(line.split(' | ')[1], /`|\[limits\]/, line);
});

test('each test exists', () => {
  let names = 0;
  // A file, and the names behind it in quotes.
  for (const [, file, said] of page.matchAll(new RegExp(`${code.source}((?:,? "[^"]+")*)`, 'g'))) {
    const path = join(project, 'tests', file);
    assert.ok(existsSync(path), `no ${file}`);
    const text = readFileSync(path, 'utf8');
    for (const [, name] of said.matchAll(/"([^"]+)"/g)) {
      ++names;
      const line = text.split('\n').some((each) => /test\(|TEST_CASE\(|scenario\(/.test(each) && each.includes(name));
      assert.ok(line, `${file} has no test "${name}"`);
    }
  }
  assert.ok(names > 15, `${names} names`);
});
