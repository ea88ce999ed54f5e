" Commands that show the symbols of the buffer as a compact table, and what they can be told. The work is done in autoload/.
if exists('g:loaded_symbols') || v:version < 802
  finish
endif
let g:loaded_symbols = 1

" The program: a name on the PATH, or a path.
let g:symbols_program = get(g:, 'symbols_program', 'symbols')
" What the commands ask for where they are given no format: table, tree, outline, tsv, toon or packed. 'auto': the window, which
" people read, has the outline with kinds spelled out; the register, which is for a prompt, has the table.
let g:symbols_format = get(g:, 'symbols_format', 'auto')
" Options of every request, by the names that the proxy has for them.
let g:symbols_options = get(g:, 'symbols_options', {'return_children': 'yes'})
" How the window of a table is opened.
let g:symbols_window = get(g:, 'symbols_window', 'botright 15new')
" How long an answer is waited for, in milliseconds.
let g:symbols_timeout = get(g:, 'symbols_timeout', 60000)
" For ALE's linter `symbols`: the command line of each filetype's language server.
let g:symbols_servers = extend({
      \ 'c': 'clangd', 'cpp': 'clangd', 'objc': 'clangd', 'objcpp': 'clangd', 'cuda': 'clangd',
      \ 'typescript': 'typescript-language-server --stdio',
      \ 'javascript': 'typescript-language-server --stdio',
      \ 'python': 'pyright-langserver --stdio',
      \ 'go': 'gopls',
      \ 'rust': 'rust-analyzer',
      \ }, get(g:, 'symbols_servers', {}))
" How the proxy runs before them. ALE answers none of the requests of a server, and some servers wait for that for ever.
let g:symbols_proxy_options = get(g:, 'symbols_proxy_options', '--format standard --answer all')
" One of these is in the folder of a project.
let g:symbols_root_markers = get(g:, 'symbols_root_markers', ['compile_commands.json', 'tsconfig.json', 'package.json',
      \ 'pyproject.toml', 'go.mod', 'Cargo.toml', '.git'])

command! -nargs=* -complete=customlist,symbols#Complete Symbols call symbols#Show([<f-args>])
command! -nargs=* -complete=customlist,symbols#Complete SymbolsYank call symbols#Yank([<f-args>])
