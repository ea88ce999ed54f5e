" This machine's paths, filled in and written by `symbols setup vim` as plugin/machine.vim of the plugin. What your vimrc sets
" counts before it.
let g:symbols_program = get(g:, 'symbols_program', @program@)
let g:symbols_servers = extend({
      \ 'c': @line clangd@, 'cpp': @line clangd@, 'objc': @line clangd@, 'objcpp': @line clangd@, 'cuda': @line clangd@,
      \ 'typescript': @line typescript-language-server --stdio@,
      \ 'javascript': @line typescript-language-server --stdio@,
      \ 'python': @line pyright-langserver --stdio@,
      \ 'go': @line gopls@,
      \ 'rust': @line rust-analyzer@,
      \ }, get(g:, 'symbols_servers', {}))
