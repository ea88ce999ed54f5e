-- Asks the proxy, through the buffer's own language client, so that the server sees the text that is in the editor and none
-- is started for it.
local clients = require('symbols.clients')
local config = require('symbols.config')

local M = {}

-- How often a question is asked anew because the text has changed since.
local most_attempts = 3

local function fail(...)
  error('symbols: ' .. string.format(...), 0)
end

-- Why the buffer has no client that could be asked, and what to do.
local function explain_missing(bufnr)
  local attached = clients.of_buffer(bufnr)
  local filetype = vim.bo[bufnr].filetype
  for _, client in ipairs(attached) do
    if not client.initialized then fail('%s is still starting; ask again in a moment', client.name) end
  end
  if #attached > 0 then
    local names = table.concat(vim.tbl_map(function(client) return client.name end, attached), ', ')
    fail('%s is attached to this buffer, but not through symbols proxy; put the proxy before its command: :help symbols-wrap', names)
  end
  local name, server = config.server_of(filetype)
  local program = config.get().program
  if vim.fn.executable(program) == 0 then
    fail('the program %s is not found; install it or name it in setup(): :checkhealth symbols', program)
  end
  if not name then
    fail('no language server is attached to this buffer, and none is configured for filetype %s: :help symbols-servers',
      filetype == '' and '(none)' or filetype)
  end
  if vim.fn.executable(server.cmd[1]) == 0 then
    fail('no language server is attached to this buffer: %s, which is configured for filetype %s, is not found; install it: '
      .. ':checkhealth symbols', server.cmd[1], filetype)
  end
  fail('no language server is attached to this buffer (yet); is it enabled? :help symbols-install')
end

local function check_options(client, options)
  local known = clients.proxy_of(client).options
  for name in pairs(options) do
    if not vim.tbl_contains(known, name) then
      fail('this version of the proxy has no option %s; it has %s', name, table.concat(known, ', '))
    end
  end
end

local function notify(message)
  vim.notify('symbols: ' .. message, vim.log.levels.ERROR)
end

local function is_answer(result)
  return type(result) == 'table' and result.success == true and type(result.symbols) == 'string'
end

-- Sends `method`; `on_answer` gets the proxy's reply once it is one about the text that is in the buffer now.
local function ask(client, bufnr, method, params, on_answer, attempt)
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  local finished = false
  local sent, id
  sent, id = clients.request(client, method, params, function(err, result)
    if finished then return end
    finished = true
    if err then
      return notify(('%s: %s'):format(client.name, err.message or vim.inspect(err)))
    end
    if not is_answer(result) then
      return notify(('%s answered with something that is not a table: %s'):format(client.name, vim.inspect(result):sub(1, 200)))
    end
    if not vim.api.nvim_buf_is_valid(bufnr) then return end
    if vim.api.nvim_buf_get_changedtick(bufnr) ~= tick then
      if attempt == most_attempts then
        return notify('the text changed each time before the answer came; ask again when it rests')
      end
      return ask(client, bufnr, method, params, on_answer, attempt + 1)
    end
    on_answer(result)
  end, bufnr)
  if not sent then fail('%s has stopped; :checkhealth symbols', client.name) end
  local limit = config.get().timeout_ms
  vim.defer_fn(function()
    if finished then return end
    finished = true
    if vim.fn.has('nvim-0.11') == 1 then client:cancel_request(id) else client.cancel_request(id) end
    notify(('%s has not answered within %d ms; it may still be loading the project'):format(client.name, limit))
  end, limit)
end

local function answer_of(client, bufnr, origin, format, result)
  return {
    text = result.symbols,
    format = format,
    meta = result.meta,
    bufnr = bufnr,
    window = origin,
    encoding = client.offset_encoding or 'utf-16',
  }
end

local function proxied(bufnr, options)
  local client = clients.proxied(bufnr) or explain_missing(bufnr)
  check_options(client, options)
  return client
end

--- Asks for the symbols of a buffer. `wanted`: { format, options }. Fails where there is nobody to ask.
function M.document(bufnr, wanted, on_answer)
  local client = proxied(bufnr, wanted.options)
  local origin = vim.api.nvim_get_current_win()
  local params = vim.tbl_extend('error', { textDocument = { uri = vim.uri_from_bufnr(bufnr) }, format = wanted.format }, wanted.options)
  ask(client, bufnr, 'textDocument/documentSymbol', params, function(result)
    on_answer(answer_of(client, bufnr, origin, wanted.format, result))
  end, 1)
end

--- Asks for all about the symbol called `wanted.name`, or else the one at the cursor.
function M.context(bufnr, wanted, on_answer)
  local client = proxied(bufnr, wanted.options)
  local origin = vim.api.nvim_get_current_win()
  local document = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  if wanted.name then
    document.name = wanted.name
  else
    document.position = vim.lsp.util.make_position_params(origin, client.offset_encoding or 'utf-16').position
  end
  local params = { command = 'symbols.context', arguments = { vim.tbl_extend('error', document, wanted.options) } }
  ask(client, bufnr, 'workspace/executeCommand', params, function(result)
    on_answer(answer_of(client, bufnr, origin, 'context', result))
  end, 1)
end

return M
