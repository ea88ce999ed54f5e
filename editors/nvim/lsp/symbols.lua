-- What `vim.lsp.enable('symbols')` of Neovim 0.11 and later enables: for a file of a configured filetype its language server,
-- behind `symbols proxy`. One name stands for all of these servers, so which one it is (and whether there is one already) is
-- decided for each buffer, by lua/symbols/server.lua, which starts it; `on_dir`, which would start a single command for all
-- filetypes, is never called.
local config = require('symbols.config')

return {
  -- Where this is no program, Neovim leaves the buffer alone; `:checkhealth symbols` says so.
  cmd = { config.get().program },
  filetypes = config.filetypes(),
  root_dir = function(bufnr, _)
    require('symbols.server').start(bufnr)
  end,
}
