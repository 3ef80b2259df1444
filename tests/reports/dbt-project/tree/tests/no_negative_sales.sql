select * from {{ ref('daily_sales') }} where euros < 0
