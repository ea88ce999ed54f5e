// The README shows what the program prints, to the letter.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project, run } from './program.mjs';

const readme = readFileSync(join(project, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^```\n\$ scripts\/symbols (.*)\n([^]*?)^```$/gm)];

test('the README has examples', () => assert.ok(examples.length >= 3));
for (const [, args, output] of examples) {
  test(`symbols ${args}`, async () => {
    const { status, stdout, stderr } = await run(args.split(' '), { cwd: project });
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, output);
  });
}
test('its count of known servers is that of the list', async () => {
  const { stdout } = await run(['servers']);
  const listed = stdout.split('\n').filter((line) => /^ {2}\S+ {2,}\S/.test(line) && !line.includes('SERVER ')).length;
  assert.equal(listed, Number(/\*\*(\d+) servers are known\*\*/.exec(readme)[1]));
});
