# What of editors/ is built into the program, for `symbols setup` (proxy/setup_targets.cc says what becomes of each). Files
# below a folder that setup writes as a whole (nvim, vim, claude-code) are all listed, but for setup.* and README.md.
set(SYMBOLS_EDITOR_FILES
  emacs/setup.el
  kakoune/setup.kak
  nvim/setup.lua
  vim/setup.vim
  vscode/setup.json
)
