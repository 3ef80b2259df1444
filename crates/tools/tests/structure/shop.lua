-- A shop that sells tea.
-- More words.

local json = require("json")
local M = {}

--- Sells one tea.
---@param name string
function M.sell(name, amount, ...)
  if name and amount then
    for i = 1, 2 do
      while true do end
    end
  elseif amount then
    return 1
  end
end

function M:close() end

M.open = function(name) return name end

local function hidden() end

describe("shop", function()
  it("sells tea", function() end)
end)

return M
