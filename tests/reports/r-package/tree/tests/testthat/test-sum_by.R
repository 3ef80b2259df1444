tips <- data.frame(at = lubridate::ymd_hms(c("2023-05-01 10:00:00", "2023-05-01 23:00:00")), mm = c(0.2, 0.4))

test_that("a day is summed", {
  expect_equal(sum_by(tips, "day")$mm, 0.6)
})

test_that("other units are refused", {
  expect_error(sum_by(tips, "week"))
})
