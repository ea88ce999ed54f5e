-- The plugin's interface. Its parts are loaded on first use.
local M = {}

--- Sets options (:help symbols-setup) and, before Neovim 0.11, starts the configured servers behind the proxy from then on.
--- From 0.11 on vim.lsp.enable('symbols') starts them, called before or after this.
function M.setup(options)
  require('symbols.config').set('user', options)
  require('symbols.server').enable()
end

--- The same for the paths of this machine: plugin/machine.lua, which `symbols setup nvim` writes. setup() takes precedence, whatever
--- the order of the calls.
function M.setup_machine(options)
  require('symbols.config').set('machine', options)
  require('symbols.server').enable()
end

--- The command line of a language server that is configured elsewhere, behind the proxy:
---   cmd = require('symbols').wrap({ 'clangd', '--background-index' })
function M.wrap(cmd)
  return require('symbols.config').wrap(cmd)
end

-- Opens a window with the answer to `request` of request.lua.
local function show(request, wanted)
  wanted.options.positions = true
  request(vim.api.nvim_get_current_buf(), wanted, function(answer) require('symbols.window').open(answer) end)
end

-- Runs a command; shows its error, a string without a traceback.
local function reported(action)
  local ok, message = pcall(action)
  if not ok then vim.notify(tostring(message), vim.log.levels.ERROR) end
end

--- `:Symbols`: opens a window with the buffer's symbols.
function M.show_command(words)
  reported(function()
    show(require('symbols.request').document, require('symbols.arguments').parse(words))
  end)
end

--- `:SymbolsYank`: puts the buffer's symbols into a register.
function M.yank_command(words)
  reported(function()
    local wanted = require('symbols.arguments').parse(words, { register = true })
    require('symbols.request').document(vim.api.nvim_get_current_buf(), wanted, function(answer)
      vim.fn.setreg(wanted.register, answer.text, 'l')
      vim.notify(('symbols: %d lines of %s in register %s'):format(#vim.split(answer.text, '\n'), answer.format, wanted.register))
    end)
  end)
end

--- `:SymbolsContext`: opens a window with the context of one symbol.
function M.context_command(words)
  reported(function()
    show(require('symbols.request').context, require('symbols.arguments').parse(words, { name = true }))
  end)
end

return M
