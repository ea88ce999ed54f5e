;;; emacs_lsp_mode.el --- A session of lsp-mode, as a user starts it  -*- lexical-binding: t; -*-

(require 'lsp-mode)
(require 'lsp-clangd)

(setq lsp-auto-guess-root t
      lsp-client-packages '(lsp-clangd)
      lsp-clients-clangd-args nil
      ;; Flymake's own checkers run make, and one that has failed before ends a batch Emacs with its second report.
      lsp-diagnostics-provider :none
      lsp-enable-file-watchers nil
      lsp-enable-snippet nil
      lsp-keep-workspace-alive nil
      lsp-restart 'ignore
      lsp-response-timeout session-limit
      lsp-session-file (expand-file-name "lsp-session" (getenv "HOME"))
      lsp-server-install-dir (expand-file-name "lsp-servers" (getenv "HOME")))

(defun session-connect (file)
  "Visit FILE and start its server."
  (find-file file)
  (lsp-workspace-folders-add default-directory)
  (lsp)
  (unless (lsp-workspaces) (error "Lsp-mode started no server"))
  (session-wait (lambda () (eq 'initialized (lsp--workspace-status (car (lsp-workspaces))))) "lsp-mode's server")
  t)

(defun session-hover ()
  "What `lsp-describe-thing-at-point' shows, nil for nothing."
  (when (get-buffer "*lsp-help*") (kill-buffer "*lsp-help*"))
  (save-selected-window (lsp-describe-thing-at-point))
  (when (get-buffer "*lsp-help*")
    (with-current-buffer "*lsp-help*" (session-text))))

(defun session-end ()
  "End the server of this buffer."
  (lsp-workspace-shutdown (car (lsp-workspaces)))
  t)
