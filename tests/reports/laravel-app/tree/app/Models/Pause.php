<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

/** No box from one day until another. */
class Pause extends Model
{
    protected $fillable = ['from', 'until'];

    protected $casts = ['from' => 'date', 'until' => 'date'];
}
