<?php

namespace App\Http\Controllers;

use App\Models\Box;
use Illuminate\Http\Request;

class BoxController
{
    public function index()
    {
        return view('boxes', ['boxes' => Box::orderBy('cents')->get()]);
    }

    public function choose(Request $request, Box $box)
    {
        $request->user()->update(['box_id' => $box->id]);

        return back();
    }
}
