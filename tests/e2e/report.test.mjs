// bench/report.mjs on a small file: its drawing is well-formed, and what it shows is what was measured. No time is asserted.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { content, median, time } from '../../bench/report/page.mjs';
import { folder, project } from './program.mjs';

function report(t, env) {
  const out = folder(t, {});
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, 'bench/report.mjs'), '--quick', '--output', out, '--json', join(out, 'report.json')],
    { encoding: 'utf8', env: { ...process.env, ...env } });
  assert.equal(status, 0, stderr);
  const text = (name) => readFileSync(join(out, name), 'utf8');
  return { printed: stdout.trimEnd(), page: text('report.md'), svg: text('report.svg'), json: JSON.parse(text('report.json')) };
}

/** Every element is closed, in the order in which they were opened; & and < stand for nothing else. */
function wellFormed(xml) {
  const open = [];
  for (const [, closing, name, empty] of xml.matchAll(/<(\/?)(\w+)(?: [\w:-]+="[^"<&]*")*(\/?)>/g)) {
    if (closing) assert.equal(open.pop(), name);
    else if (!empty) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(xml.replace(/<(\/?)(\w+)(?: [\w:-]+="[^"<&]*")*(\/?)>/g, '').replace(/&(amp|lt|gt);/g, ''), /[<&]/);
}

test('the numbers of the page and of the drawing are the samples\'', (t) => {
  const { printed, page, svg, json } = report(t);
  wellFormed(svg);
  assert.match(svg, /prefers-color-scheme: dark/);
  assert.ok(page.endsWith(`${printed}\n`));
  assert.match(page, /!\[.+\]\(report\.svg\)/);
  assert.equal(json.comparisons.length, 5);
  const rows = printed.split('\n').filter((line) => /^\| (?!program)/.test(line)).map((line) => line.slice(2).split(' | '));
  const values = [...svg.matchAll(/<text x="[\d.]+" y="[\d.]+">([^<]*)<\/text>/g)].map(([, text]) => text);
  const results = json.comparisons.flatMap((one) => one.results);
  assert.deepEqual([rows.length, values.length], [results.length, results.length]);
  results.forEach((result, index) => {
    const { tool, ours, wall, tokens } = result;
    const shown = time(median(wall));
    const [name, middle, has, size] = rows[index];
    assert.deepEqual([name, middle, size], [ours ? `**${tool}**` : tool, shown, tokens?.toLocaleString('en') ?? '']);
    assert.ok(has.startsWith(content(result)) && values[index].startsWith(shown), values[index]);
  });
  const [cold, plain] = ['symbols, cold', 'symbols --no-hover, cold'].map((tool) => results.find((one) => one.tool === tool));
  assert.ok(cold.hovers > 0 && !plain.hovers && cold.rows === plain.rows && cold.tokens > plain.tokens);
});

test('programs that are not here are named, and left out', (t) => {
  const path = folder(t, {});
  symlinkSync(process.execPath, join(path, 'node'));
  const { printed, json } = report(t, { PATH: path });
  assert.ok(json.missing.includes('rg') && json.missing.includes('ctags'), json.missing);
  assert.match(printed, /^Not available, and left out: .*ctags.*rg/m);
  assert.ok(json.comparisons.every(({ results }) => results.every(({ tool }) => !/^(rg|ctags)/.test(tool))));
});
