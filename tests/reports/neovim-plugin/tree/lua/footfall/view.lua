--- The window that shows a trail.
local M = {}

local function lines_of(steps)
  local lines = {}
  for file, list in pairs(steps) do
    for _, line in ipairs(list) do
      table.insert(lines, ("%s:%d"):format(vim.fn.fnamemodify(file, ":~:."), line))
    end
  end
  return lines
end

function M.open(steps)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines_of(steps))
  vim.cmd.sbuffer(buffer)
  vim.keymap.set("n", "<CR>", "gF", { buffer = buffer })
end

return M
