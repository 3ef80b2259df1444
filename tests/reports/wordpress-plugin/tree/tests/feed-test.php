<?php
use PHPUnit\Framework\TestCase;

final class Feed_Test extends TestCase {
    public function test_empty_feed() {
        $this->assertStringStartsWith( 'BEGIN:VCALENDAR', ical_lite( array() ) );
    }
}
