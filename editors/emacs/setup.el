(add-to-list 'load-path @folder@)
(require 'symbols)
(setq symbols-program @program@)
;; What stands first counts, also before your own entries for these modes: take out what is yours.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((c-mode c++-mode c-ts-mode c++-ts-mode) . (@command clangd@)))
  (add-to-list 'eglot-server-programs
               '((js-mode js-ts-mode typescript-mode typescript-ts-mode tsx-ts-mode)
                 . (@command typescript-language-server --stdio@))))
(symbols-eglot-wrap 'c-mode 'js-mode)
(setq lsp-clients-clangd-executable @server clangd@)
(setq lsp-clients-typescript-tls-path @server typescript-language-server@)
(symbols-lsp-mode-wrap 'clangd 'ts-ls)
