<?php
use PHPUnit\Framework\TestCase;

final class Events_Test extends TestCase {
    public function test_concerts_are_public() {
        $this->assertTrue( Choir_Calendar_Events::is_public( 'concert' ) );
    }

    public function test_rehearsals_are_not() {
        $this->assertFalse( Choir_Calendar_Events::is_public( 'rehearsal' ) );
    }

    public function test_title() {
        $this->assertSame( 'Concert, Bethel', Choir_Calendar_Events::title( 'concert', 'Bethel' ) );
    }
}
