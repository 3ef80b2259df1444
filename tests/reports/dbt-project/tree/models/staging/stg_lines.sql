select
    {{ dbt_utils.generate_surrogate_key(['receipt_no', 'line_no']) }} as line_id,
    receipt_no as receipt_id,
    plu        as product_id,
    quantity,
    cents
from {{ source('tills', 'lines') }}
