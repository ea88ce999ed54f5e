" See autoload/symbols/ale.vim.
call symbols#ale#Define('objc')
