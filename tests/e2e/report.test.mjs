// bench/report.mjs on a small file: what it shows is what was measured. No time is asserted.
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

test('the numbers of the page and of the drawing are the samples\'', (t) => {
  const { printed, page, svg, json } = report(t);
  assert.match(svg, /^<svg [^]*<\/svg>\n?$/);
  assert.ok(page.endsWith(`${printed}\n`));
  const rows = printed.split('\n').filter((line) => /^\| (?!program)/.test(line)).map((line) => line.slice(2).split(' | '));
  const results = json.comparisons.flatMap((one) => one.results);
  assert.equal(rows.length, results.length);
  results.forEach((result, index) => {
    const { tool, ours, wall, tokens } = result;
    const [name, middle, has, size] = rows[index];
    assert.deepEqual([name, middle, size], [ours ? `**${tool}**` : tool, time(median(wall)), tokens?.toLocaleString('en') ?? '']);
    assert.ok(has.startsWith(content(result)) && svg.includes(middle), tool);
  });
});

test('programs that are not here are named, and left out', (t) => {
  const path = folder(t, {});
  symlinkSync(process.execPath, join(path, 'node'));
  const { printed, json } = report(t, { PATH: path });
  assert.ok(json.missing.includes('rg') && json.missing.includes('ctags'), json.missing);
  assert.match(printed, /^Not available, and left out: .*ctags.*rg/m);
  assert.ok(json.comparisons.every(({ results }) => results.every(({ tool }) => !/^(rg|ctags)/.test(tool))));
});
