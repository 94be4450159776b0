<?php
/*
 * Says what WordPress's functions return: each line of standard input is a JSON list of a function and its arguments, each line
 * of the output the result in JSON, or `-` when the function fails. A text has one character for each of its bytes on these
 * lines, since PHP's texts need not be UTF-8. The whole of WordPress is loaded, without a database.
 * Usage: php peer.php <folder of WordPress>
 * License: MIT
 */
define( 'ABSPATH', rtrim( $argv[1], '/' ) . '/' );
define( 'WP_DEBUG', false );
define( 'WP_CONTENT_DIR', sys_get_temp_dir() . '/functions-without-content' );
define( 'WP_CONTENT_URL', 'http://site.example/wp-content' );
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
$_SERVER['HTTP_HOST']   = 'site.example';
$_SERVER['REQUEST_URI'] = '/';
require ABSPATH . 'wp-includes/class-wpdb.php';

/** A database that has the options of a site, and nothing else. */
class Options_Only extends wpdb {
	public $ready   = true;
	public $charset = 'utf8mb4';

	public function __construct() {}

	public function query( $query ) {
		$site    = 'http://site.example';
		$options = array( 'siteurl' => $site, 'home' => $site, 'blog_charset' => 'UTF-8', 'use_smilies' => '1' );
		$isList  = str_contains( $query, 'option_name, option_value' );

		$this->last_result = array();
		foreach ( $isList ? $options : array() as $name => $value ) {
			$this->last_result[] = (object) array( 'option_name' => $name, 'option_value' => $value );
		}
		return count( $this->last_result );
	}

	public function _real_escape( $data ) {
		return addslashes( $data );
	}
}
$wpdb         = new Options_Only();
$table_prefix = 'wp_';
require ABSPATH . 'wp-settings.php';
error_reporting( 0 );

/** Applies a function to every text in a value, also to the keys of arrays. */
function each_text( $value, callable $convert ) {
	if ( is_string( $value ) ) {
		return $convert( $value );
	}
	if ( is_float( $value ) && ! is_finite( $value ) ) {
		return strval( $value );
	}
	if ( ! is_array( $value ) ) {
		return $value;
	}
	$converted = array();
	foreach ( $value as $key => $item ) {
		$converted[ each_text( $key, $convert ) ] = each_text( $item, $convert );
	}
	return $converted;
}

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
function checked_by_schema( $value, array $schema ): array {
	$problem = rest_validate_value_from_schema( $value, $schema, 'p' );
	if ( ! is_wp_error( $problem ) ) {
		$value   = rest_sanitize_value_from_schema( $value, $schema, 'p' );
		$problem = problem_in( $value );
		if ( null === $problem ) {
			return array( 'value' => $value );
		}
	}
	return array(
		'code'    => $problem->get_error_code(),
		'message' => $problem->get_error_message(),
		'data'    => $problem->get_error_data(),
	);
}

/** A text as WordPress stores it: filters see it with slashes, which the database does not get. */
function stored_text( string $filter, string $text ): string {
	return wp_unslash( apply_filters( $filter, wp_slash( $text ) ) );
}

function application_name( string $text ): string {
	return wp_unslash( sanitize_text_field( wp_slash( $text ) ) );
}

/** A title or content as it is stored for an author with or without `unfiltered_html`. */
function stored_field( string $name, string $text, bool $allows_html ): string {
	$allows_html ? kses_remove_filters() : kses_init_filters();
	return wp_unslash( sanitize_post_field( $name, wp_slash( $text ), 0, 'db' ) );
}

/** The words of a search. */
function search_words( string $text ): array {
	$query  = new WP_Query();
	$method = new ReflectionMethod( $query, 'parse_search' );
	$args   = array( 's' => wp_slash( $text ) );
	$method->setAccessible( true );
	$method->invokeArgs( $query, array( &$args ) );
	return $args['search_terms'] ?? array();
}

/** @return array|false The path and the query. */
function address_parts( string $address ) {
	$parts = wp_parse_url( $address );
	return $parts ? array( $parts['path'] ?? '', $parts['query'] ?? '' ) : false;
}

function rendered_content( string $content ): string {
	return apply_filters( 'the_content', $content );
}

/** What WordPress allows, as lists of names. */
function table_of_names( string $name ) {
	$css = array();
	add_filter(
		'safe_style_css',
		function ( $names ) use ( &$css ) {
			$css = $names;
			return $names;
		}
	);
	safecss_filter_attr( 'color:red' );
	$tables = array(
		'css'        => $css,
		'post'       => array_map( 'array_keys', wp_kses_allowed_html( 'post' ) ),
		'data'       => array_map( 'array_keys', array_map( 'array_filter', wp_kses_allowed_html( 'data' ) ) ),
		'protocols'  => wp_allowed_protocols(),
		'urls'       => wp_kses_uri_attributes(),
		'entities'   => array_merge( $GLOBALS['allowedentitynames'], $GLOBALS['allowedxmlentitynames'] ),
		'extensions' => explode( '|', implode( '|', array_keys( get_allowed_mime_types() ) ) ),
	);
	return $tables[ $name ];
}

while ( false !== ( $line = fgets( STDIN ) ) ) {
	$arguments = each_text( json_decode( $line, true, 1024 ), fn( $text ) => iconv( 'UTF-8', 'ISO-8859-1', $text ) );
	$name      = array_shift( $arguments );
	try {
		$result = json_encode( each_text( $name( ...$arguments ), fn( $text ) => iconv( 'ISO-8859-1', 'UTF-8', $text ) ) );
		echo ( false === $result ? '-' : $result ) . "\n";
	} catch ( Throwable $error ) {
		echo "-\n";
	}
}
