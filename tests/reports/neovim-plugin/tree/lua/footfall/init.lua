--- Remembers where you have been in every file.
local trail = require("footfall.trail")
local view = require("footfall.view")

local M = {}

M.options = { keep = 50, path = vim.fn.stdpath("state") .. "/footfall.json" }

function M.setup(options)
  M.options = vim.tbl_extend("force", M.options, options or {})
  trail.load(M.options.path)

  local group = vim.api.nvim_create_augroup("footfall", {})
  vim.api.nvim_create_autocmd("CursorHold", {
    group = group,
    callback = function(event)
      trail.step(event.file, vim.api.nvim_win_get_cursor(0)[1], M.options.keep)
    end,
  })
  vim.api.nvim_create_autocmd("VimLeavePre", {
    group = group,
    callback = function()
      trail.save(M.options.path)
    end,
  })
end

function M.show(options)
  view.open(trail.of(options.all and nil or vim.api.nvim_buf_get_name(0)))
end

function M.forget()
  trail.clear()
end

return M
