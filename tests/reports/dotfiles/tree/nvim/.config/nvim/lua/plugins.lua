-- A small plugin manager: clones what is missing, never updates by itself.
local root = vim.fn.stdpath("data") .. "/site/pack/mine/start/"

for _, name in ipairs({ "finder", "comment", "treesitter" }) do
  if not vim.uv.fs_stat(root .. name) then
    vim.fn.system({ "git", "clone", "--depth=1", "https://git.example.org/nvim/" .. name, root .. name })
  end
end
