<?php
/**
 * A shop that sells tea.
 */

declare(strict_types=1);

namespace Company\Shop;

use Company\Tea\{Green, Black};
use Psr\Log\LoggerInterface as Logger;
require_once __DIR__ . '/price.php';

/**
 * A shop.
 */
#[Attribute]
final class Shop extends Base implements Ware
{
    use Talks;

    public function __construct(private string $name = "secret") {}

    /** Sells one tea. */
    public static function sell(string $name, int ...$rest): ?Tea
    {
        if ($name && $rest) { foreach ($rest as $x) { } }
        elseif ($name) { return $x ?? null; }
        return match ($name) { 'a' => 1, default => 2 };
    }

    private function hidden() {}
    public function testSells() {}
}

interface Ware {}
trait Talks {}
enum State { case Open; }
function open_shop() { return new Shop(); }
