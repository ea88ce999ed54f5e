// Runs Neovim without a screen, with the plugin installed as its README says. Which one: SYMBOLS_NVIM, else the one on the PATH. What
// is written here and in the tests runs in any version from 0.7 on, and calls nothing that the version has deprecated.
import { readFileSync } from 'node:fs';
import { editorHome, runToEnd, shipped, waitLimit } from './editor_home.mjs';

export { limit } from './editor_home.mjs';

const nvim = process.env.SYMBOLS_NVIM ?? 'nvim';

export const setup = (options = '') => `require('symbols').setup(${options})
  if vim.lsp.enable then vim.lsp.enable('symbols') end`;

/** An init.lua that starts a server of its own for each buffer of these filetypes; `config` is a Lua table. */
export const startsServer = (config) => `
  vim.api.nvim_create_autocmd('FileType', { pattern = { 'cpp', 'typescript' }, callback = function(event)
    if vim.lsp.start then
      vim.lsp.start(${config}, { bufnr = event.buf, reuse_client = function() return false end })
    else
      vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(${config}))
    end
  end })`;

export const withoutProxy = (server, options = 'nil') =>
  startsServer(`{ name = 'plain', cmd = vim.split('${server}', ' '), root_dir = vim.fn.getcwd(), init_options = ${options} }`);

// Runs before the user's own lines. What Neovim would warn of is collected, whoever calls it; :checkhealth vim.deprecated has the same.
const noteDeprecated = `
deprecated_calls = {}
if vim.deprecate then
  vim.deprecate = function(name, alternative)
    table.insert(deprecated_calls, debug.traceback(('%s is deprecated: %s'):format(name, tostring(alternative))))
  end
end
`;

// What the scripts of the tests are written with. A condition that does not come true in time ends the script with an error.
const prelude = `
local T = {}
function T.wait(what, condition)
  if not vim.wait(${waitLimit}, condition, 20) then error('not within ${waitLimit} ms: ' .. what) end
end
-- Those of the buffer, which is the current one.
function T.clients()
  if vim.lsp.get_clients then return vim.lsp.get_clients({ bufnr = vim.api.nvim_get_current_buf() }) end
  return vim.tbl_values(vim.lsp.buf_get_clients(0))
end
function T.attached(count)
  T.wait('a language client', function()
    local ready = 0
    for _, client in pairs(T.clients()) do
      if client.initialized then ready = ready + 1 end
    end
    return ready >= (count or 1)
  end)
end
T.told = {}
vim.notify = function(message) table.insert(T.told, message) end
function T.told_something()
  local count = #T.told
  return function() T.wait('a message', function() return #T.told > count end) return T.told[#T.told] end
end
-- Runs a command of the plugin that opens a window, and gives the lines in it; the cursor is there then.
function T.table(command)
  local source = vim.api.nvim_get_current_buf()
  local told = #T.told
  local config = require('symbols.config').get()
  if config.timeout_ms == 60000 then config.timeout_ms = ${waitLimit} end
  vim.cmd(command)
  T.wait('the window of ' .. command, function() return vim.bo.filetype == 'symbols' or #T.told > told end)
  if vim.bo.filetype ~= 'symbols' then error(command .. ': ' .. T.told[#T.told]) end
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end
function T.press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xt', false)
end
-- Types \`keys\` and stays in the mode that they lead to until something is said or a table has the window, then types \`last\`.
function T.until_told(keys, last)
  local timer = vim.loop.new_timer()
  timer:start(20, 20, vim.schedule_wrap(function()
    if timer:is_closing() or #T.told == 0 and vim.bo.filetype ~= 'symbols' then return end
    timer:close()
    vim.api.nvim_input(last)
  end))
  vim.api.nvim_feedkeys(keys, 'x!', false)
end
function T.cursor()
  local place = vim.api.nvim_win_get_cursor(0)
  return { file = vim.fn.expand('%:t'), line = place[1] - 1, byte = place[2] }
end
`;

/**
 * Runs `script`, Lua in which \`T\` is the prelude's, in a Neovim that has \`file\` open; gives what it returns.
 * `init` is the user's init.lua; `files` are files of the home, where Neovim runs too.
 */
export async function runNvim(t, { init = '', files = {}, links = {}, programs, file, script, program = nvim }) {
  const { home, env, place } = editorHome(t, {
    programs,
    files: {
      '.config/nvim/init.lua': `${noteDeprecated}${init}`,
      'test.lua': `${prelude}
local function script() ${script} end
local ok, result = xpcall(script, debug.traceback)
local output = assert(io.open('result.json', 'w'))
output:write(vim.fn.json_encode({ ok = ok, result = result == nil and vim.NIL or result, told = T.told, deprecated = deprecated_calls }))
output:close()
vim.cmd('qall!')
`,
      ...files,
    },
    links: { ...links, '.local/share/nvim/site/pack/symbols/start/symbols': shipped('nvim') },
  });
  const ended = await runToEnd(t, program, ['--headless', '-n', '-i', 'NONE', ...(file ? [file] : []), '-c', 'luafile test.lua'], { env, cwd: home });
  let answer;
  try {
    answer = JSON.parse(readFileSync(place('result.json'), 'utf8'));
  } catch (error) {
    throw new Error(`Neovim ended with ${ended.signal ?? ended.status} and left no result (${error.message}): ${ended.output}`);
  }
  if (!answer.ok) throw new Error(`${answer.result}\ntold: ${answer.told.join('\n')}\n${ended.output}`);
  if (answer.deprecated.length > 0) throw new Error(answer.deprecated.join('\n'));
  return { result: answer.result, told: answer.told, output: ended.output, home };
}
