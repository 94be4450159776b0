<?php
/*
 * Keeps messages in a file beside the site: one JSON object a line.
 * License: MIT
 */

function wp_mail( $to, $subject, $message ) {
	$line = wp_json_encode( compact( 'to', 'subject', 'message' ) );
	return (bool) file_put_contents( dirname( WP_CONTENT_DIR ) . '/mail.jsonl', "$line\n", FILE_APPEND | LOCK_EX );
}
