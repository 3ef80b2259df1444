<?php

declare(strict_types=1);

namespace Halcyon\OpeningHours;

use DateTimeImmutable;

/**
 * Days on which everything is different.
 */
final class Exceptions
{
    /** @param list<string> $closed dates as 2024-12-24 */
    public function __construct(private readonly array $closed = [], private readonly ?Holidays $holidays = null)
    {
    }

    public function isClosedOn(DateTimeImmutable $day): bool
    {
        return in_array($day->format('Y-m-d'), $this->closed, true)
            || ($this->holidays?->has($day) ?? false);
    }
}
