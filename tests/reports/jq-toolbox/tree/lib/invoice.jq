# Invoices as the till exports them.
module {"name": "invoice"};

import "money" as money;

# What one invoice comes to, taxes included.
def total:
  [.lines[] | .cents * .count] | add // 0 | money::with_tax;

# Which invoices are past their day.
def overdue($today):
  .[] | select(.paid | not) | select(.due < $today);

def overdue: overdue(now | todate | .[0:10]);

# One row for each line, for the tax office.
def rows:
  .[] as $invoice
  | $invoice.lines[]
  | [$invoice.number, .name, .count, .cents, (.cents * .count)];

def by_month:
  group_by(.date[0:7])
  | map({month: .[0].date[0:7], cents: (map(total) | add)});
