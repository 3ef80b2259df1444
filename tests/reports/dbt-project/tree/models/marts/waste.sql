-- What was baked and not sold, after 18:00.
select
    s.shop_id,
    s.day,
    p.name,
    p.baked_per_day - s.pieces as thrown_away
from {{ ref('daily_sales') }} s
join {{ ref('products') }} p using (product_id)
