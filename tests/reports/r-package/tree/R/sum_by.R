#' Rainfall by hour, day or month
#'
#' @param tips What [read_gauge()] gives.
#' @param unit "hour", "day" or "month".
#' @importFrom dplyr group_by
#' @export
sum_by <- function(tips, unit = c("hour", "day", "month")) {
  unit <- match.arg(unit)
  tips$unit <- lubridate::floor_date(tips$at, unit)
  dplyr::summarise(group_by(tips, unit), mm = sum(mm))
}
