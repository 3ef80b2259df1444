<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

/** A size of box and its price in cents. */
class Box extends Model
{
    protected $fillable = ['size', 'cents'];

    public function price(): string
    {
        return sprintf('%d.%02d', intdiv($this->cents, 100), $this->cents % 100);
    }
}
