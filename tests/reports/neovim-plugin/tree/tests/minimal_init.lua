vim.opt.runtimepath:append(".")
vim.opt.runtimepath:append(".deps/plenary.nvim")
vim.cmd.runtime("plugin/plenary.vim")
