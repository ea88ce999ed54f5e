-- Which language clients a buffer has, and which of them talk to `symbols proxy`: whatever started them, the proxy says so in
-- its server's capabilities.
local M = {}

-- Ids count from 1; those of clients that have ended are missing, hardly so many in a row.
local longest_gap = 100

--- The clients that a buffer is attached to, in the order they were started; those too that still initialize, which
--- Neovim's own lists leave out.
function M.of_buffer(bufnr)
  local list, id, gap = {}, 1, 0
  while gap < longest_gap do
    local client = vim.lsp.get_client_by_id(id)
    gap = client and 0 or gap + 1
    if client and vim.lsp.buf_is_attached(bufnr, id) then list[#list + 1] = client end
    id = id + 1
  end
  return list
end

--- What the proxy says of itself to a client, {version, formats, options}, or nil: no proxy.
function M.proxy_of(client)
  local experimental = (client.server_capabilities or {}).experimental
  return type(experimental) == 'table' and experimental.symbols or nil
end

--- The first client of the buffer that talks to the proxy, or nil.
function M.proxied(bufnr)
  for _, client in ipairs(M.of_buffer(bufnr)) do
    if M.proxy_of(client) then return client end
  end
end

--- The program that a client runs as its server, as its command names it; nil where it is no command.
function M.program_of(client)
  local cmd = client.config.cmd
  if type(cmd) ~= 'table' then return nil end
  return require('symbols.config').server_behind_proxy(cmd) or cmd[1]
end

-- clangd-19 and clangd are versions of one server.
local function without_version(program)
  return (vim.fn.fnamemodify(program, ':t'):gsub('%-[%d.]+$', ''))
end

local function real_path(program)
  local path = vim.fn.exepath(program)
  return path ~= '' and (vim.uv or vim.loop).fs_realpath(path) or nil
end

--- Whether two programs are the same server: by name, whatever the version, or by the file that runs in the end.
function M.is_same_server(one, other)
  if without_version(one) == without_version(other) then return true end
  local path = real_path(one)
  return path ~= nil and path == real_path(other)
end

--- The client of the buffer that runs this server, in whatever version, or nil.
function M.serving(bufnr, program)
  for _, client in ipairs(M.of_buffer(bufnr)) do
    local running = M.program_of(client)
    if running and M.is_same_server(running, program) then return client end
  end
end

--- Sends a request; `handler(err, result)`. Returns whether it was sent.
function M.request(client, method, params, handler, bufnr)
  local function answered(err, result) handler(err, result) end
  if vim.fn.has('nvim-0.11') == 1 then return client:request(method, params, answered, bufnr) end
  return client.request(method, params, answered, bufnr)
end

return M
