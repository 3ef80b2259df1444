<?php

use App\Models\Box;

it('shows the boxes', function () {
    Box::create(['size' => 'small', 'cents' => 1250]);
    $this->get('/')->assertOk()->assertSee('12.50');
});

it('asks strangers to sign in', function () {
    $this->post('/pauses')->assertRedirect();
});
