{% macro generate_surrogate_key(columns) %}
    md5({% for column in columns %}coalesce({{ column }}::text, ''){% if not loop.last %} || '-' || {% endif %}{% endfor %})
{% endmacro %}
