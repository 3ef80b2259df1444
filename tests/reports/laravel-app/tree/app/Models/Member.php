<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Support\Carbon;

/** Somebody who gets a box. */
class Member extends Model
{
    protected $fillable = ['name', 'email', 'box_id'];

    public function pauses()
    {
        return $this->hasMany(Pause::class);
    }

    public function getsBoxOn(Carbon $day): bool
    {
        return $this->pauses->every(fn (Pause $p) => ! $day->betweenIncluded($p->from, $p->until));
    }
}
