// Helix of Debian 13 with the configuration of editors/helix before real language servers: the program is its server and answers; and so with what
// `symbols setup` writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project } from '../e2e/program.mjs';
import { editorHome, limit, runToEnd, shipped, sources, waitLimit } from './editor_home.mjs';
import { neovim, runVim } from './vim.mjs';

/** Helix, where tests/editors/debian_13.sh has put it, or another one. */
const helix = process.env.SYMBOLS_HX ?? join(project, 'tests', 'editors', 'debian-13', 'bin', 'hx');
const languages = readFileSync(shipped('helix', 'languages.toml'), 'utf8');
// typescript-language-server would ask npm for types, and answer before it has loaded the project.
const noDownloads = `
[language-server.typescript-language-server.config]
disableAutomaticTypingAcquisition = true
tsserver = { useSyntaxServer = "never" }
`;

// Helix runs in a terminal that is a buffer of Debian 12's Neovim: keys are typed into it, and what it shows are the buffer's lines.
// Neovim's own start screen is none: the terminal has all of it.
const terminal = (file) => `
  vim.o.columns, vim.o.lines, vim.o.laststatus, vim.o.ruler, vim.o.showmode, vim.o.cmdheight = 120, 41, 0, false, false, 1
  vim.cmd('enew')
  local H = { ended = false }
  H.channel = vim.fn.termopen({ '${helix}', '${file}' },
    { env = { TERM = 'xterm-256color' }, on_exit = function() H.ended = true end })
  assert(H.channel > 0, 'Helix was not started')
  function H.lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
  function H.screen() return table.concat(H.lines(), '\\n') end
  function H.type(keys) vim.fn.chansend(H.channel, keys) end
  function H.wait(what, condition)
    if not vim.wait(${waitLimit}, function() return H.ended or condition() end, 20) or H.ended then
      error((H.ended and 'Helix has ended, waiting for: ' or 'not in time: ') .. what .. '\\n' .. H.screen())
    end
  end
  function H.shows(text) return H.screen():find(text, 1, true) ~= nil end
  -- What the status line has of the cursor: one-based line and column.
  function H.place() return H.screen():match(' 1 sel +(%d+:%d+)') end
  local function refused()
    for _, text in ipairs({ 'No configured language server', 'No language server supporting', 'No hover results', ' 0/0 ' }) do
      if H.shows(text) then return true end
    end
    return false
  end
  -- Types space and a key, and again whenever Helix says that there is no answer (yet): the server may not be ready, or not have read the
  -- file. It never asks twice before an answer, since two answers are two pickers, one upon the other. What is open is closed before the
  -- next try, and a while later, since escape and a key that are read at once are Alt with that key.
  function H.space(key, text)
    H.wait(text, function()
      H.type(' ')
      H.wait('the menu of space', function() return H.shows('Space') and not refused() end)
      H.type(key)
      H.wait(text, function() return H.shows(text) or refused() end)
      if H.shows(text) then return true end
      H.type('\\27')
      vim.wait(300)
      return false
    end)
  end
  function H.quit()
    H.type(':quit!\\r')
    if not vim.wait(${waitLimit}, function() return H.ended end, 20) then error('Helix has not ended\\n' .. H.screen()) end
  end
`;

/** Runs `script`, Lua in which `H` is Helix with `file` open, and gives what it returns; `languages` is its languages.toml, if any. */
async function runHelix(t, { files = {}, languages: configuration, file, script, ...options }) {
  const { result } = await runVim(t, { ...neovim, program: 'nvim' }, {
    ...options, files: { ...(configuration === undefined ? {} : { '.config/helix/languages.toml': configuration }), ...files },
    lua: `${terminal(file)}
      H.wait('its first screen', function() return H.screen():find('NOR', 1, true) end)
      local result = (function() ${script} end)()
      H.quit()
      return result`,
  });
  return result;
}

// What the picker is to have (Lua's patterns), where it leads (line:column, one-based, of the range's first character), and what the hover has
// besides what stands in the source.
const cases = {
  clangd: {
    file: 'names.cpp', text: sources['names.cpp'], symbol: 'höhe', at: '2:25', hover: 'Size: 4 bytes', settings: '',
    picked: ['variable%s+accented', 'variable%s+wide', 'variable%s+astral', 's%s+Größe', 'field%s+höhe', 'function%s+tabbed'],
  },
  'typescript-language-server': {
    file: 'names.ts', symbol: 'größe', at: '1:14', hover: '(a: number): number', settings: noDownloads,
    text: `/* é 漢字 😀 */ export function größe(a: number) { return a; }
export class Kreis { /* 😀 */ fläche() { return größe(1); } }
`,
    picked: ['function%s+größe', 'class%s+Kreis', 'method%s+fläche'],
  },
};

// The picker, the place to which it leads, and the hover there.
const pickerJumpAndHover = ({ symbol, hover, picked }) => `
  H.space('s', ' ${picked.length}/${picked.length} ')
  for _, pattern in ipairs({ ${picked.map((pattern) => `'${pattern}'`).join(', ')} }) do
    H.wait(pattern, function() return H.screen():find(pattern) end)
  end
  H.type('${symbol}')
  H.wait('only that symbol', function() return H.shows(' 1/${picked.length} ') end)
  H.type('\\r')
  H.wait('the place of the symbol', function() return not H.shows(' 1/${picked.length} ') and H.place() ~= '1:1' end)
  local place = H.place()
  H.type('/${symbol}\\r')
  H.wait('the name', function() return H.place() ~= place and not H.shows('search:') end)
  H.space('k', '${hover}')
  return place`;

for (const [name, { file, text, settings, at, ...wanted }] of Object.entries(cases)) {
  test(`${name}: symbol picker, jump and hover`, limit, async (t) => {
    const place = await runHelix(t, { files: { [file]: text }, file, languages: languages + settings, script: pickerJumpAndHover(wanted) });
    assert.equal(place, at);
  });
}

async function checkHealth(t, language, says, home) {
  const { env, home: cwd } = editorHome(t, home);
  const { status, output } = await runToEnd(t, helix, ['--health', language], { env, cwd });
  assert.equal(status, 0, output);
  assert.match(output.replace(/\x1b\[[\d;]*m/g, ''), says);
}

for (const language of ['c', 'cpp', 'typescript', 'tsx', 'javascript', 'jsx']) {
  test(`hx --health ${language}: the program is its server`, limit, (t) =>
    checkHealth(t, language, /Configured language servers:\s+✓ symbols: \S+\/bin\/symbols\n/, { files: { '.config/helix/languages.toml': languages } }));
}

test('what symbols setup writes is read, and serves', limit, async (t) => {
  for (const language of ['cpp', 'typescript'])
    await checkHealth(t, language, /Configured language servers:\s+✓ \S+\/bin\/symbols: \/\S+\/bin\/symbols\n/, { setup: 'helix' });
  const { file, text, at, ...wanted } = cases.clangd;
  assert.equal(await runHelix(t, { setup: 'helix', files: { [file]: text }, file, script: pickerJumpAndHover(wanted) }), at);
});
