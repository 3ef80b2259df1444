<?php

/*
 * Polyfill of mb_trim, version 1.29, by others.
 *
 * License: BSD-3-Clause
 */
if (!function_exists('mb_trim')) {
    function mb_trim(string $s): string
    {
        return (string) preg_replace('/^\s+|\s+$/u', '', $s);
    }
}
