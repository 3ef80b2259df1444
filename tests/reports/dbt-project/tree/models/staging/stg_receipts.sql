select
    receipt_no as receipt_id,
    shop_no    as shop_id,
    printed_at at time zone 'Europe/Berlin' as sold_at
from {{ source('tills', 'receipts') }}
where not is_training
