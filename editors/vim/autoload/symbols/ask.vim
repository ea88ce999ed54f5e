" Requests the symbols of a buffer: through ALE's or vim-lsp's language server where it is behind the proxy, which has the text in the
" editor, else by running the program, which reads the file and starts a server for it.

" Pending requests of ALE's connections: ids of connection and request -> their functions.
let s:waiting = {}

function! s:Params(wanted) abort
  return extend({'textDocument': {'uri': s:Uri(a:wanted.buffer)}, 'format': a:wanted.format}, a:wanted.options)
endfunction

function! s:Uri(buffer) abort
  if exists('g:loaded_ale_dont_use_this_in_other_plugins_please')
    return ale#path#ToFileURI(fnamemodify(bufname(a:buffer), ':p'))
  endif
  return lsp#utils#path_to_uri(fnamemodify(bufname(a:buffer), ':p'))
endfunction

" Calls one of the two functions with the reply's content.
function! s:Deliver(response, Answered, Failed) abort
  if has_key(a:response, 'error')
    return a:Failed('the language server: ' . get(a:response.error, 'message', string(a:response.error)))
  endif
  let l:result = get(a:response, 'result', v:null)
  if type(l:result) != v:t_dict || type(get(l:result, 'symbols', 0)) != v:t_string
    return a:Failed('the language server does not answer with a table: is symbols proxy before it?')
  endif
  call a:Answered(l:result.symbols)
endfunction

" Returns replacements for the two functions; unless one is called in time, calls Stop and then Failed.
function! s:Limited(Answered, Failed, Stop) abort
  let l:state = {'done': 0}
  function! l:state.once(Function, value) abort
    if !self.done
      let self.done = 1
      call timer_stop(self.timer)
      call a:Function(a:value)
    endif
  endfunction
  let l:message = printf('no answer within %d ms; the server may still be loading the project', g:symbols_timeout)
  let l:state.timer = timer_start(g:symbols_timeout, {_ -> [a:Stop(), l:state.once(a:Failed, l:message)]})
  return [{value -> l:state.once(a:Answered, value)}, {value -> l:state.once(a:Failed, value)}]
endfunction

" ALE's linter for this buffer whose language server is behind the proxy; or {}.
function! s:AleLinter(buffer) abort
  if !exists('g:loaded_ale_dont_use_this_in_other_plugins_please')
    return {}
  endif
  let l:program = fnamemodify(g:symbols_program, ':t')
  for l:linter in ale#linter#Get(getbufvar(a:buffer, '&filetype'))
    if get(l:linter, 'lsp', '') ==# 'stdio'
          \ && fnamemodify(ale#linter#GetExecutable(a:buffer, l:linter), ':t') ==# l:program
      return l:linter
    endif
  endfor
  return {}
endfunction

function! s:HandleAle(connection, response) abort
  let l:key = a:connection . ' ' . get(a:response, 'id', '')
  if has_key(s:waiting, l:key)
    let [l:Answered, l:Failed] = remove(s:waiting, l:key)
    call s:Deliver(a:response, l:Answered, l:Failed)
  endif
endfunction

function! s:SendByAle(wanted, Answered, Failed, linter, details) abort
  let l:connection = a:details.connection_id
  " ALE may not have sent the last changes.
  call ale#lsp#NotifyForChanges(l:connection, a:wanted.buffer)
  call ale#lsp#RegisterCallback(l:connection, function('s:HandleAle'))
  let l:id = ale#lsp#Send(l:connection, [0, 'textDocument/documentSymbol', s:Params(a:wanted)])
  let s:waiting[l:connection . ' ' . l:id] = [a:Answered, a:Failed]
endfunction

" The name of vim-lsp's server for the current buffer that is behind the proxy; or ''.
function! s:VimLspServer() abort
  if !exists('*lsp#get_allowed_servers')
    return ''
  endif
  for l:name in lsp#get_allowed_servers()
    let l:experimental = get(lsp#get_server_capabilities(l:name), 'experimental', {})
    if type(l:experimental) == v:t_dict && has_key(l:experimental, 'symbols')
      return l:name
    endif
  endfor
  return ''
endfunction

function! s:CommandLine(wanted) abort
  let l:command = [g:symbols_program, '--format', a:wanted.format]
  for [l:name, l:value] in items(a:wanted.options)
    let l:flag = '--' . tr(l:name ==# 'return_children' ? 'children' : l:name, '_', '-')
    if l:name ==# 'include_hover'
      call add(l:command, l:value ? '--hover' : '--no-hover')
    elseif l:name ==# 'kind_names' || l:name ==# 'positions'
      call extend(l:command, l:value ? [l:flag] : [])
    else
      call extend(l:command, [l:flag, type(l:value) == v:t_list ? join(l:value, ',') : l:value . ''])
    endif
  endfor
  return l:command + ['--', fnamemodify(bufname(a:wanted.buffer), ':p')]
endfunction

" Throws if the program cannot answer for the buffer's file.
function! s:CheckFile(buffer) abort
  if bufname(a:buffer) ==# '' || !filereadable(bufname(a:buffer))
    throw 'symbols: the buffer has no file, and no language server that stands behind symbols proxy'
  elseif getbufvar(a:buffer, '&modified')
    throw 'symbols: the file lacks what was changed in the buffer; write it first'
          \ . ' (a language server behind symbols proxy, by ALE or vim-lsp, would know the text as it is)'
  endif
endfunction

" Returns the job.
function! s:AskProgram(wanted, Answered, Failed) abort
  let l:out = []
  let l:err = []
  return job_start(s:CommandLine(a:wanted), {
        \ 'in_io': 'null', 'out_mode': 'raw', 'err_mode': 'raw',
        \ 'out_cb': {_, text -> add(l:out, text)}, 'err_cb': {_, text -> add(l:err, text)},
        \ 'close_cb': {channel -> s:Finished(ch_getjob(channel), l:out, l:err, a:Answered, a:Failed)},
        \ })
endfunction

function! s:Finished(job, out, err, Answered, Failed) abort
  " The channel may close before Vim has the exit status.
  while job_status(a:job) ==# 'run'
    sleep 5m
  endwhile
  if job_info(a:job).exitval == 0
    call a:Answered(substitute(join(a:out, ''), '\n$', '', ''))
  else
    call a:Failed(trim(substitute(join(a:err, ''), '^symbols: ', '', '')))
  endif
endfunction

" Throws if the server behind the proxy in the linter's command is not installed: ALE would wait for it.
function! s:CheckServer(buffer, linter) abort
  let l:command = ale#linter#GetCommand(a:buffer, a:linter)
  if type(l:command) != v:t_string
    return
  endif
  let l:word = matchstr(l:command, ' -- \zs\%(''[^'']*''\|"[^"]*"\|\S\+\)')
  let l:server = trim(l:word, '''"')
  if l:server !=# '' && !executable(l:server)
    throw 'symbols: the language server ' . l:server . ' is not found; install it, or name another one for '
          \ . getbufvar(a:buffer, '&filetype') . ' in g:symbols_servers'
  endif
endfunction

function! s:AskByAle(wanted, Answered, Failed, linter) abort
  if !ale#lsp_linter#StartLSP(a:wanted.buffer, a:linter, function('s:SendByAle', [a:wanted, a:Answered, a:Failed]))
    call a:Failed('ALE did not start the language server of its linter ' . a:linter.name . ' for this buffer; :ALEInfo tells more')
  endif
endfunction

" Calls Answered(text) or Failed(message) later; throws `symbols: …` if nothing can answer.
function! symbols#ask#Document(wanted, Answered, Failed) abort
  let l:linter = s:AleLinter(a:wanted.buffer)
  let l:server = s:VimLspServer()
  if empty(l:linter) && l:server ==# ''
    call s:CheckFile(a:wanted.buffer)
  endif
  if l:server ==# '' && !executable(g:symbols_program)
    throw 'symbols: the program ' . g:symbols_program . ' is not found;'
          \ . ' install it, or say where it is: let g:symbols_program = "/path/to/symbols"'
  endif
  if !empty(l:linter)
    call s:CheckServer(a:wanted.buffer, l:linter)
  endif
  let l:jobs = []
  let [l:Answered, l:Failed] = s:Limited(a:Answered, a:Failed, {-> map(l:jobs, {_, job -> job_stop(job)})})
  if !empty(l:linter)
    call s:AskByAle(a:wanted, l:Answered, l:Failed, l:linter)
  elseif l:server !=# ''
    call lsp#send_request(l:server, {
          \ 'method': 'textDocument/documentSymbol', 'params': s:Params(a:wanted),
          \ 'on_notification': {data -> s:Deliver(data.response, l:Answered, l:Failed)},
          \ })
  else
    call add(l:jobs, s:AskProgram(a:wanted, l:Answered, l:Failed))
  endif
endfunction
