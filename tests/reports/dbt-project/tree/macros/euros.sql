{% macro euros(cents) %}
    round({{ cents }} / 100.0, 2)
{% endmacro %}
