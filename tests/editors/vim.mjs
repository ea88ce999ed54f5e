// Runs Debian's Vim without a screen, with the plugin of editors/vim installed as a package, and ALE where a test asks for it.
import { readFileSync } from 'node:fs';
import { editorHome, runToEnd, shipped, waitLimit } from './editor_home.mjs';

const prelude = `
let g:told = []
" Waits until the condition, a function, is true; throws after a while.
function! Wait(what, Condition) abort
  let l:start = reltime()
  while reltimefloat(reltime(l:start)) * 1000 < ${waitLimit}
    if a:Condition()
      return
    endif
    sleep 20m
  endwhile
  throw 'not within ${waitLimit} ms: ' . a:what
endfunction
" What the commands have said.
function! Told() abort
  return filter(split(execute('messages'), "\\n"), {_, line -> line =~# '^symbols: '})
endfunction
" Runs a command of the plugin that opens a window, and gives the lines in it.
function! Table(command) abort
  messages clear
  execute a:command
  call Wait('the window of ' . a:command, {-> &filetype ==# 'symbols' || !empty(Told())})
  if &filetype !=# 'symbols'
    throw join(Told())
  endif
  return getline(1, '$')
endfunction
function! Said(command) abort
  messages clear
  execute a:command
  call Wait('a message of ' . a:command, {-> !empty(Told())})
  return Told()[-1]
endfunction
function! Cursor() abort
  return {'file': expand('%:t'), 'line': line('.') - 1, 'byte': col('.') - 1}
endfunction
`;

/**
 * Runs \`script\`, the body of a function, in a Vim that has \`file\` open; gives what it returns. \`vimrc\` is the user's.
 * \`ale\`: with Debian's ALE.
 */
export async function runVim(t, { vimrc = '', files = {}, programs, file, script, ale = false }) {
  const { home, env, place } = editorHome(t, {
    programs,
    files: {
      '.vimrc': `set nocompatible nomore encoding=utf-8 hidden\nfiletype plugin on\nlet g:symbols_timeout = ${waitLimit}\n${vimrc}\n`,
      'test.vim': `${prelude}
function! Script() abort
${script}
endfunction
try
  let g:result = {'result': Script()}
catch
  let g:result = {'error': v:exception . ' at ' . v:throwpoint}
endtry
call writefile([json_encode(g:result)], 'result.json')
qall!
`,
      ...files,
    },
    links: {
      '.vim/pack/tested/start/symbols': shipped('vim'),
      ...(ale ? { '.vim/pack/tested/start/ale': '/usr/share/vim-ale' } : {}),
    },
  });
  const ended = await runToEnd(t, 'vim', ['-N', '-es', '-n', '-i', 'NONE', '-u', '.vimrc', ...(file ? [file] : []), '-S', 'test.vim'],
    { env, cwd: home });
  let answer;
  try {
    answer = JSON.parse(readFileSync(place('result.json'), 'utf8'));
  } catch (error) {
    throw new Error(`Vim ended with ${ended.signal ?? ended.status} and left no result (${error.message}): ${ended.output}`);
  }
  if (answer.error) throw new Error(`${answer.error}\n${ended.output}`);
  return { result: answer.result, output: ended.output, home, env };
}
