;;; emacs_eglot.el --- A session of Eglot, as a user starts it  -*- lexical-binding: t; -*-

(require 'eglot)

(setq eglot-sync-connect t
      eglot-connect-timeout session-limit
      eglot-autoshutdown t
      eglot-events-buffer-size 0
      ;; Eglot itself waits 10 s for what imenu asks.
      jrpc-default-request-timeout session-limit
      project-find-functions (list (lambda (_directory) (cons 'transient default-directory))))

(defun session-connect (file)
  "Visit FILE and start its server."
  (find-file file)
  (apply #'eglot (eglot--guess-contact))
  (and (eglot-managed-p) t))

(defun session-hover ()
  "The text that eldoc gets for the symbol at point, nil for none."
  (let ((text 'none))
    (eglot-hover-eldoc-function (lambda (info &rest _) (setq text info)))
    (session-wait (lambda () (not (eq text 'none))) "eldoc's text")
    (and text (substring-no-properties text))))

(defun session-end ()
  "End the server of this buffer."
  (eglot-shutdown (eglot-current-server))
  t)
