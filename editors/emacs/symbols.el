;;; symbols.el --- Symbols of a file as a compact table, through Eglot or lsp-mode  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;; Author: The symbols authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: tools, languages, convenience

;;; Commentary:

;; `symbols proxy' stands between Emacs and a language server.  Here it runs
;; with `--format standard': imenu, eldoc and all the rest get what the server
;; answers, and the table is had by asking for it:
;;
;;   M-x symbols-show   the symbols of this buffer in a window; RET there goes to a row's symbol
;;   M-x symbols-copy   the same on the kill ring, for a prompt
;;
;; In the init file, for Eglot and for lsp-mode:
;;
;;   (require 'symbols)
;;   (symbols-eglot-wrap 'c++-mode 'js-mode)
;;   (symbols-lsp-mode-wrap 'clangd 'ts-ls)
;;
;; The table comes from the session that the buffer is in, so changes that are not saved count.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)

(defvar eglot-server-programs)
(defvar lsp-clients)
(defvar lsp-response-timeout)
(defvar lsp--cur-workspace)
(declare-function eglot-current-server "ext:eglot")
(declare-function eglot--capabilities "ext:eglot")
(declare-function eglot--signal-textDocument/didChange "ext:eglot")
(declare-function eglot--TextDocumentIdentifier "ext:eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function jsonrpc--process "jsonrpc")
(declare-function lsp-request "ext:lsp-mode")
(declare-function lsp-text-document-identifier "ext:lsp-mode")
(declare-function lsp-workspaces "ext:lsp-mode")
(declare-function lsp--client-new-connection "ext:lsp-mode")
(declare-function lsp--client-server-id "ext:lsp-mode")
(declare-function lsp--workspace-server-capabilities "ext:lsp-mode")
(declare-function lsp--workspace-status "ext:lsp-mode")

(defgroup symbols nil
  "Symbols of a file as a compact table."
  :group 'tools
  :prefix "symbols-")

(defcustom symbols-program "symbols"
  "Name or path of the program `symbols'."
  :type 'string)

(defcustom symbols-proxy-options nil
  "Options of `symbols proxy' before a server, besides `--format standard'.
For example (\"--log\" \"/tmp/lsp.log\")."
  :type '(repeat string))

(defcustom symbols-format 'auto
  "Format of what `symbols-show' and `symbols-copy' ask for.
`auto': the window, which people read, has the outline with kinds
spelled out, and the kill ring, which is for a prompt, the table.
`tree' holds the same as `table' in the fewest tokens."
  :type '(choice (const :tag "Outline in the window, table on the kill ring" auto) (const "table") (const "tree") (const "outline") (const "tsv") (const "toon") (const "packed")
                 (const :tag "Ask each time" ask)))

(defcustom symbols-children "yes"
  "Levels of symbols to ask for."
  :type '(choice (const :tag "All" "yes") (const :tag "Top level only" "no")
                 (const :tag "All, where that is at most 100 rows" "auto") (integer :tag "That many")))

(defcustom symbols-include-hover t
  "Whether each row has its symbol's hover: signature and documentation."
  :type 'boolean)

(defcustom symbols-timeout 60
  "Seconds to wait for the language server's answer."
  :type 'number)


;;; The proxy before a server

(defun symbols--proxy-command (command)
  "Return COMMAND, a list of strings, with `symbols proxy' before it."
  (if (and (equal (car command) symbols-program) (equal (cadr command) "proxy"))
      command
    (unless (executable-find symbols-program (and (file-remote-p default-directory) t))
      (user-error "There is no program `%s' on the PATH; install it or set `symbols-program'"
                  symbols-program))
    `(,symbols-program "proxy" "--format" "standard" ,@symbols-proxy-options "--" ,@command)))

(defun symbols--eglot-contact (contact)
  "Return CONTACT of `eglot-server-programs', no function, with the proxy."
  (cond
   ((null contact) nil)
   ((and (symbolp (car contact)) (not (keywordp (car contact)))) ; (CLASS PROGRAM ARGS...)
    (cons (car contact) (symbols--eglot-contact (cdr contact))))
   ((and (stringp (car contact)) (not (integerp (cadr contact))) (not (memq :autoport contact)))
    (let ((command (seq-take-while #'stringp contact)))
      (append (symbols--proxy-command command) (nthcdr (length command) contact))))
   (t (user-error "Not a program on standard input and output, so it cannot have the proxy: %S"
                  contact))))

(defun symbols--eglot-resolved (contact interactive project)
  "Return CONTACT of `eglot-server-programs'.
A function is called with INTERACTIVE and PROJECT."
  (cond ((not (functionp contact)) contact)
        ((eql 1 (cdr (func-arity contact))) (funcall contact interactive))
        (t (funcall contact interactive project))))

(defun symbols--eglot-wrapped (contact)
  "Return a function for `eglot-server-programs' that gives CONTACT with the proxy."
  (lambda (&optional interactive project)
    (symbols--eglot-contact (symbols--eglot-resolved contact interactive project))))

(defun symbols--server-name (program)
  "Return the name of the server PROGRAM, without its folder and its version."
  (replace-regexp-in-string "-[0-9.]+\\'" "" (file-name-nondirectory program)))

(defun symbols--eglot-with-program (contact command)
  "Return CONTACT, no function, with the program of COMMAND.
A CONTACT of another server stays; where it is nil, COMMAND."
  (cond
   ((null contact) command)
   ((and (symbolp (car contact)) (not (keywordp (car contact)))) ; (CLASS PROGRAM ARGS...)
    (cons (car contact) (symbols--eglot-with-program (cdr contact) command)))
   ((and (stringp (car contact))
         (equal (symbols--server-name (car contact)) (symbols--server-name (car command))))
    (cons (car command) (cdr contact)))
   (t contact)))

(defun symbols--eglot-entry (mode)
  "Return the entry of `eglot-server-programs' for the major mode MODE."
  (seq-find (lambda (entry) (symbols--eglot-manages-p (car entry) mode)) eglot-server-programs))

(defun symbols--eglot-replace (entry contact)
  "Put CONTACT into the place of the one in ENTRY of `eglot-server-programs'."
  (setq eglot-server-programs
        (mapcar (lambda (other) (if (eq other entry) (cons (car entry) contact) other))
                eglot-server-programs)))

(defun symbols--eglot-manages-p (key mode)
  "Whether an entry with KEY in `eglot-server-programs' is for the major mode MODE."
  (seq-some (lambda (managed) (provided-mode-derived-p mode (if (consp managed) (car managed) managed)))
            (if (or (symbolp key) (keywordp (cadr key))) (list key) key)))

;;;###autoload
(defun symbols-eglot-wrap (&rest modes)
  "Have Eglot start the servers of the major modes MODES behind the proxy.
Each mode's entry of `eglot-server-programs' is replaced by one that
has it; what you add to that variable yourself, add before.  Servers
that run already go on as they are."
  (with-eval-after-load 'eglot
    (dolist (mode modes)
      (let ((entry (symbols--eglot-entry mode)))
        (unless entry
          (user-error "No entry of `eglot-server-programs' is for %s; add one before this call"
                      mode))
        (symbols--eglot-replace entry (symbols--eglot-wrapped (cdr entry)))))))

;;;###autoload
(defun symbols-eglot-set-program (command &rest modes)
  "Have Eglot start the program of COMMAND for the major modes MODES.
COMMAND is a list of strings.  Where a mode's entry of
`eglot-server-programs' has the same server, in whatever version, its
arguments and language ids stay; where it has another one it stays as
it is.  COMMAND is used whole where there is no entry, and where none
of the entry's servers is installed."
  (with-eval-after-load 'eglot
    (dolist (mode modes)
      (let* ((entry (symbols--eglot-entry mode))
             (contact (cdr entry)))
        (if (not entry)
            (add-to-list 'eglot-server-programs (cons mode command))
          (symbols--eglot-replace
           entry
           (lambda (&optional interactive project)
             (symbols--eglot-with-program
              (condition-case nil (symbols--eglot-resolved contact interactive project) (error nil))
              command))))))))

(defvar symbols--lsp-mode-servers nil "Ids of lsp-mode's clients that start the proxy.")
(defvar symbols--lsp-mode-connecting nil "Non-nil while lsp-mode starts a server with the proxy.")

(defun symbols--lsp-mode-resolved (resolve &rest args)
  "Call RESOLVE with ARGS, which gives a command; add the proxy where it is wanted."
  (let ((command (apply resolve args)))
    (if symbols--lsp-mode-connecting (symbols--proxy-command command) command)))

(defun symbols--lsp-mode-wrap-client (client)
  "Have lsp-mode's CLIENT start its server behind the proxy, if it is one of those."
  (when (memq (lsp--client-server-id client) symbols--lsp-mode-servers)
    (let* ((connection (lsp--client-new-connection client))
           (connect (plist-get connection :connect)))
      (unless (plist-get connection :symbols)
        ;; Both change the list that the client has.  Whether the server is installed, `:test?', is
        ;; asked without the proxy.
        (plist-put connection :symbols t)
        (plist-put connection :connect
                   (lambda (&rest args)
                     (let ((symbols--lsp-mode-connecting t)) (apply connect args))))))))

;;;###autoload
(defun symbols-lsp-mode-wrap (&rest server-ids)
  "Have lsp-mode start the servers SERVER-IDS behind the proxy.
The ids are those of `lsp-register-client', such as `clangd' or
`ts-ls', which may be registered before or after."
  (setq symbols--lsp-mode-servers (cl-union symbols--lsp-mode-servers server-ids))
  (with-eval-after-load 'lsp-mode
    (advice-add (if (fboundp 'lsp-resolve-final-command) 'lsp-resolve-final-command 'lsp-resolve-final-function)
                :around #'symbols--lsp-mode-resolved)
    (advice-add 'lsp-register-client :before #'symbols--lsp-mode-wrap-client)
    (maphash (lambda (_id client) (symbols--lsp-mode-wrap-client client)) lsp-clients)))


;;; Asking the session that a buffer is in

(defun symbols--get (object &rest keys)
  "The member of the decoded JSON OBJECT that the strings KEYS lead to."
  (dolist (key keys object)
    (setq object (cond ((hash-table-p object) (gethash key object))
                       ((consp object) (plist-get object (intern (concat ":" key))))))))

(defun symbols--offered-by (server)
  "What a proxy before SERVER told of itself in `initialize', or nil.
SERVER is as `symbols--server' gives it."
  (symbols--get (plist-get server :capabilities) "experimental" "symbols"))

(defun symbols--server ()
  "The server of this buffer that has the proxy before it: a property list.
`:capabilities' are the server's, `:document' identifies this buffer,
`:request' is a function of a method's name and its parameters."
  (let ((servers (append (symbols--eglot-servers) (symbols--lsp-mode-servers))))
    (unless servers
      (user-error "No language server is connected to %s; start one with M-x eglot or M-x lsp" (buffer-name)))
    (or (seq-find #'symbols--offered-by servers)
        (user-error
         (concat "The language server of %s runs without the proxy; see `symbols-eglot-wrap' or "
                 "`symbols-lsp-mode-wrap', then shut it down and start it again")
         (buffer-name)))))

(defun symbols--eglot-servers ()
  "Eglot's server of this buffer, if there is one, in a list."
  (when-let ((server (and (bound-and-true-p eglot--managed-mode) (eglot-current-server))))
    (list (list :capabilities (eglot--capabilities server)
                :document (eglot--TextDocumentIdentifier)
                :request (lambda (method params)
                           ;; Eglot itself tells changes of the text when Emacs is idle.
                           (eglot--signal-textDocument/didChange)
                           (symbols--jsonrpc-request server method params))))))

(defun symbols--jsonrpc-request (server method params)
  "The answer of Eglot's SERVER to a request of METHOD with PARAMS."
  (unwind-protect
      (jsonrpc-request server (intern (concat ":" method)) params :timeout symbols-timeout)
    ;; What came together with the answer Emacs 28 leaves unread until more comes, and a server
    ;; whose own request is in it may wait for its answer before it says more.
    (let ((process (jsonrpc--process server)))
      (when (process-live-p process)
        (funcall (process-filter process) process "")))))

(defun symbols--lsp-mode-servers ()
  "The servers that lsp-mode has for this buffer."
  (when (bound-and-true-p lsp-managed-mode)
    (mapcar (lambda (workspace)
              (list :capabilities (lsp--workspace-server-capabilities workspace)
                    :document (lsp-text-document-identifier)
                    :request (lambda (method params)
                               (let ((lsp--cur-workspace workspace)
                                     (lsp-response-timeout symbols-timeout))
                                 (lsp-request method params)))))
            ;; A server that is starting or ending is listed as well.
            (seq-filter (lambda (workspace) (eq (lsp--workspace-status workspace) 'initialized))
                        (lsp-workspaces)))))

(defun symbols--ask (server options)
  "Ask SERVER for the symbols of this buffer with OPTIONS, a property list.
Returns the answer; its text is the member `symbols'."
  (let ((answer
         (condition-case err
             (funcall (plist-get server :request) "textDocument/documentSymbol"
                      `(:textDocument ,(plist-get server :document) ,@options))
           (error
            (user-error "No symbols of %s: %s" (buffer-name)
                        (or (cdr (assq 'jsonrpc-error-message (cdr err))) (error-message-string err)))))))
    (unless (stringp (symbols--get answer "symbols"))
      (user-error "No symbols of %s: the proxy answered without a text: %S" (buffer-name) answer))
    answer))

(defun symbols--options (format &optional positions)
  "Options of a request for the symbols in FORMAT, with POSITIONS before rows."
  (list :format format
        :positions (if positions t :json-false)
        :return_children symbols-children
        :kind_names (if (and (eq symbols-format 'auto) (equal format "outline")) t :json-false)
        :include_hover (if symbols-include-hover t :json-false)))

(defun symbols--choose-format (server ask auto)
  "The format to use: ASK the user, or take `symbols-format'.
AUTO is what `auto' means there.  It is one that the proxy before
SERVER has."
  (let ((offered (remove "json" (append (symbols--get (symbols--offered-by server) "formats") nil))))
    (cond ((or ask (eq symbols-format 'ask))
           (completing-read "Format: " offered nil t nil nil (car offered)))
          ((eq symbols-format 'auto) auto)
          ((member symbols-format offered) symbols-format)
          (t (user-error "The variable `symbols-format' is %S; the proxy offers as a text: %s"
                         symbols-format (string-join offered ", "))))))


;;; Where rows are

(defun symbols--position (line character encoding)
  "The position in this buffer of LINE and CHARACTER, zero-based, as LSP counts.
ENCODING is the session's position encoding."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (forward-line line)
      (if (equal encoding "utf-32")
          (goto-char (min (line-end-position) (+ (point) character)))
        (while (and (> character 0) (not (eolp)))
          (setq character (- character
                             (cond ((equal encoding "utf-8") (string-bytes (string (char-after))))
                                   ((> (char-after) #xFFFF) 2)
                                   (t 1))))
          (forward-char)))
      (point))))

(defun symbols--mark-rows (source encoding)
  "Make of the positions before the rows of this buffer markers in SOURCE.
A position is a line and a character in ENCODING, both zero-based, and
a tab.  Return the markers."
  (let (markers)
    (goto-char (point-min))
    (while (re-search-forward "^\\([0-9]+\\):\\([0-9]+\\)\t" nil t)
      (let ((line (string-to-number (match-string 1)))
            (character (string-to-number (match-string 2))))
        (replace-match "")
        (push (with-current-buffer source (copy-marker (symbols--position line character encoding))) markers)
        (put-text-property (point) (progn (forward-line) (point)) 'symbols-position (car markers))))
    markers))


;;; The buffer of a table

(defvar-local symbols--source nil
  "The buffer that these are the symbols of.")
(defvar-local symbols--shown-format nil "The format that the text is in.")
(defvar-local symbols--markers nil "The markers in the source that this buffer holds.")

(defvar symbols-table-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'symbols-jump)
    (define-key map [mouse-2] #'symbols-jump-to-click)
    (define-key map (kbd "f") #'symbols-change-format)
    (define-key map (kbd "w") #'symbols-copy)
    map)
  "Keys of `symbols-table-mode'.")

(define-derived-mode symbols-table-mode special-mode "Symbols"
  "Major mode of a buffer with the symbols of another one.
\\<symbols-table-mode-map>\\[symbols-jump] goes to a row's symbol, \\[revert-buffer] asks for the symbols again,
\\[symbols-change-format] shows them in another format, \\[symbols-copy] copies the text."
  (setq truncate-lines t)
  (setq-local revert-buffer-function #'symbols--refresh)
  (add-hook 'kill-buffer-hook #'symbols--release nil t))

(defun symbols--release ()
  "Take this buffer's markers off its source, which they slow down."
  (dolist (marker symbols--markers) (set-marker marker nil))
  (setq symbols--markers nil))

(defun symbols--fill (source server format)
  "Fill this buffer with the symbols of SOURCE, from SERVER, in FORMAT."
  (let* ((inhibit-read-only t)
         (line (line-number-at-pos))
         (answer (with-current-buffer source (symbols--ask server (symbols--options format t)))))
    (symbols--release)
    (erase-buffer)
    (insert (symbols--get answer "symbols"))
    (setq symbols--markers
          (symbols--mark-rows source (symbols--get (plist-get server :capabilities) "positionEncoding")))
    (goto-char (point-min))
    (forward-line (1- line))
    (set-buffer-modified-p nil)
    (setq symbols--source source
          symbols--shown-format format)
    (symbols--tell-what-is-missing answer)))

(defun symbols--tell-what-is-missing (answer)
  "Tell the user what came with the text of ANSWER."
  (when-let ((meta (symbols--get answer "meta")))
    (message "Symbols: %s"
             (if (hash-table-p meta)
                 (mapconcat (lambda (key) (format "%s %s" key (gethash key meta))) (hash-table-keys meta) ", ")
               (cl-loop for (key value) on meta by #'cddr
                        concat (format "%s %s " (substring (symbol-name key) 1) value))))))

(defun symbols--live-source ()
  "The buffer that has these symbols, or this one outside of a table."
  (cond ((not (derived-mode-p 'symbols-table-mode)) (current-buffer))
        ((buffer-live-p symbols--source) symbols--source)
        (t (user-error "The buffer of these symbols is gone; visit its file and call `symbols-show' there"))))

(defun symbols--refresh (&rest _)
  "Ask for the symbols again: the table's `revert-buffer-function'."
  (let ((source (symbols--live-source)))
    (symbols--fill source (with-current-buffer source (symbols--server)) symbols--shown-format)))

;;;###autoload
(defun symbols-show (&optional ask)
  "Show the symbols of this buffer in another window.
They are in `symbols-format'; with a prefix argument ASK for the format."
  (interactive "P")
  (let* ((source (symbols--live-source))
         (name (format "*symbols: %s*" (buffer-name source)))
         (server (with-current-buffer source (symbols--server)))
         (format (symbols--choose-format server ask "outline"))
         (table (or (get-buffer name) (generate-new-buffer name))))
    (with-current-buffer table
      (unless (derived-mode-p 'symbols-table-mode) (symbols-table-mode))
      (condition-case err
          (symbols--fill source server format)
        (error
         (unless symbols--source (kill-buffer table)) ; it was never filled
         (signal (car err) (cdr err)))))
    (pop-to-buffer table)))

(defun symbols-change-format ()
  "Show these symbols in another format, which is asked for."
  (interactive)
  (symbols-show t))

;;;###autoload
(defun symbols-copy (&optional ask)
  "Put the symbols of this buffer on the kill ring, for a prompt.
They are in `symbols-format'; with a prefix argument ASK for the
format.  In the buffer of a table, its text."
  (interactive "P")
  (let ((text (if (derived-mode-p 'symbols-table-mode)
                  (buffer-substring-no-properties (point-min) (point-max))
                (let* ((server (symbols--server))
                       (answer (symbols--ask server (symbols--options (symbols--choose-format server ask "table")))))
                  (symbols--tell-what-is-missing answer)
                  (symbols--get answer "symbols")))))
    (kill-new text)
    (message "Copied the symbols of %s: %d lines, %d characters"
             (buffer-name (symbols--live-source)) (length (split-string text "\n")) (length text))))

(defun symbols-jump ()
  "Go to the symbol of the row at point, in another window."
  (interactive)
  (let ((source (symbols--live-source))
        (marker (get-text-property (min (point) (max (point-min) (1- (point-max)))) 'symbols-position)))
    (unless marker
      (user-error "There is no symbol on this line"))
    (pop-to-buffer source '((display-buffer-reuse-window display-buffer-use-some-window) (inhibit-same-window . t)))
    (unless (<= (point-min) marker (point-max)) (widen))
    (push-mark nil t)
    (goto-char marker)))

(defun symbols-jump-to-click (event)
  "Go to the symbol of the row that the mouse EVENT is on."
  (interactive "e")
  (mouse-set-point event)
  (symbols-jump))

(provide 'symbols)
;;; symbols.el ends here
