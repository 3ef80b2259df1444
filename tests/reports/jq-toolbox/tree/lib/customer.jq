module {"name": "customer"};

def shorten: if length > 20 then .[0:19] + "." else . end;

def initials: [splits(" +") | .[0:1]] | join("");
