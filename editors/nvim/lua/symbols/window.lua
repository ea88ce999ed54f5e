-- The window that shows an answer, and the jump from a row to its symbol. Positions are extmarks in the source, so they move with
-- its text.
local M = {}

-- The byte offset of LSP's `character` in a line.
local function byte_of(text, character, encoding)
  if encoding == 'utf-8' then return math.min(character, #text) end
  local is_utf16 = encoding == 'utf-16'
  local ok, byte
  if vim.fn.has('nvim-0.11') == 1 then
    ok, byte = pcall(vim.str_byteindex, text, encoding, character, false)
  else
    ok, byte = pcall(vim.str_byteindex, text, character, is_utf16)
  end
  return ok and byte or #text
end

-- Removes the positions from the lines (option `positions`) and sets a mark at each: line of the answer -> mark.
local function mark_symbols(namespace, answer, lines)
  local source = vim.api.nvim_buf_get_lines(answer.bufnr, 0, -1, false)
  local marks = {}
  for number, text in ipairs(lines) do
    local line, character, row = text:match('^(%d+):(%d+)\t(.*)$')
    lines[number] = row or text
    local named = line and source[line + 1]
    if named then
      marks[number] = vim.api.nvim_buf_set_extmark(answer.bufnr, namespace, tonumber(line),
        byte_of(named, tonumber(character), answer.encoding), {})
    end
  end
  return marks
end

-- The window to jump in: that of the command, else any that shows the source, else a new one.
local function source_window(view)
  local candidates = vim.list_extend({ view.answer.window }, vim.api.nvim_tabpage_list_wins(0))
  for _, window in ipairs(candidates) do
    if vim.api.nvim_win_is_valid(window) and vim.api.nvim_win_get_buf(window) == view.answer.bufnr then return window end
  end
  local origin = view.answer.window
  if not vim.api.nvim_win_is_valid(origin) or vim.api.nvim_win_get_buf(origin) == view.bufnr then
    vim.cmd('aboveleft new')
    origin = vim.api.nvim_get_current_win()
  end
  vim.api.nvim_win_set_buf(origin, view.answer.bufnr)
  return origin
end

local function warn(message)
  vim.notify('symbols: ' .. message, vim.log.levels.WARN)
end

--- Goes to the symbol of the row at the cursor.
local function jump(view)
  if not vim.api.nvim_buf_is_loaded(view.answer.bufnr) then
    return warn('the buffer that this table is about is gone; ask again from the file')
  end
  local mark = view.marks[vim.api.nvim_win_get_cursor(0)[1]]
  if not mark then
    return warn(view.answer.format == 'packed' and 'packed has no rows to jump from; use another format'
      or 'no symbol stands in this line')
  end
  local place = vim.api.nvim_buf_get_extmark_by_id(view.answer.bufnr, view.namespace, mark, {})
  vim.api.nvim_set_current_win(source_window(view))
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { place[1] + 1, place[2] })
  vim.cmd('normal! zv')
end

local function map(view, key, action, description)
  vim.keymap.set('n', key, function() action(view) end, { buffer = view.bufnr, nowait = true, desc = description })
end

-- The number makes the name unique.
local function name_of(view)
  local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(view.answer.bufnr), ':~:.')
  return ('symbols://%d/%s/%s'):format(view.bufnr, view.answer.format, file)
end

-- Opens the window, or enters the one that shows an answer about the same buffer.
local function enter_window(answer)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local ok, source = pcall(vim.api.nvim_buf_get_var, vim.api.nvim_win_get_buf(window), 'symbols_source')
    if ok and source == answer.bufnr then
      if answer.window == window then answer.window = -1 end
      vim.api.nvim_set_current_win(window)
      return
    end
  end
  vim.cmd(require('symbols.config').get().window)
end

local function warn_if_incomplete(answer)
  local meta = answer.meta or {}
  if meta.hovers_missing then
    warn(('%s hovers did not come in time; ask again'):format(tostring(meta.hovers_missing)))
  end
end

-- Closes the table. The last window shows the source instead.
local function close(view)
  if pcall(vim.cmd, 'close') then return end
  if vim.api.nvim_buf_is_loaded(view.answer.bufnr) then return vim.api.nvim_win_set_buf(0, view.answer.bufnr) end
  vim.cmd('enew')
end

-- Shows the answer in a window, and enters it.
local function show(answer)
  local lines = vim.split(answer.text, '\n', { plain = true })
  enter_window(answer)
  local view = { answer = answer, bufnr = vim.api.nvim_create_buf(false, true) }
  view.namespace = vim.api.nvim_create_namespace('symbols.' .. view.bufnr)
  view.marks = mark_symbols(view.namespace, answer, lines)

  vim.api.nvim_buf_set_lines(view.bufnr, 0, -1, false, lines)
  vim.api.nvim_buf_set_name(view.bufnr, name_of(view))
  vim.api.nvim_buf_set_var(view.bufnr, 'symbols_source', answer.bufnr)
  for option, value in pairs({ bufhidden = 'wipe', swapfile = false, modifiable = false, filetype = 'symbols' }) do
    vim.bo[view.bufnr][option] = value
  end
  vim.api.nvim_win_set_buf(0, view.bufnr)
  vim.opt_local.wrap = answer.format == 'packed'

  map(view, '<CR>', jump, 'Go to the symbol of this row')
  map(view, 'q', close, 'Close the table')
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = view.bufnr,
    once = true,
    callback = function()
      if vim.api.nvim_buf_is_valid(answer.bufnr) then
        vim.api.nvim_buf_clear_namespace(answer.bufnr, view.namespace, 0, -1)
      end
    end,
  })
  warn_if_incomplete(answer)
end

--- Shows an answer of request.lua. It may come long after the command: in insert or visual mode, or in the command-line window,
--- there is only a message. The current window stays current unless it is that of the command.
function M.open(answer)
  local mode = vim.api.nvim_get_mode().mode
  if mode ~= 'n' or vim.fn.getcmdwintype() ~= '' then
    local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(answer.bufnr), ':~:.')
    return warn(('the %s of %s came in the middle of something else; ask again'):format(answer.format, file))
  end
  local current = vim.api.nvim_get_current_win()
  local was_in_command_window = current == answer.window
  show(answer)
  if not was_in_command_window then vim.api.nvim_set_current_win(current) end
end

return M
