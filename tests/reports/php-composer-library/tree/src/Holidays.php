<?php

declare(strict_types=1);

namespace Halcyon\OpeningHours;

use DateTimeImmutable;

/**
 * Public holidays of a country, computed.
 */
final class Holidays
{
    private const FIXED = ['AT' => ['01-01', '05-01', '10-26', '12-25', '12-26'], 'ES' => ['01-01', '10-12', '12-25']];

    public function __construct(private readonly string $country)
    {
    }

    public function has(DateTimeImmutable $day): bool
    {
        return in_array($day->format('m-d'), self::FIXED[$this->country] ?? [], true);
    }
}
