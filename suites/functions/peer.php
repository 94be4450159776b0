<?php
/*
 * Says what WordPress's functions return: each line of standard input is a function and its argument in JSON, each line of
 * the output the result in JSON, or `-` when the function fails. The functions run without a site and without a database.
 * Usage: php peer.php <folder of WordPress>
 * License: MIT
 */
error_reporting( 0 );
define( 'ABSPATH', rtrim( $argv[1], '/' ) . '/' );
define( 'WPINC', 'wp-includes' );
define( 'WP_DEBUG', false );
define( 'WP_CONTENT_DIR', sys_get_temp_dir() );
define( 'WP_CONTENT_URL', 'http://site.example/wp-content' );
$files = 'class-wp-list-util class-wp-user class-wp-roles class-wp-role pomo/translations class-wp-textdomain-registry plugin load
	default-constants compat functions class-wp-error cache formatting blocks kses l10n option pluggable rest-api shortcodes post user
	capabilities http link-template general-template meta taxonomy class-wp-block-parser';
foreach ( preg_split( '/\s+/', $files ) as $file ) {
	if ( file_exists( ABSPATH . WPINC . "/$file.php" ) ) {
		require_once ABSPATH . WPINC . "/$file.php";
	}
}
wp_cache_init();
wp_initial_constants();
if ( class_exists( 'WP_Textdomain_Registry' ) ) {
	$wp_textdomain_registry = new WP_Textdomain_Registry();
}
require_once ABSPATH . WPINC . '/default-filters.php';
$options = array(
	'blog_charset' => 'UTF-8',
	'siteurl'      => 'http://site.example',
	'home'         => 'http://site.example',
);
wp_cache_set( 'alloptions', $options, 'options' );
add_filter( 'pre_option', fn( $value, $name ) => $options[ $name ] ?? '', 10, 2 );

/** The first problem in a value, at any depth; null for none. */
function problem_in( $value ) {
	if ( is_wp_error( $value ) ) {
		return $value;
	}
	foreach ( is_array( $value ) ? $value : array() as $item ) {
		$problem = problem_in( $item );
		if ( null !== $problem ) {
			return $problem;
		}
	}
	return null;
}

/** Validates a value by a schema, and coerces one that is valid. */
function checked_by_schema( array $case ): array {
	$problem = rest_validate_value_from_schema( $case['value'], $case['schema'], 'p' );
	if ( ! is_wp_error( $problem ) ) {
		$value   = rest_sanitize_value_from_schema( $case['value'], $case['schema'], 'p' );
		$problem = problem_in( $value );
		if ( null === $problem ) {
			return array( 'value' => $value );
		}
	}
	return array(
		'code'    => $problem->get_error_code(),
		'message' => $problem->get_error_message(),
	);
}

while ( false !== ( $line = fgets( STDIN ) ) ) {
	list( $name, $argument ) = json_decode( $line, true, 1024 );
	try {
		echo json_encode( $name( $argument ), JSON_INVALID_UTF8_SUBSTITUTE ) . "\n";
	} catch ( Throwable $error ) {
		echo "-\n";
	}
}
