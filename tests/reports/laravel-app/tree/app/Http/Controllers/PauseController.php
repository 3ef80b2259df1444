<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class PauseController
{
    public function store(Request $request)
    {
        $data = $request->validate(['from' => 'required|date|after:today', 'until' => 'required|date|after_or_equal:from']);
        $request->user()->pauses()->create($data);

        return back();
    }
}
