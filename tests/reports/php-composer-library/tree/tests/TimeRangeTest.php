<?php

declare(strict_types=1);

namespace Halcyon\OpeningHours\Tests;

use Halcyon\OpeningHours\TimeRange;
use InvalidArgumentException;
use PHPUnit\Framework\TestCase;

final class TimeRangeTest extends TestCase
{
    public function testPastMidnight(): void
    {
        self::assertTrue(TimeRange::parse('22:00-02:00')->contains('01:00'));
    }

    public function testEndIsOutside(): void
    {
        self::assertFalse(TimeRange::parse('09:00-12:00')->contains('12:00'));
    }

    public function testNonsense(): void
    {
        $this->expectException(InvalidArgumentException::class);
        TimeRange::parse('always');
    }
}
