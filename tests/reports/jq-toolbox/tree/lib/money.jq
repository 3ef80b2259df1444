# Amounts are cents all the way.
module {"name": "money"};

def with_tax: . * 119 / 100 | round;

def pad: tostring | if length < 2 then "0" + . else . end;

def euros: "\(. / 100 | floor),\(. % 100 | pad) EUR";
