<?php

declare(strict_types=1);

namespace Halcyon\OpeningHours;

use InvalidArgumentException;

/**
 * From one time of day to another, possibly past midnight.
 */
final class TimeRange
{
    public function __construct(public readonly string $from, public readonly string $to)
    {
    }

    public static function parse(string $text): self
    {
        if (!preg_match('/^(\d\d:\d\d)-(\d\d:\d\d)$/', mb_trim($text), $m)) {
            throw new InvalidArgumentException("no range: $text");
        }

        return new self($m[1], $m[2]);
    }

    public function contains(string $time): bool
    {
        return $this->from <= $this->to
            ? $time >= $this->from && $time < $this->to
            : $time >= $this->from || $time < $this->to;
    }
}
