--- The trail: for each file the lines where the cursor rested, newest first.
local M = {}

local steps = {}

function M.step(file, line, keep)
  if file == "" then
    return
  end
  local list = steps[file] or {}
  if list[1] == line then
    return
  end
  table.insert(list, 1, line)
  list[keep + 1] = nil
  steps[file] = list
end

function M.of(file)
  if file then
    return { [file] = steps[file] or {} }
  end
  return steps
end

function M.clear()
  steps = {}
end

function M.load(path)
  local handle = io.open(path)
  if handle then
    steps = vim.json.decode(handle:read("*a"))
    handle:close()
  end
end

function M.save(path)
  local handle = assert(io.open(path, "w"))
  handle:write(vim.json.encode(steps))
  handle:close()
end

return M
