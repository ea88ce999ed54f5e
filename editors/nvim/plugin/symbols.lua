-- The commands. What they do is loaded when the first of them is used.
if vim.g.loaded_symbols then return end
vim.g.loaded_symbols = true

local function complete(...)
  return require('symbols.arguments').complete(...)
end

local function command(name, action, options)
  vim.api.nvim_create_user_command(name, function(call)
    require('symbols')[action](call.fargs)
  end, options)
end

command('Symbols', 'show_command', {
  nargs = '*',
  complete = complete,
  desc = 'The symbol table of this buffer in a window: [format] [option=value ...]',
})
command('SymbolsYank', 'yank_command', {
  nargs = '*',
  complete = complete,
  desc = 'The symbol table of this buffer into a register: [register] [format] [option=value ...]',
})
command('SymbolsContext', 'context_command', {
  nargs = '*',
  desc = 'All about the symbol at the cursor, or of this name, in a window: [name] [option=value ...]',
})
