" ALE's linter `symbols`: a filetype's language server behind `symbols proxy`, in the mode that leaves hover, outline and all
" else to the server. The files in ale_linters/ define it, one for each filetype, which is where ALE looks.

" ALE runs every linter that a filetype has unless it is told which; the server would then run twice, once without the proxy. So
" this one runs only where it is named: let g:ale_linters = {'cpp': ['symbols']}
function! s:IsNamed(buffer, filetype) abort
  let l:linters = getbufvar(a:buffer, 'ale_linters', get(g:, 'ale_linters', {}))
  let l:named = type(l:linters) == v:t_dict ? get(l:linters, a:filetype, []) : l:linters
  return type(l:named) == v:t_list && index(l:named, 'symbols') >= 0
endfunction

function! s:Executable(filetype, buffer) abort
  return s:IsNamed(a:buffer, a:filetype) ? g:symbols_program : ''
endfunction

function! s:Command(filetype, buffer) abort
  return '%e proxy ' . g:symbols_proxy_options . ' -- ' . g:symbols_servers[a:filetype]
endfunction

" The nearest folder above the file that holds one of the markers, else the file's own folder.
function! s:Root(buffer) abort
  let l:folder = fnamemodify(bufname(a:buffer), ':p:h')
  let l:start = l:folder
  while 1
    for l:marker in g:symbols_root_markers
      if !empty(glob(l:folder . '/' . l:marker, 1))
        return l:folder
      endif
    endfor
    let l:parent = fnamemodify(l:folder, ':h')
    if l:parent ==# l:folder
      return l:start
    endif
    let l:folder = l:parent
  endwhile
endfunction

function! symbols#ale#Define(filetype) abort
  runtime plugin/symbols.vim
  call ale#linter#Define(a:filetype, {
        \ 'name': 'symbols',
        \ 'lsp': 'stdio',
        \ 'executable': function('s:Executable', [a:filetype]),
        \ 'command': function('s:Command', [a:filetype]),
        \ 'project_root': function('s:Root'),
        \ })
endfunction
