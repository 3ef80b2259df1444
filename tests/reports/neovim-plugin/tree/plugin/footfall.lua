if vim.g.loaded_footfall then
  return
end
vim.g.loaded_footfall = true

vim.api.nvim_create_user_command("Footfall", function(args)
  require("footfall").show({ all = args.bang })
end, { bang = true })

vim.api.nvim_create_user_command("FootfallForget", function()
  require("footfall").forget()
end, {})
