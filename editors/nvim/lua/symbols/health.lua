-- `:checkhealth symbols`: what is there, what is missing, and what to do about it.
local clients = require('symbols.clients')
local config = require('symbols.config')

local M = {}

-- Neovim before 0.10 has other names for these.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local function check_neovim()
  start('symbols: Neovim')
  if vim.lsp.enable then
    ok("this Neovim has vim.lsp.enable: servers are started by vim.lsp.enable('symbols')")
  elseif vim.fn.has('nvim-0.7') == 1 then
    ok("servers are started by require('symbols').setup(), since this Neovim has no vim.lsp.enable (0.11)")
  else
    fail('Neovim 0.7 or later is needed')
  end
end

local function check_program()
  start('symbols: the program')
  local program = config.get().program
  if vim.fn.executable(program) == 0 then
    fail(('%s is not found on the PATH'):format(program),
      { "Install it, or say where it is: require('symbols').setup({ program = '/path/to/symbols' })" })
    return
  end
  local version = vim.fn.system({ program, '--version' })
  if vim.v.shell_error ~= 0 or not version:match('^symbols %d') then
    fail(('%s is there, but is another program, or does not run: %s'):format(vim.fn.exepath(program), vim.trim(version)))
  else
    ok(('%s: %s'):format(vim.fn.exepath(program), vim.trim(version)))
  end
end

local function check_servers()
  start('symbols: language servers that are started behind the proxy')
  local names = vim.tbl_keys(config.get().servers)
  table.sort(names)
  local found = 0
  for _, name in ipairs(names) do
    local server = config.get().servers[name]
    if server then
      local filetypes = table.concat(server.filetypes, ', ')
      if vim.fn.executable(server.cmd[1]) == 1 then
        found = found + 1
        ok(('%s (%s): %s'):format(name, filetypes, vim.fn.exepath(server.cmd[1])))
      else
        info(('%s (%s): %s is not installed, or not on the PATH'):format(name, filetypes, server.cmd[1]))
      end
    end
  end
  if found == 0 then
    warn('none of them is installed', { 'Install one, or name yours in setup(): :help symbols-servers' })
  end
end

-- The programs of two clients that run the same server for one buffer, if there are such two.
local function doubled(list)
  local seen = {}
  for _, client in ipairs(list) do
    local program = clients.program_of(client)
    for _, earlier in ipairs(program and seen or {}) do
      if clients.is_same_server(earlier, program) then return earlier, program end
    end
    seen[#seen + 1] = program
  end
end

local function check_buffers()
  start('symbols: buffers')
  local served = 0
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local list = vim.api.nvim_buf_is_loaded(bufnr) and clients.of_buffer(bufnr) or {}
    local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
    for _, client in ipairs(list) do
      served = served + 1
      local proxy = clients.proxy_of(client)
      if proxy then
        ok(('%s: client %s, %s behind symbols %s'):format(file, client.name, clients.program_of(client) or 'a server', proxy.version))
      else
        info(('%s: client %s has no proxy before it (:help symbols-wrap)'):format(file, client.name))
      end
    end
    local program, again = doubled(list)
    if program then
      warn((program == again and '%s: %s runs twice for this buffer' or '%s: %s and %s, one server, both run for this buffer')
        :format(file, program, again),
        { 'Enable only one of the two configurations: :help symbols-wrap' })
    end
  end
  if served == 0 then info('no buffer has a language server attached') end
end

function M.check()
  check_neovim()
  check_program()
  check_servers()
  check_buffers()
end

return M
