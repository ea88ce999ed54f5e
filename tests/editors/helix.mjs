// Runs Helix in a terminal that is a buffer of Debian 12's Neovim: keys are typed into it, and what it shows are the buffer's lines.
import { join } from 'node:path';
import { project } from '../e2e/program.mjs';
import { waitLimit } from './editor_home.mjs';
import { runNvim } from './nvim.mjs';

/** Helix, where tests/editors/debian_13.sh has put it, or another one. */
export const helix = process.env.SYMBOLS_HX ?? join(project, 'tests', 'editors', 'debian-13', 'bin', 'hx');

// Neovim's own start screen is none: the terminal has all of it.
const terminal = (file) => `
  vim.o.columns, vim.o.lines, vim.o.laststatus, vim.o.ruler, vim.o.showmode, vim.o.cmdheight = 120, 41, 0, false, false, 1
  vim.cmd('enew')
  local H = { ended = false }
  H.channel = vim.fn.termopen({ '${helix}', ${file ? `'${file}'` : ''} },
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
  -- The screen without its last two lines, where messages and progress come and go, once it is the expected one or stands still for two
  -- seconds: what Helix draws may come in parts.
  function H.view(expected)
    local last, still = nil, 0
    while true do
      local view = table.concat(H.lines(), '\\n', 1, 38)
      still = view == last and still + 1 or 0
      last = view
      if view == expected or still == 20 then return view end
      vim.wait(100)
    end
  end
  -- Whether a proxy runs that this Helix has started, which is the only one in this home.
  function H.has_proxy()
    local function read(path)
      local file = io.open(path, 'rb')
      local text = file and file:read('*a') or ''
      if file then file:close() end
      return text
    end
    for _, process in ipairs(vim.fn.glob('/proc/[0-9]*', true, true)) do
      if read(process .. '/cmdline'):find('symbols%zproxy%z') and read(process .. '/environ'):find('HOME=' .. vim.env.HOME, 1, true) then
        return true
      end
    end
    return false
  end
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
  function H.space(key, text, expected)
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
    return H.view(expected)
  end
  function H.quit()
    H.type(':quit!\\r')
    if not vim.wait(${waitLimit}, function() return H.ended end, 20) then error('Helix has not ended\\n' .. H.screen()) end
  end
`;

/**
 * Runs `script`, Lua in which `H` is Helix with `file` open, and gives what it returns; `languages` is its languages.toml,
 * if any.
 */
export async function runHelix(t, { files = {}, languages, file, script, programs }) {
  const configuration = languages === undefined ? {} : { '.config/helix/languages.toml': languages };
  return runNvim(t, {
    program: 'nvim', programs, files: { ...configuration, ...files },
    script: `${terminal(file)}
      H.wait('its first screen', function() return H.screen():find('NOR', 1, true) end)
      local result = (function() ${script} end)()
      H.quit()
      return result`,
  });
}
