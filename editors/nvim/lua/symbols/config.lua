-- What can be configured, its defaults, and what follows from it: which server a filetype has, and its command line behind
-- the proxy.
local M = {}

local defaults = {
  -- The program: a name on the PATH, or a path.
  program = 'symbols',
  -- More options of `symbols proxy`, such as { '--log', '/tmp/symbols.log' }.
  proxy_options = {},
  -- What `:Symbols` and `:SymbolsYank` ask for where they are given no format. 'auto': the window, which people read, has the
  -- outline with kinds spelled out; the register, which is for a prompt, has the table.
  format = 'auto',
  -- Options of these requests, by the names that the proxy has for them (:help symbols-options).
  options = { return_children = 'yes' },
  -- How long they wait for the answer, in milliseconds.
  timeout_ms = 60000,
  -- How the window of a table is opened.
  window = 'botright 15split',
  -- The servers that `vim.lsp.enable('symbols')`, or setup() before Neovim 0.11, starts behind the proxy, for these
  -- filetypes. A server that is not installed is left alone. `false` in the place of one removes it.
  servers = {
    clangd = {
      cmd = { 'clangd' },
      filetypes = { 'c', 'cpp', 'objc', 'objcpp', 'cuda' },
      root_markers = { '.clangd', 'compile_commands.json', 'compile_flags.txt', '.git' },
      language_ids = { objc = 'objective-c', objcpp = 'objective-cpp', cuda = 'cuda-cpp' },
    },
    ['typescript-language-server'] = {
      cmd = { 'typescript-language-server', '--stdio' },
      filetypes = { 'typescript', 'typescriptreact', 'javascript', 'javascriptreact' },
      root_markers = { 'tsconfig.json', 'jsconfig.json', 'package.json', '.git' },
    },
    pyright = {
      cmd = { 'pyright-langserver', '--stdio' },
      filetypes = { 'python' },
      root_markers = { 'pyrightconfig.json', 'pyproject.toml', 'setup.py', 'requirements.txt', '.git' },
    },
    gopls = {
      cmd = { 'gopls' },
      filetypes = { 'go', 'gomod' },
      root_markers = { 'go.work', 'go.mod', '.git' },
    },
    ['rust-analyzer'] = {
      cmd = { 'rust-analyzer' },
      filetypes = { 'rust' },
      root_markers = { 'Cargo.toml', '.git' },
    },
  },
}

-- The formats that the commands show. `json` is not among them: as the proxy answers it, it is what Neovim itself asks for
-- with vim.lsp.buf.document_symbol().
M.formats = { 'table', 'tree', 'outline', 'tsv', 'toon', 'packed' }

-- What was said, each over the one before, in whichever order it was said: init.lua runs before the plugin's own files.
local layers = { machine = {}, user = {} }
local current = vim.deepcopy(defaults)

local function expect(value, name, expected)
  if type(value) ~= expected then
    error(('symbols: setup: %s must be a %s, is a %s; see :help symbols-setup'):format(name, expected, type(value)), 0)
  end
end

local function check(config)
  for name, value in pairs(defaults) do expect(config[name], name, type(value)) end
  for name in pairs(config) do
    if defaults[name] == nil then
      local known = vim.tbl_keys(defaults)
      table.sort(known)
      error(('symbols: setup: there is no option %s; there are %s'):format(name, table.concat(known, ', ')), 0)
    end
  end
  if config.format ~= 'auto' then M.check_format(config.format) end
  for name, server in pairs(config.servers) do
    if server then
      expect(server, 'servers.' .. name, 'table')
      for _, member in ipairs({ 'cmd', 'filetypes' }) do expect(server[member], 'servers.' .. name .. '.' .. member, 'table') end
      if #server.cmd == 0 then error(('symbols: setup: servers.%s.cmd is empty; give the command and its arguments'):format(name), 0) end
    end
  end
end

--- The configuration in force.
function M.get()
  return current
end

--- Sets the options of a layer: 'machine' for what was found on this machine, 'user' for what the user says, which counts before
--- it. They are merged into the defaults; lists are replaced, not merged.
function M.set(layer, options)
  local said = vim.tbl_extend('force', layers, { [layer] = options or {} })
  local merged = vim.tbl_deep_extend('force', vim.deepcopy(defaults), said.machine, said.user)
  check(merged)
  layers, current = said, merged
end

--- Fails, saying what there is, where `format` is none.
function M.check_format(format)
  if vim.tbl_contains(M.formats, format) then return end
  local hint = ''
  if format == 'json' or format == 'standard' then
    hint = ' (LSP\'s own form is what :lua vim.lsp.buf.document_symbol() shows)'
  end
  error(('symbols: there is no format %s%s; there are %s'):format(tostring(format), hint, table.concat(M.formats, ', ')), 0)
end

--- The name and the configuration of the server of a filetype, or nil.
function M.server_of(filetype)
  local names = vim.tbl_keys(current.servers)
  table.sort(names)
  for _, name in ipairs(names) do
    local server = current.servers[name]
    if server and vim.tbl_contains(server.filetypes, filetype) then return name, server end
  end
end

--- All filetypes that have a server.
function M.filetypes()
  local filetypes = {}
  for _, server in pairs(current.servers) do
    if server then vim.list_extend(filetypes, server.filetypes) end
  end
  table.sort(filetypes)
  return filetypes
end

--- The command line of a server behind the proxy. In an editor that is --format standard: outline and hover stay the
--- server's own, and a table is had by asking for it.
function M.wrap(cmd)
  if type(cmd) ~= 'table' then
    error(('symbols: wrap() takes the command line of a server as a list, such as { "clangd" }, not a %s'):format(type(cmd)), 0)
  end
  if M.server_behind_proxy(cmd) then return vim.deepcopy(cmd) end
  local wrapped = { current.program, 'proxy', '--format', 'standard' }
  vim.list_extend(wrapped, current.proxy_options)
  table.insert(wrapped, '--')
  return vim.list_extend(wrapped, cmd)
end

--- The program of the server in a command line that starts it behind the proxy, or nil.
function M.server_behind_proxy(cmd)
  if type(cmd) ~= 'table' or cmd[2] ~= 'proxy' then return nil end
  for i, argument in ipairs(cmd) do
    if argument == '--' then return cmd[i + 1] end
  end
end

return M
