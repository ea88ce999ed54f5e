-- Where the symbol of each line of an answer is: { line, character }, zero-based, in the encoding that client and server
-- agreed on; without `character` only the line is known (then `name` may help). Names hold no newline in any format, so one
-- row is one line. What the formats look like: docs/formats.md of the project.
local M = {}

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

local kind_letters = '^[LMnPcmpFCeifvkSNbaoKZEsVOT?]'

-- What follows the kind of a place that starts at `at`, or nil where none starts there.
local function after_kind(line, at)
  local rest = line:sub(at)
  local kind = rest:match('^<%d+>') or rest:match('^%?') or rest:match('^%a+')
  if not kind then return nil end
  if kind:match('^%a') then
    if #kind == 1 and not kind:match(kind_letters) then return nil end
    if #kind > 1 and not vim.lsp.protocol.SymbolKind[kind] then return nil end
  end
  rest = rest:sub(#kind + 1)
  return (rest == '' or rest:match('^[%d@ \t]')) and rest or nil
end

-- What follows the kind in the row's place: the name ends at the first blank, not escaped, behind which a place starts.
local function place_of(line)
  local at = line:match('^\\%^%d+ ()') or line:match('^ *()')
  while at <= #line do
    local character = line:sub(at, at)
    if character == '\\' then
      at = at + 1
    elseif character == ' ' then
      local place = after_kind(line, at + 1)
      if place then return place end
    end
    at = at + 1
  end
end

function M.tree(lines)
  local positions = {}
  for i, line in ipairs(lines) do
    local place = line:match('^# truncated: ') and '' or place_of(line) or ''
    local range, selection = place:match('^([%d:-]*)@?([%d:-]*)')
    local position = range:find(':') and start_of_range(range) or start_of_lines(range)
    if selection:match('^%d+:') then
      position = start_of_range(selection)
    elseif position and selection ~= '' then
      position.character = tonumber(selection:match('^%d+'))
    end
    positions[i] = position
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
