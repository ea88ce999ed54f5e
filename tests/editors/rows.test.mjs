// What the plugins of Neovim and Vim read out of a row, its symbol's place, against what the program reads out of it: over recorded
// replies of four servers, whose names hold blanks, bars, quotes and newlines, in each format that has rows.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { limit } from './editor_home.mjs';
import { fixture, run } from '../e2e/program.mjs';
import { runNvim } from './nvim.mjs';
import { firstOfRows } from './sources.mjs';
import { runVim } from './vim.mjs';

const formats = ['table', 'tree', 'tsv', 'toon'];
const replies = readdirSync(fixture('captures')).flatMap((server) => {
  if (server.endsWith('.json')) return [];
  const names = readdirSync(fixture(join('captures', server))).filter((name) => name.endsWith('.symbols.json'));
  return names.map((name) => fixture(join('captures', server, name)));
});

async function converted(args, input) {
  const { status, stdout, stderr } = await run(['convert', ...args], { input });
  assert.equal(status, 0, stderr);
  return stdout.replace(/\n$/, '');
}

/** Starts of the selections, a pair of numbers for each symbol. */
const starts = (packed) => JSON.parse(packed).symbols.map((symbol) => symbol.slice(6, 8));

/** Files of the editor's home, `N.FORMAT`, and by their names the places that are in them. */
async function everyFormat() {
  const files = {};
  const expected = {};
  for (const [i, reply] of replies.entries()) {
    const json = readFileSync(reply, 'utf8');
    const places = starts(await converted(['--from', 'json', '--to', 'packed'], json));
    for (const format of formats) {
      const text = await converted(['--from', 'json', '--to', format], json);
      files[`${i}.${format}`] = text;
      expected[`${i}.${format}`] = format === 'tree' ? firstOfRows(text, places) : places;
    }
  }
  return { files, expected };
}

const editors = {
  Neovim: (t, files) => runNvim(t, {
    files,
    script: `
      local rows, found = require('symbols.rows'), {}
      for _, name in ipairs(vim.fn.json_decode([=[${JSON.stringify(Object.keys(files))}]=])) do
        local lines = {}
        for line in io.lines(name) do lines[#lines + 1] = line end
        local positions = rows.positions(name:match('%.(%l+)$'), lines)
        found[name] = {}
        for i = 1, #lines do
          if positions[i] then table.insert(found[name], { positions[i].line, positions[i].character }) end
        end
      end
      return found`,
  }),
  Vim: (t, files) => runVim(t, {
    files,
    script: `
  let l:found = {}
  for l:name in json_decode('${JSON.stringify(Object.keys(files))}')
    let l:positions = symbols#rows#Positions(fnamemodify(l:name, ':e'), readfile(l:name))
    let l:found[l:name] = map(filter(l:positions, {_, position -> !empty(position)}), {_, position -> [position.line, position.character]})
  endfor
  return l:found`,
  }),
};

for (const [name, places] of Object.entries(editors)) {
  test(`${name}: each row's place is the symbol's`, limit, async (t) => {
    const { files, expected } = await everyFormat();
    const { result } = await places(t, files);
    for (const file of Object.keys(files)) assert.deepEqual(result[file], expected[file], file);
    assert.ok(Object.values(expected).flat().length > 10_000);
  });
}
