<?php

declare(strict_types=1);

namespace Halcyon\OpeningHours;

use DateTimeImmutable;

/**
 * The hours of a week, with exceptions and holidays.
 */
final class Schedule
{
    /** @param array<string, list<TimeRange>> $days */
    private function __construct(
        private readonly array $days,
        private readonly Exceptions $exceptions,
    ) {
    }

    /** @param array<string, list<string>> $days */
    public static function fromArray(array $days, ?Exceptions $exceptions = null): self
    {
        return new self(
            array_map(fn (array $ranges) => array_map(TimeRange::parse(...), $ranges), $days),
            $exceptions ?? new Exceptions(),
        );
    }

    public function isOpenAt(DateTimeImmutable $moment): bool
    {
        if ($this->exceptions->isClosedOn($moment)) {
            return false;
        }
        $day = strtolower($moment->format('D'));
        foreach ($this->days[$day] ?? [] as $range) {
            if ($range->contains($moment->format('H:i'))) {
                return true;
            }
        }

        return false;
    }
}
