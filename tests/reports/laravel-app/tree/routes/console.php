<?php

use App\Jobs\PrintPackingLists;
use Illuminate\Support\Facades\Schedule;

Schedule::job(new PrintPackingLists)->weeklyOn(3, '22:00');
