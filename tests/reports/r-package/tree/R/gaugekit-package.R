#' @keywords internal
"_PACKAGE"

#' @useDynLib gaugekit, .registration = TRUE
#' @importFrom Rcpp sourceCpp
NULL
