#' Rain events
#'
#' An event ends when no tip comes for `gap` hours.
#'
#' @export
events <- function(tips, gap = 6) {
  hours <- as.numeric(tips$at) / 3600
  number <- cumsum(c(TRUE, diff(hours) > gap))
  stats::aggregate(tips$mm, list(event = number), sum)
}
