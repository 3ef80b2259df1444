/*! @license html-purify-mini 3.0.6 | (c) R. Castellan | Released under the Apache license 2.0 */
(function (root) {
  root.purify = function (html) {
    var t = document.createElement('template');
    t.innerHTML = html;
    t.content.querySelectorAll('script').forEach(function (s) { s.remove(); });
    return t.innerHTML;
  };
})(this);
