{% snapshot prices %}
{{ config(target_schema='snapshots', unique_key='plu', strategy='check', check_cols=['cents']) }}
select plu, cents from raw_tills.prices
{% endsnapshot %}
