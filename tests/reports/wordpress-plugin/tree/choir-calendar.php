<?php
/**
 * Plugin Name:       Choir Calendar
 * Description:       Rehearsals and concerts of a choir, as a list, a block and an iCalendar feed.
 * Version:           1.7.0
 * Requires at least: 6.3
 * Requires PHP:      7.4
 * Author:            Gwenllian Pryce
 * License:           GPL-2.0-or-later
 * Text Domain:       choir-calendar
 *
 * @package Choir_Calendar
 */

defined( 'ABSPATH' ) || exit;

define( 'CHOIR_CALENDAR_VERSION', '1.7.0' );

require_once __DIR__ . '/includes/class-events.php';
require_once __DIR__ . '/includes/class-feed.php';

register_activation_hook( __FILE__, array( 'Choir_Calendar_Events', 'install' ) );

add_action( 'init', array( 'Choir_Calendar_Events', 'register' ) );
add_action( 'init', array( 'Choir_Calendar_Feed', 'register' ) );
add_action(
    'init',
    function () {
        register_block_type( __DIR__ . '/build/block' );
    }
);
