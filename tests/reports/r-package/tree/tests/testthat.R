library(testthat)
library(gaugekit)

test_check("gaugekit")
