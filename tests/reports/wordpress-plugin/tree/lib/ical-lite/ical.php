<?php
/**
 * ical-lite 2.1.4
 * @license MIT
 * @copyright 2017 R. Dufresne
 */
function ical_lite( $rows ) {
    $out = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n";
    foreach ( $rows as $row ) {
        $out .= "BEGIN:VEVENT\r\nUID:{$row->id}\r\nDTSTART:{$row->at}\r\nEND:VEVENT\r\n";
    }
    return $out . "END:VCALENDAR\r\n";
}
