// The README and the pages of docs/ show what the program prints, to the letter, and what it costs. With
// SYMBOLS_UPDATE_GOLDENS=1 they are written anew instead.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { beforeAfter } from '../../docs/screenshots/before_after.mjs';
import { project, quietly, run } from './program.mjs';
import { countTokens } from './tokens.mjs';

const update = process.env.SYMBOLS_UPDATE_GOLDENS === '1';

/** As a shell would split it; of its quotes there are only '…'. */
const words = (line) => [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
const printed = (line, columns = '') => quietly(words(line), { cwd: project, env: { COLUMNS: columns } });

function page(name) {
  const path = join(project, name);
  const shown = { text: readFileSync(path, 'utf8') };
  shown.replace = (was, is) => (shown.text = shown.text.replace(was, () => is));
  after(() => update && writeFileSync(path, shown.text));
  return shown;
}
const fewest = { 'README.md': 1, 'docs/formats.md': 3, 'docs/command-line.md': 1 };
const pages = Object.fromEntries(Object.keys(fewest).map((name) => [name, page(name)]));

for (const [name, shown] of Object.entries(pages)) {
  const examples = [...shown.text.matchAll(/^```\n\$ ((?:COLUMNS=(\d+) )?scripts\/symbols (.*))\n([^]*?)^```$/gm)];
  test(`${name} has examples`, () => assert.ok(examples.length >= fewest[name]));
  for (const [block, line, columns, args, output] of examples) {
    test(`${name}: symbols ${args}`, async () => {
      const stdout = await printed(args, columns);
      if (update) shown.replace(block, `\`\`\`\n$ ${line}\n${stdout}\`\`\``);
      else assert.equal(stdout, output);
    });
  }
}

test('README.md: the picture of a file before and after', async (t) => {
  const { svg, tokens } = await beforeAfter(t);
  const path = join(project, 'docs/before-after.svg');
  const readme = pages['README.md'];
  const said = `${(tokens.symbols + tokens.hovers).toLocaleString('en')} tokens of JSON from the language server, ${tokens.answer} tokens from symbols`;
  if (update) {
    writeFileSync(path, svg);
    readme.replace(/[\d,]+ tokens of JSON from the language server, [\d,]+ tokens from symbols/, said);
  } else {
    assert.equal(svg, readFileSync(path, 'utf8'));
    assert.ok(readme.text.includes(said), said);
  }
});

test('the count of known servers is that of the list', async () => {
  const { stdout } = await run(['servers']);
  const listed = stdout.split('\n').filter((line) => /^ {2}\S+ {2,}\S/.test(line) && !line.includes('SERVER ')).length;
  const servers = readFileSync(join(project, 'docs/servers.md'), 'utf8');
  assert.deepEqual([/\*\*(\d+) servers are known\.\*\*/.exec(servers)[1], /knows (\d+) servers/.exec(pages['README.md'].text)[1]].map(Number), [listed, listed]);
});

test('docs/formats.md: what each format costs', async () => {
  const formats = pages['docs/formats.md'];
  const rows = [...formats.text.matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \| [^|\d]/gm)];
  assert.equal(rows.length, 7);
  for (const [row, format, full, bare] of rows) {
    const cost = async (option) =>
      String(countTokens((await printed(`--format ${format} ${option} --match 'area|radius' fixtures/geometry.ts`)).trimEnd()));
    const [withHovers, without] = [await cost('--hover'), await cost('--no-hover')];
    if (update) formats.replace(row, row.replace(`| ${full} | ${bare} |`, `| ${withHovers} | ${without} |`));
    else assert.deepEqual([full, bare], [withHovers, without], format);
  }
});
