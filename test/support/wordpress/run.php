<?php
/*
 * Runs code inside of WordPress: `php run.php`, with { host, code, argument } as JSON on standard input. What the code
 * returns is written as JSON to the file descriptor 3.
 * License: MIT
 */
$wanted = json_decode( stream_get_contents( STDIN ), true );
$_SERVER += array( 'HTTP_HOST' => $wanted['host'], 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1' );
require ABSPATH . 'wp-load.php';

try {
	$result = ( static function ( $argument ) use ( $wanted ) {
		return eval( $wanted['code'] );
	} )( $wanted['argument'] ?? null );
} catch ( Throwable $error ) {
	// WordPress would print a page about it.
	fwrite( STDERR, (string) $error );
	exit( 1 );
}
$text = json_encode( $result, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION );
if ( false === $text ) {
	fwrite( STDERR, 'The result cannot be written as JSON: ' . json_last_error_msg() );
	exit( 1 );
}
file_put_contents( 'php://fd/3', $text );
