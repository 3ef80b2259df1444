-- Sales by shop, product and day.
select
    r.shop_id,
    l.product_id,
    r.sold_at::date as day,
    sum(l.quantity) as pieces,
    {{ euros('sum(l.cents)') }} as euros
from {{ ref('stg_lines') }} l
join {{ ref('stg_receipts') }} r using (receipt_id)
group by 1, 2, 3
