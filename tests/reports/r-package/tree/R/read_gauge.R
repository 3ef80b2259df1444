#' Read a gauge
#'
#' Reads one file of a tipping-bucket rain gauge.
#'
#' @param path Where the file is.
#' @param millimetres How much rain one tip is.
#' @return A data frame with one row for each tip.
#' @export
read_gauge <- function(path, millimetres = 0.2) {
  raw <- utils::read.table(path, sep = ";", col.names = c("at", "tips"))
  raw$at <- lubridate::ymd_hms(raw$at)
  keep <- single_tips(as.numeric(raw$at), 0.5)
  data.frame(at = raw$at[keep], mm = raw$tips[keep] * millimetres)
}
