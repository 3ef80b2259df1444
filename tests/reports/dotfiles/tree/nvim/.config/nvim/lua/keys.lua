local map = vim.keymap.set
map("n", "<leader>w", "<cmd>write<cr>")
map("n", "<leader>f", function() require("finder").files() end)
