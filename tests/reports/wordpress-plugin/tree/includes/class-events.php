<?php
/**
 * Rehearsals and concerts in a table of their own.
 */
class Choir_Calendar_Events {
    const KINDS = array( 'rehearsal', 'concert' );

    public static function register() {
        add_shortcode( 'choir_calendar', array( __CLASS__, 'render' ) );
    }

    public static function install() {
        global $wpdb;
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        dbDelta( "CREATE TABLE {$wpdb->prefix}choir_events (id bigint AUTO_INCREMENT, kind varchar(10), voice varchar(10), at datetime, place varchar(200), PRIMARY KEY  (id))" );
    }

    public static function is_public( $kind ) {
        return 'concert' === $kind;
    }

    public static function title( $kind, $place ) {
        return ucfirst( $kind ) . ', ' . $place;
    }

    public static function render() {
        global $wpdb;
        $rows = $wpdb->get_results( $wpdb->prepare( "SELECT * FROM {$wpdb->prefix}choir_events WHERE at > %s ORDER BY at", current_time( 'mysql' ) ) );
        $out  = '<ul class="choir-calendar">';
        foreach ( $rows as $row ) {
            $out .= '<li>' . esc_html( self::title( $row->kind, $row->place ) ) . '</li>';
        }
        return $out . '</ul>';
    }
}
