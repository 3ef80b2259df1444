//! What the calls of each pass came to: two bars beside one another, tokens and money. Without a script.

use luminos_core::report::Report;

use super::paragraphs::text;
use super::put;
use crate::investigation::basis;
use crate::measure::{count, money, number};

/// The section, if anybody was asked.
pub(super) fn passes(out: &mut String, report: &Report) {
    if report.passes.is_empty() {
        return;
    }
    let most_tokens = report.passes.values().map(|spend| spend.tokens.0).max().unwrap_or_default();
    let most_money = report.passes.values().map(|spend| spend.money.nanodollars()).max().unwrap_or_default();
    out.push_str(
        "<section id=\"passes\" class=\"part\"><div class=\"title\"><h2>Cost and tokens by pass</h2></div>\n\
         <div class=\"scroll\"><table class=\"grid passes\"><thead><tr><th scope=\"col\">pass</th><th \
         scope=\"col\">calls</th><th scope=\"col\">tokens</th><th scope=\"col\">cost</th></tr></thead><tbody>\n",
    );
    for (pass, spend) in basis::in_order(&report.passes) {
        let model =
            report.models.get(pass).map(|model| format!("<span class=\"faint\">{}</span>", text(model)));
        let model = model.unwrap_or_default();
        let cost = spend.cost().map_or_else(|| "not known".to_owned(), money);
        put(
            out,
            format_args!(
                "<tr><th scope=\"row\">{}{model}</th><td>{}</td><td>{}{}</td><td>{cost}{}</td></tr>\n",
                text(&basis::pass_name(pass)),
                number(spend.calls),
                number(spend.tokens.0),
                bar(spend.tokens.0, most_tokens, "tokens"),
                bar(spend.money.nanodollars(), most_money, "money"),
            ),
        );
    }
    let calls = count(report.counters.calls, "call", "calls");
    let total = basis::spending(&report.counters);
    put(
        out,
        format_args!("</tbody></table></div>\n<p class=\"faint\">{calls} in all: {total}.</p></section>\n"),
    );
}

/// A bar, as long as its share of the longest one.
fn bar(part: u64, most: u64, class: &str) -> String {
    if most == 0 {
        return String::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "a bar has a few hundred pixels")]
    let filled = part as f64 / most as f64 * 100.0;
    format!(
        "<svg class=\"share {class}\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect \
         class=\"all\" width=\"100\" height=\"4\"/><rect class=\"part\" width=\"{filled:.1}\" height=\"4\"/></svg>"
    )
}
