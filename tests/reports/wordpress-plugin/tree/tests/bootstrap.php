<?php
require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/../includes/class-events.php';
require __DIR__ . '/../lib/ical-lite/ical.php';
