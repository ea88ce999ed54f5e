-- What stands behind the commands: [register] [format] [option=value ...], and its completion.
local config = require('symbols.config')

local M = {}

-- Options of a request and the values worth completing; `format` has a word of its own, and how an answer is carried
-- is the plugin's business.
local options = {
  return_children = { 'yes', 'no', 'auto' },
  include_hover = { 'true', 'false' },
  verbosity = { 'counts', 'minimal', 'signatures', 'standard', 'full' },
  kind_names = { 'true', 'false' },
  fold = { 'locals', 'no' },
  ends = { 'long', 'all' },
  fields = {},
  sort = {},
  kind = {},
  match = {},
  max_tokens = {},
  tokenizer = { 'o200k', 'digits' },
  include = {},
  hover_chars = {},
  timeout = {},
}

local lists = { fields = true, sort = true, kind = true, include = true }

local function option_names()
  local names = vim.tbl_keys(options)
  table.sort(names)
  return names
end

local function value_of(name, text)
  if lists[name] then return vim.split(text, ',', { plain = true }) end
  if text == 'true' then return true end
  if text == 'false' then return false end
  if name ~= 'match' and text:match('^%d+$') then return tonumber(text) end
  return text
end

--- Reads a command's words into { format, options, register, name }. `takes.register`: a first word of one character is a
--- register; `takes.name`: words are the name of a symbol, not a format. Fails, saying what is allowed.
function M.parse(words, takes)
  takes = takes or {}
  local wanted = {
    format = config.get().format,
    -- What is set for whole documents need not suit one symbol.
    options = takes.name and {} or vim.deepcopy(config.get().options),
    register = vim.v.register,
  }
  local rest = {}
  for i, word in ipairs(words) do
    local name, text = word:match('^([%l_]+)=(.*)$')
    if name and (options[name] or not takes.name) then
      if not options[name] then
        error(('symbols: there is no option %s; there are %s'):format(name, table.concat(option_names(), ', ')), 0)
      end
      wanted.options[name] = value_of(name, text)
    elseif takes.register and i == 1 and #word == 1 then
      if not word:match('^[%w"*+_-]$') then error(('symbols: there is no register %s to write to'):format(word), 0) end
      wanted.register = word
    else
      rest[#rest + 1] = word
    end
  end
  if takes.name then
    wanted.name = #rest > 0 and table.concat(rest, ' ') or nil
  else
    if #rest > 1 then error(('symbols: one format at a time, not %s'):format(table.concat(rest, ' and ')), 0) end
    wanted.format = rest[1] or wanted.format
    if not rest[1] and wanted.format == 'auto' then
      wanted.format = takes.register and 'table' or 'outline'
      if wanted.format == 'outline' and wanted.options.kind_names == nil then wanted.options.kind_names = true end
    end
    config.check_format(wanted.format)
  end
  return wanted
end

--- Completion of a command's words: formats, then options and their values.
function M.complete(lead)
  local candidates
  local name = lead:match('^([%l_]+)=')
  if name and options[name] then
    candidates = vim.tbl_map(function(value) return name .. '=' .. value end, options[name])
  else
    candidates = vim.list_extend(vim.deepcopy(config.formats), vim.tbl_map(function(option) return option .. '=' end, option_names()))
  end
  return vim.tbl_filter(function(candidate) return vim.startswith(candidate, lead) end, candidates)
end

return M
