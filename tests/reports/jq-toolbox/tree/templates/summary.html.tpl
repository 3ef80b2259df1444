<!doctype html>
<title>{{ month }}</title>
{{#each invoices}}
<tr><td>{{ number }}</td><td>{{ total }}</td></tr>
{{/each}}
