-- The interface of the plugin. Each part of it is loaded when it is first used.
local M = {}

--- Sets options (:help symbols-setup) and, before Neovim 0.11, starts the configured servers behind the proxy from then on.
--- From 0.11 on that is said with vim.lsp.enable('symbols'), which may stand before or after.
function M.setup(options)
  require('symbols.config').set('user', options)
  require('symbols.server').enable()
end

--- The same for what was found on a machine, its paths: plugin/machine.lua, which `symbols setup nvim` writes. What is said with
--- setup() counts before it, whichever comes first.
function M.setup_machine(options)
  require('symbols.config').set('machine', options)
  require('symbols.server').enable()
end

--- The command line of a language server that is configured elsewhere, with the proxy put before it:
---   cmd = require('symbols').wrap({ 'clangd', '--background-index' })
function M.wrap(cmd)
  return require('symbols.config').wrap(cmd)
end

-- What a command does; an error that is for its user, a string without a traceback, is shown as such.
local function reported(action)
  local ok, message = pcall(action)
  if not ok then vim.notify(tostring(message), vim.log.levels.ERROR) end
end

--- `:Symbols`: opens a window with the buffer's symbols.
function M.show_command(words)
  reported(function()
    local wanted = require('symbols.arguments').parse(words)
    require('symbols.request').document(vim.api.nvim_get_current_buf(), wanted, function(answer)
      require('symbols.window').open(answer)
    end)
  end)
end

--- `:SymbolsYank`: puts them into a register.
function M.yank_command(words)
  reported(function()
    local wanted = require('symbols.arguments').parse(words, { register = true })
    require('symbols.request').document(vim.api.nvim_get_current_buf(), wanted, function(answer)
      vim.fn.setreg(wanted.register, answer.text, 'l')
      vim.notify(('symbols: %d lines of %s in register %s'):format(#vim.split(answer.text, '\n'), answer.format, wanted.register))
    end)
  end)
end

--- `:SymbolsContext`: opens a window with all about one symbol.
function M.context_command(words)
  reported(function()
    local wanted = require('symbols.arguments').parse(words, { name = true })
    require('symbols.request').context(vim.api.nvim_get_current_buf(), wanted, function(answer)
      require('symbols.window').open(answer)
    end)
  end)
end

return M
