test_that("six dry hours end an event", {
  tips <- data.frame(at = as.POSIXct(c(0, 3600, 36000), origin = "1970-01-01"), mm = c(1, 1, 1))
  expect_equal(nrow(events(tips)), 2)
})
