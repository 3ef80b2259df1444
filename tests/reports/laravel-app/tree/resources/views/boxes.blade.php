<!doctype html>
<title>{{ config('app.name') }}</title>
@vite('resources/js/app.js')
<ul>
  @foreach ($boxes as $box)
    <li>{{ $box->size }}: {{ $box->price() }} €</li>
  @endforeach
</ul>
