;;; emacs_session.el --- What an Emacs under test is told to do  -*- lexical-binding: t; -*-

;; emacs_cases.mjs starts `emacs --batch' with this file, the file of a client (emacs_eglot.el, emacs_lsp_mode.el, which define
;; `session-connect', `session-hover' and `session-end') and a plan, a list of (NAME FORM).  Each form is evaluated in the
;; buffer that is current by then; the answers go to a file as a JSON object: {"value": ...} or {"error": message} by name.

(require 'imenu)
(require 'json)
(require 'package)

;; As when a user starts Emacs, which `-q' leaves out.
(package-activate-all)

(defvar session-limit nil "Seconds that anything is waited for; emacs_cases.mjs sets it.")

(defun session-wait (condition what)
  "Wait until the function CONDITION gives non-nil, WHAT says for what."
  (with-timeout (session-limit (error "Not within %s s: %s" session-limit what))
    (while (not (funcall condition))
      (accept-process-output nil 0.05))))

(defun session-run (plan answers)
  "Evaluate what the file PLAN holds, and write the file ANSWERS."
  (let (results)
    (pcase-dolist (`(,name ,form) (with-temp-buffer
                                    (let ((coding-system-for-read 'utf-8)) (insert-file-contents plan))
                                    (read (current-buffer))))
      (push (cons name (condition-case err
                           (prog1 (list (cons 'value (eval form t)))
                             ;; As between two commands.
                             (set-buffer (window-buffer)))
                         (error (list (cons 'error (error-message-string err))))))
            results))
    (let ((coding-system-for-write 'utf-8))
      (with-temp-file answers (insert (json-encode (nreverse results)))))))

(defun session-imenu ()
  "The imenu index of this buffer as Lisp text."
  (setq imenu--index-alist nil)
  (format "%S" (imenu--make-index-alist t)))

(defun session-hovers (&rest names)
  "Hover texts at the first places where the words NAMES stand."
  (vconcat (mapcar (lambda (name)
                     (goto-char (point-min))
                     (re-search-forward (concat "\\_<" (regexp-quote name) "\\_>"))
                     (goto-char (match-beginning 0))
                     (session-hover))
                   names)))

(defun session-text ()
  "The text of this buffer."
  (buffer-substring-no-properties (point-min) (point-max)))

(defun session-show ()
  "Have the table of this buffer shown, or the configured format; its text."
  (setq symbols-timeout session-limit)
  (let ((symbols-format (if (eq symbols-format 'auto) "table" symbols-format))) (symbols-show))
  (session-text))

(defun session-jumps ()
  "Press RET on each line of the table: line (zero-based) and the text from there, or null where there is no symbol.
The table is current before and after."
  (let ((table (current-buffer))
        jumps)
    (goto-char (point-min))
    (while (not (eobp))
      (push (condition-case nil
                (save-current-buffer
                  (session-press "RET")
                  (unless (eq (window-buffer) (current-buffer)) (error "The symbol's buffer is in no window"))
                  (unless (get-buffer-window table) (error "The table is gone from the windows"))
                  (vector (1- (line-number-at-pos)) (buffer-substring-no-properties (point) (line-end-position))))
              (user-error nil))
            jumps)
      (pop-to-buffer table)
      (forward-line))
    (vconcat (nreverse jumps))))

(defun session-press (keys)
  "Call the command that KEYS are bound to here."
  (let ((command (key-binding (kbd keys))))
    (unless (commandp command) (error "No command on %s" keys))
    (call-interactively command)))
