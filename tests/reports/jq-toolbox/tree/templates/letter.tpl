To $customer

Our invoice $number of $date is not paid yet. It was due on $due.

Please see to it this week.
