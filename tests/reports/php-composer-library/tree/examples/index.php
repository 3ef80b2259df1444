<?php

require __DIR__ . '/../vendor/autoload.php';

use Halcyon\OpeningHours\Schedule;

$schedule = Schedule::fromArray(json_decode(file_get_contents(__DIR__ . '/shop.json'), true));
echo $schedule->isOpenAt(new DateTimeImmutable()) ? 'open' : 'closed', PHP_EOL;
