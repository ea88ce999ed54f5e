-- Where the symbol of each line of an answer is: { line, character }, zero-based, in the encoding that client and server
-- agreed on; without `character` only the line is known (then `name` may help). Names hold no newline in any format, so one
-- row is one line. What the formats look like: docs/formats.md of the project.
local M = {}

local kind_letters = '^[LMnPcmpFCeifvkSNbaoKZEsVOT]$'

-- "22:16-29" or "22:0-25:1": where it starts.
local function start_of_range(text)
  local line, character = (text or ''):match('^(%d+):(%d+)')
  if line then return { line = tonumber(line), character = tonumber(character) } end
end

-- "23-26" or "24", one-based.
local function start_of_lines(text)
  local line = (text or ''):match('^(%d+)')
  if line then return { line = tonumber(line) - 1 } end
end

-- Positions of rows whose cells have a heading; `split` makes cells of a line.
local function by_heading(headings, lines, first, split)
  local column = {}
  for i, heading in ipairs(headings) do column[heading:lower()] = i end
  local positions = {}
  for i = first, #lines do
    local cells = split(lines[i])
    -- A last line that tells what was left out has none of these cells.
    if #cells == #headings then
      positions[i] = start_of_range(cells[column.selection]) or start_of_range(cells[column.range])
        or start_of_lines(cells[column.lines])
    end
  end
  return positions
end

local function separated_by(separator)
  return function(line) return vim.split(line, separator, { plain = true }) end
end

function M.table(lines)
  -- A bar in a cell is escaped, so this cuts nowhere else.
  local split = separated_by(' | ')
  return by_heading(split(lines[1] or ''), lines, 2, split)
end

function M.tsv(lines)
  local split = separated_by('\t')
  return by_heading(split(lines[1] or ''), lines, 2, split)
end

-- The values of a row of TOON: bare, or in quotes with backslash escapes, between commas.
local function toon_values(line)
  local values, at = {}, 1
  line = line:gsub('^%s+', '')
  while at <= #line + 1 do
    local value = ''
    if line:sub(at, at) == '"' then
      at = at + 1
      while at <= #line and line:sub(at, at) ~= '"' do
        if line:sub(at, at) == '\\' then at = at + 1 end
        value = value .. line:sub(at, at)
        at = at + 1
      end
      at = at + 1
    else
      value = line:match('^[^,]*', at)
      at = at + #value
    end
    values[#values + 1] = value
    if line:sub(at, at) ~= ',' then break end
    at = at + 1
  end
  return values
end

function M.toon(lines)
  local headings = (lines[1] or ''):match('{(.-)}:')
  if not headings then return {} end
  return by_heading(vim.split(headings, ',', { plain = true }), lines, 2, toon_values)
end

-- How many symbols a row of a tree has: up to the first tab a place, then names, separated by spaces or commas; a further place
-- follows a space.
local function symbols_in(line)
  local row = line:gsub('\t.*', ''):gsub('^\\%^%d+ ', ''):gsub('^ +', '')
  local count, at, may_be_place = 0, 1, true
  while at <= #row do
    local first = at
    if row:sub(at, at) == '`' then
      repeat
        at = row:find('[`\\]', at + 1) or #row
        local escapes = row:sub(at, at) == '\\'
        if escapes then at = at + 1 end
      until not escapes or at >= #row
    end
    local separator = row:find('[ ,]', at) or #row + 1
    local word = row:sub(first, separator - 1)
    local kind = row:sub(separator, separator) == ' ' and (word:match('^(%a+)%d+$') or word:match('^(%a+)%d+%-%d+$')
      or word:match('^(<%-?%d+>)%d+$') or word:match('^(<%-?%d+>)%d+%-%d+$') or word:match('^(%?)%d+$') or word:match('^(%?)%d+%-%d+$'))
    local is_kind = kind and (not kind:match('^%a') or (#kind == 1 and kind:match(kind_letters)) or vim.lsp.protocol.SymbolKind[kind])
    local is_place = first == 1 or (may_be_place and is_kind)
    if not is_place then count = count + 1 end
    may_be_place = not is_place and row:sub(separator, separator) == ' '
    at = separator + 1
  end
  return count
end

-- A row leads to the first of its symbols. The program decodes the columns; a text without them has lines and names.
function M.tree(lines)
  local positions = {}
  local program = require('symbols.config').get().program
  local starts, symbol = {}, 1
  for _, field in ipairs({ 'selection', 'range' }) do
    local command = { program, 'convert', '--from', 'tree', '--to', 'tsv', '--fields', field }
    local ran, cells = pcall(vim.fn.systemlist, command, lines)
    if ran and vim.v.shell_error == 0 then
      starts = by_heading({ field }, cells, 2, function(cell) return { cell } end)
      break
    end
  end
  for i, line in ipairs(lines) do
    local place, rest = line:match('^\\%^%d+ (%S+) (.*)$')
    if not place then place, rest = line:match('^ *(%S+) (.*)$') end
    local number = place and (place:match('^%a+(%d+)') or place:match('^<%-?%d+>(%d+)') or place:match('^%?(%d+)'))
    if number then
      local name = rest:match('^`([^`]*)`') or rest:match('^[^ ,\t]*'):gsub(':%-$', '')
      positions[i] = starts[symbol + 1] or { line = tonumber(number) - 1, name = name }
    end
    if place then symbol = symbol + symbols_in(line) end
  end
  return positions
end

function M.outline(lines)
  local positions, current = {}, nil
  for i, line in ipairs(lines) do
    local number, title = line:match('^ *%[L(%d+)%] %(%S+%) (.*)$')
    if number then current = { line = tonumber(number) - 1, name = title } end
    -- Below it stands its summary.
    positions[i] = current
  end
  return positions
end

--- The positions of an answer's lines in this format; empty where its lines are no rows (packed, a context's parts).
function M.positions(format, lines)
  local read = ({ table = M.table, tsv = M.tsv, toon = M.toon, tree = M.tree, outline = M.outline, context = M.table })[format]
  return read and read(lines) or {}
end

return M
