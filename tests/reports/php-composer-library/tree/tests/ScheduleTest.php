<?php

declare(strict_types=1);

namespace Halcyon\OpeningHours\Tests;

use DateTimeImmutable;
use Halcyon\OpeningHours\Exceptions;
use Halcyon\OpeningHours\Schedule;
use PHPUnit\Framework\TestCase;

final class ScheduleTest extends TestCase
{
    public function testOpen(): void
    {
        self::assertTrue(Schedule::fromArray(['mon' => ['09:00-12:00']])->isOpenAt(new DateTimeImmutable('2024-03-04 09:30')));
    }

    public function testBreak(): void
    {
        self::assertFalse(Schedule::fromArray(['mon' => ['09:00-12:00']])->isOpenAt(new DateTimeImmutable('2024-03-04 12:00')));
    }

    public function testException(): void
    {
        $s = Schedule::fromArray(['mon' => ['09:00-12:00']], new Exceptions(['2024-03-04']));
        self::assertFalse($s->isOpenAt(new DateTimeImmutable('2024-03-04 09:30')));
    }
}
