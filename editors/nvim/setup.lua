-- This machine's paths, filled in and written by `symbols setup nvim` as plugin/machine.lua of the plugin. `symbols setup nvim
-- --write` replaces it; what you want otherwise goes into your init.lua, into a call of setup(), which counts before this.
require('symbols').setup_machine({
  program = @program@,
  servers = {
    clangd = { cmd = { @command clangd@ } },
    ['typescript-language-server'] = { cmd = { @command typescript-language-server --stdio@ } },
    pyright = { cmd = { @command pyright-langserver --stdio@ } },
    gopls = { cmd = { @command gopls@ } },
    ['rust-analyzer'] = { cmd = { @command rust-analyzer@ } },
  },
})
-- Neovim 0.11 and later start servers of that name; before, setup_machine() has done so.
if vim.lsp.enable then vim.lsp.enable('symbols') end
