<?php
/**
 * The iCalendar feed, for all or for one voice.
 */
require_once __DIR__ . '/../lib/ical-lite/ical.php';

class Choir_Calendar_Feed {
    public static function register() {
        add_feed( 'choir', array( __CLASS__, 'send' ) );
    }

    public static function send() {
        global $wpdb;
        $voice = isset( $_GET['voice'] ) ? $_GET['voice'] : '';
        $rows  = $wpdb->get_results( "SELECT * FROM {$wpdb->prefix}choir_events WHERE voice IN ('', '$voice')" );
        header( 'Content-Type: text/calendar; charset=utf-8' );
        echo ical_lite( $rows ); // phpcs:ignore
    }
}
