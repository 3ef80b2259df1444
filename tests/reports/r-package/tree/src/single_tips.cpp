#include <Rcpp.h>

// Which tips are no echo of the one before: the bucket bounces.
// [[Rcpp::export]]
Rcpp::LogicalVector single_tips(Rcpp::NumericVector seconds, double gap) {
  Rcpp::LogicalVector keep(seconds.size(), true);
  for (int i = 1; i < seconds.size(); i++) {
    keep[i] = seconds[i] - seconds[i - 1] > gap;
  }
  return keep;
}
