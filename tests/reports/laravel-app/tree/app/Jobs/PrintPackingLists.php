<?php

namespace App\Jobs;

use App\Models\Member;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Support\Facades\Storage;

/** Writes one packing list per box size for Thursday. */
class PrintPackingLists implements ShouldQueue
{
    use Queueable;

    public function handle(): void
    {
        $day = now()->addDay();
        Member::with('pauses')->get()
            ->filter(fn (Member $m) => $m->getsBoxOn($day))
            ->groupBy('box_id')
            ->each(fn ($members, $box) => Storage::put("lists/$box.txt", $members->pluck('name')->join("\n")));
    }
}
