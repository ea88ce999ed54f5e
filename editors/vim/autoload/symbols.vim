" The commands: their arguments, the window that shows the answer, and the jump from a row to its symbol.

" Without json, which editors request by themselves.
let s:formats = ['table', 'tree', 'outline', 'tsv', 'toon', 'packed']
let s:options = ['return_children', 'include_hover', 'verbosity', 'kind_names', 'fold', 'ends', 'fields', 'sort',
      \ 'kind', 'match', 'max_tokens', 'tokenizer', 'include', 'hover_chars', 'timeout']
let s:lists = ['fields', 'sort', 'kind', 'include']

function! s:Tell(message) abort
  echohl ErrorMsg
  echomsg 'symbols: ' . a:message
  echohl None
endfunction

function! s:Value(name, text) abort
  if index(s:lists, a:name) >= 0
    return split(a:text, ',')
  elseif a:text ==# 'true' || a:text ==# 'false'
    return a:text ==# 'true' ? v:true : v:false
  elseif a:name !=# 'match' && a:text =~# '^\d\+$'
    return str2nr(a:text)
  endif
  return a:text
endfunction

" Parses [format] [option=value ...]; with takes_register, [register] before it. Throws the error's message.
function! s:Parse(words, takes_register) abort
  let l:wanted = {'format': g:symbols_format, 'options': copy(g:symbols_options), 'register': v:register}
  let l:words = copy(a:words)
  if a:takes_register && !empty(l:words) && strlen(l:words[0]) == 1
    let l:wanted.register = remove(l:words, 0)
    if l:wanted.register !~# '[a-zA-Z0-9"*+_-]'
      throw 'symbols: there is no register ' . l:wanted.register . ' to write to'
    endif
  endif
  let l:formats = []
  for l:word in l:words
    let l:match = matchlist(l:word, '^\([a-z_]\+\)=\(.*\)$')
    if empty(l:match)
      call add(l:formats, l:word)
    elseif index(s:options, l:match[1]) < 0
      throw 'symbols: there is no option ' . l:match[1] . '; there are ' . join(s:options, ', ')
    else
      let l:wanted.options[l:match[1]] = s:Value(l:match[1], l:match[2])
    endif
  endfor
  if len(l:formats) > 1
    throw 'symbols: one format at a time, not ' . join(l:formats, ' and ')
  endif
  if empty(l:formats) && l:wanted.format ==# 'auto'
    let l:wanted.format = a:takes_register ? 'table' : 'outline'
    if !a:takes_register && !has_key(l:wanted.options, 'kind_names')
      let l:wanted.options.kind_names = v:true
    endif
  endif
  let l:wanted.format = get(l:formats, 0, l:wanted.format)
  if index(s:formats, l:wanted.format) < 0
    throw 'symbols: there is no format ' . l:wanted.format . '; there are ' . join(s:formats, ', ')
  endif
  return l:wanted
endfunction

function! symbols#Complete(lead, line, position) abort
  return filter(s:formats + map(copy(s:options), {_, name -> name . '='}), {_, word -> stridx(word, a:lead) == 0})
endfunction

" Requests the symbols; calls `Then(wanted, text)` with the answer.
function! s:Ask(words, takes_register, Then) abort
  try
    let l:wanted = s:Parse(a:words, a:takes_register)
    let l:wanted.options.positions = a:takes_register ? v:false : v:true
    let l:wanted.buffer = bufnr('')
    let l:wanted.window = win_getid()
    let l:wanted.changedtick = b:changedtick
    call symbols#ask#Document(l:wanted, {text -> a:Then(l:wanted, text)}, function('s:Tell'))
  catch /^symbols: /
    call s:Tell(substitute(v:exception, '^symbols: ', '', ''))
  endtry
endfunction

function! symbols#Show(words) abort
  call s:Ask(a:words, 0, function('s:Open'))
endfunction

function! symbols#Yank(words) abort
  call s:Ask(a:words, 1, function('s:Keep'))
endfunction

function! s:Keep(wanted, text) abort
  call setreg(a:wanted.register, a:text, 'l')
  echomsg printf('symbols: %d lines of %s in register %s', len(split(a:text, '\n', 1)), a:wanted.format, a:wanted.register)
endfunction

" Opens the window, or enters the one that shows a table of the same buffer.
function! s:EnterWindow(buffer) abort
  for l:number in range(1, winnr('$'))
    let l:view = getbufvar(winbufnr(l:number), 'symbols_view', {})
    if !empty(l:view) && l:view.buffer == a:buffer
      execute l:number . 'wincmd w'
      enew
      return
    endif
  endfor
  execute g:symbols_window
endfunction

" Shows an answer. It may come long after the command: in insert or visual mode, or in the command-line window, there is only a
" message. The current window stays current unless it is that of the command.
function! s:Open(wanted, text) abort
  let l:mode = mode(1)
  if (l:mode !=# 'n' && l:mode !~# '^c[ve]') || getcmdwintype() !=# ''
    return s:Tell(printf('the %s of %s came in the middle of something else; ask again',
          \ a:wanted.format, fnamemodify(bufname(a:wanted.buffer), ':~:.')))
  endif
  let l:current = win_getid()
  call s:ShowTable(a:wanted, a:text)
  if l:current != a:wanted.window
    call win_gotoid(l:current)
  endif
endfunction

" Closes the table. The last window shows the source instead.
function! symbols#Close() abort
  let l:view = b:symbols_view
  if winnr('$') > 1 || tabpagenr('$') > 1
    close
  elseif bufloaded(l:view.buffer)
    execute 'buffer' l:view.buffer
  else
    enew
  endif
endfunction

" Shows the answer in a window, and enters it.
function! s:ShowTable(wanted, text) abort
  " [line, character, text] of each line, the first two empty without a position (docs/spec.md, option `positions`).
  let l:lines = map(split(a:text, '\n', 1), {_, line -> matchlist(line, '^\%(\(\d\+\):\(\d\+\)\t\)\?\(.*\)$')[1:3]})
  call s:EnterWindow(a:wanted.buffer)
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted nolist
  let &l:wrap = a:wanted.format ==# 'packed'
  execute 'silent file' fnameescape(printf('symbols://%d/%s/%s', bufnr(''), a:wanted.format, fnamemodify(bufname(a:wanted.buffer), ':~:.')))
  call setline(1, map(copy(l:lines), {_, line -> line[2]}))
  setlocal nomodifiable filetype=symbols
  let b:symbols_view = extend(copy(a:wanted), {'lines': l:lines})
  nnoremap <buffer> <silent> <nowait> <CR> :<C-U>call symbols#Jump()<CR>
  nnoremap <buffer> <silent> <nowait> q :<C-U>call symbols#Close()<CR>
endfunction

" The byte column, from 1, of a character in UTF-16 units.
function! s:Column(text, character) abort
  let l:units = 0
  let l:bytes = 0
  for l:char in split(a:text, '\zs')
    if l:units >= a:character
      break
    endif
    for l:code in str2list(l:char)
      let l:units += l:code > 0xFFFF ? 2 : 1
    endfor
    let l:bytes += strlen(l:char)
  endfor
  return l:bytes + 1
endfunction

" Goes to the symbol of the row at the cursor.
function! symbols#Jump() abort
  let l:view = b:symbols_view
  if !bufloaded(l:view.buffer)
    return s:Tell('the buffer that this table is about is gone; ask again from the file')
  endif
  let [l:line, l:character, l:_] = l:view.lines[line('.') - 1]
  if l:line ==# ''
    return s:Tell(l:view.format ==# 'packed' ? 'packed has no rows to jump from; use another format' : 'no symbol stands in this line')
  endif
  if !(win_gotoid(l:view.window) && winbufnr(0) == l:view.buffer)
    let l:window = get(win_findbuf(l:view.buffer), 0, 0)
    if !win_gotoid(l:window)
      execute 'aboveleft sbuffer' l:view.buffer
    endif
  endif
  normal! m'
  call cursor(l:line + 1, s:Column(getline(l:line + 1), l:character))
  normal! zv
  if b:changedtick != l:view.changedtick
    call s:Tell('the text has changed since this table was made; ask again for the right places')
  endif
endfunction
