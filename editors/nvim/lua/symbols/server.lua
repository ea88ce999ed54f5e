-- Starts the configured language servers behind the proxy, and sees to it that none runs twice for a buffer. Neovim 0.11
-- calls it by lsp/symbols.lua; before, there is no vim.lsp.enable, so an autocommand does.
local config = require('symbols.config')
local clients = require('symbols.clients')

local M = {}

local told = {}

local function tell_once(message)
  if told[message] then return end
  told[message] = true
  vim.notify(message, vim.log.levels.WARN)
end

-- The nearest folder above the file that holds one of these names, else the file's own folder.
local function root_of(file, markers)
  local start = vim.fn.fnamemodify(file, ':p:h')
  local folder = start
  while true do
    for _, marker in ipairs(markers or {}) do
      if (vim.uv or vim.loop).fs_stat(folder .. '/' .. marker) then return folder end
    end
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then return start end
    folder = parent
  end
end

-- What the user has told Neovim 0.11 about it, with vim.lsp.config('symbols', …) and vim.lsp.config('*', …).
local function options_of_neovim()
  if vim.fn.has('nvim-0.11') == 0 then return {} end
  local options = vim.deepcopy(vim.lsp.config.symbols)
  for _, own in ipairs({ 'cmd', 'filetypes', 'root_dir', 'root_markers' }) do options[own] = nil end
  return options
end

local function client_config(name, server, root)
  local language_ids = server.language_ids or {}
  return vim.tbl_deep_extend('force', {
    capabilities = vim.lsp.protocol.make_client_capabilities(),
    flags = {},
  }, options_of_neovim(), {
    name = 'symbols',
    symbols_server = name,
    cmd = config.wrap(server.cmd),
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    init_options = server.init_options,
    settings = server.settings,
    get_language_id = function(_, filetype) return language_ids[filetype] or filetype end,
  })
end

local function is_same(client, wanted)
  return client.config.symbols_server == wanted.symbols_server and client.config.root_dir == wanted.root_dir
end

local function launch(bufnr, wanted)
  if vim.lsp.start then
    -- Neovim 0.8 attaches the current buffer, whatever `bufnr` is.
    vim.api.nvim_buf_call(bufnr, function() vim.lsp.start(wanted, { bufnr = bufnr, reuse_client = is_same }) end)
    return
  end
  -- Neovim 0.7: those that still initialize are not among the active clients, hence a list of our own.
  M.started = M.started or {}
  for id, earlier in pairs(M.started) do
    if is_same({ config = earlier }, wanted) then
      vim.lsp.buf_attach_client(bufnr, id)
      return
    end
  end
  local on_exit = wanted.on_exit
  wanted.on_exit = function(code, signal, id)
    M.started[id] = nil
    if on_exit then on_exit(code, signal, id) end
  end
  local id = vim.lsp.start_client(wanted)
  if not id then return end
  M.started[id] = wanted
  vim.lsp.buf_attach_client(bufnr, id)
end

--- Starts the server of the buffer's filetype behind the proxy, where it is installed and does not serve the buffer already.
function M.start(bufnr)
  local file = vim.api.nvim_buf_get_name(bufnr)
  if file == '' or vim.bo[bufnr].buftype ~= '' then return end
  local name, server = config.server_of(vim.bo[bufnr].filetype)
  if not name then return end

  -- Later, so that what else starts servers for this filetype is seen.
  vim.schedule(function()
    if not vim.api.nvim_buf_is_loaded(bufnr) then return end
    local other = clients.serving(bufnr, server.cmd[1])
    if other then
      if not config.server_behind_proxy(other.config.cmd) then
        tell_once(('symbols: %s serves this buffer already, without the proxy (client %s), and is not started a second time; '
          .. 'see :help symbols-wrap'):format(clients.program_of(other), other.name))
      end
      return
    end
    local program = config.get().program
    if vim.fn.executable(program) == 0 then
      tell_once(('symbols: the program %s is not found, so no language server was started; see :checkhealth symbols'):format(program))
      return
    end
    -- Quietly: the servers are defaults, and nobody has all of them. `:Symbols` and `:checkhealth symbols` tell.
    if vim.fn.executable(server.cmd[1]) == 0 then return end
    launch(bufnr, client_config(name, server, root_of(file, server.root_markers)))
  end)
end

--- Before Neovim 0.11: starts servers for the buffers that are there, and for those to come.
function M.enable()
  if vim.lsp.enable then return end
  local group = vim.api.nvim_create_augroup('symbols', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = config.filetypes(),
    callback = function(event) M.start(event.buf) end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then M.start(bufnr) end
  end
end

return M
