" Where the symbol of each line of an answer is: {line, character}, zero-based, in UTF-16 units; without `character` only the
" line is known (then `name` may help); {} where no symbol stands in the line. Names hold no newline in any format, so one row
" is one line. What the formats look like: docs/formats.md of the project.

" "22:16-29" or "22:0-25:1": where it starts.
function! s:StartOfRange(text) abort
  let l:match = matchlist(a:text, '^\(\d\+\):\(\d\+\)')
  return empty(l:match) ? {} : {'line': str2nr(l:match[1]), 'character': str2nr(l:match[2])}
endfunction

" "23-26" or "24", one-based.
function! s:StartOfLines(text) abort
  let l:line = matchstr(a:text, '^\d\+')
  return l:line ==# '' ? {} : {'line': l:line - 1}
endfunction

function! s:Start(cells, headings) abort
  " A last line that tells what was left out has none of these cells.
  if len(a:cells) != len(a:headings)
    return {}
  endif
  for [l:heading, l:Read] in [['selection', function('s:StartOfRange')], ['range', function('s:StartOfRange')], ['lines', function('s:StartOfLines')]]
    let l:column = index(a:headings, l:heading)
    let l:start = l:column < 0 ? {} : l:Read(a:cells[l:column])
    if !empty(l:start)
      return l:start
    endif
  endfor
  return {}
endfunction

function! s:Separated(lines, separator) abort
  let l:headings = split(tolower(get(a:lines, 0, '')), a:separator, 1)
  return [{}] + map(a:lines[1:], {_, line -> s:Start(split(line, a:separator, 1), l:headings)})
endfunction

" The values of a row of TOON: bare, or in quotes with backslash escapes, between commas.
function! s:ToonValues(line) abort
  let l:values = []
  let l:rest = substitute(a:line, '^\s\+', '', '')
  while 1
    let l:value = matchstr(l:rest, '^\%("\%([^"\\]\|\\.\)*"\|[^,]*\)')
    call add(l:values, l:value[0] ==# '"' ? l:value[1:-2] : l:value)
    let l:rest = l:rest[strlen(l:value):]
    if l:rest[0] !=# ','
      return l:values
    endif
    let l:rest = l:rest[1:]
  endwhile
endfunction

function! s:Toon(lines) abort
  let l:headings = split(matchstr(get(a:lines, 0, ''), '{\zs.\{-}\ze}:'), ',')
  return [{}] + map(a:lines[1:], {_, line -> s:Start(s:ToonValues(line), l:headings)})
endfunction

let s:kinds = 'File\|Module\|Namespace\|Package\|Class\|Method\|Property\|Field\|Constructor\|Enum\|Interface\|Function\|Variable'
      \ . '\|Constant\|String\|Number\|Boolean\|Array\|Object\|Key\|Null\|EnumMember\|Struct\|Event\|Operator\|TypeParameter'
let s:place = '\C^\%([LMnPcmpFCeifvkSNbaoKZEsVOT?]\|<-\?\d\+>\|' . s:kinds . '\)\d\+\%(-\d\+\)\? $'
" A row's indentation, its place, and all up to the first tab: names, separated by blanks or commas; a further place follows a blank.
let s:row = '\C^\%(\\^\d\+ \| *\)\%(\a\+\|<-\?\d\+>\|?\)\(\d*\)\%(-\d\+\)\? \([^\t]*\)'
let s:word = '^\%(`\%([^`\\]\|\\.\)*`\)\?[^ ,]*[ ,]\?'

function! s:CountSymbols(names) abort
  let [l:count, l:rest, l:may_be_place] = [0, a:names, 0]
  while l:rest !=# ''
    let l:word = matchstr(l:rest, s:word)
    let l:rest = l:rest[strlen(l:word):]
    let l:is_place = l:may_be_place && l:word =~# s:place
    let l:count += !l:is_place
    let l:may_be_place = !l:is_place && l:word =~# ' $'
  endwhile
  return l:count
endfunction

" A row leads to the first of its symbols. The program decodes the columns; a text without them has lines and names.
function! s:Tree(lines) abort
  let l:starts = []
  for l:field in ['selection', 'range']
    let l:command = [g:symbols_program, 'convert', '--from', 'tree', '--to', 'tsv', '--fields', l:field]
    let l:cells = systemlist(join(map(l:command, {_, word -> shellescape(word)})), a:lines)
    if v:shell_error == 0
      let l:starts = map(l:cells[1:], {_, cell -> s:StartOfRange(cell)})
      break
    endif
  endfor
  let l:positions = []
  let l:symbol = 0
  for l:line in a:lines
    let l:match = matchlist(l:line, s:row)
    let l:has_line = !empty(l:match) && l:match[1] !=# ''
    let l:name = l:has_line ? substitute(matchstr(l:match[2], '^`\zs[^`]*\ze`\|^[^ ,]*'), ':-$', '', '') : ''
    call add(l:positions, l:has_line ? get(l:starts, l:symbol, {'line': l:match[1] - 1, 'name': l:name}) : {})
    let l:symbol += empty(l:match) ? 0 : s:CountSymbols(l:match[2])
  endfor
  return l:positions
endfunction

function! s:Outline(lines) abort
  let l:positions = []
  let l:current = {}
  for l:line in a:lines
    let l:match = matchlist(l:line, '^ *\[L\(\d\+\)\] (\S\+) \(.*\)$')
    if !empty(l:match)
      let l:current = {'line': l:match[1] - 1, 'name': l:match[2]}
    endif
    " Below it stands its summary.
    call add(l:positions, l:current)
  endfor
  return l:positions
endfunction

function! symbols#rows#Positions(format, lines) abort
  if a:format ==# 'table'
    " A bar in a cell is escaped, so this cuts nowhere else.
    return s:Separated(a:lines, ' | ')
  elseif a:format ==# 'tsv'
    return s:Separated(a:lines, '\t')
  elseif a:format ==# 'toon'
    return s:Toon(a:lines)
  elseif a:format ==# 'tree'
    return s:Tree(a:lines)
  elseif a:format ==# 'outline'
    return s:Outline(a:lines)
  endif
  return []
endfunction
