<?php
/**
 * Plugin Name: as-rest-route companion
 * Description: Cleans the object cache of what the service as-rest-route has written, tells it when WordPress writes, lists its routes in the index of the REST API, and makes PHP obey the limits of its application passwords.
 * Version: 0.1.0
 * License: MIT
 * A must-use plugin: copy it to wp-content/mu-plugins/. wp-config.php may define:
 * AS_REST_ROUTE_URL    where the service listens, 'http://127.0.0.1:8080', several separated by spaces: it is told of writes.
 * AS_REST_ROUTE_HOOKS  true: hooks such as save_post run for what the service writes.
 */
namespace AsRestRoute;
defined( 'ABSPATH' ) || exit;

const WINDOW = 60; // Seconds that a message is valid. Its sender is remembered twice as long.
const SENDER = 'as_rest_route_sender_';
const NOTICE = array( 'id' => 0, 'type' => '', 'event' => '', 'terms' => array(), 'taxonomy' => '', 'name' => '', 'heir' => null );
const OUTSIDE = array( 'code' => 'rest_application_password_scope', 'message' => 'This application password may not be used for this request.', 'data' => array( 'status' => 403 ) );
function signature( ...$message ) { return hash_hmac( 'sha256', implode( "\n", $message ), hash_hmac( 'sha256', 'as-rest-route companion', wp_salt( 'auth' ) ) ); }
/** The times of one sender ascend. The last one of each is in an option, until it is too old. */
function is_new( $sender, $time ) {
	global $wpdb;
	$wpdb->query( $wpdb->prepare( "DELETE FROM $wpdb->options WHERE option_name LIKE %s AND option_value < %s", $wpdb->esc_like( SENDER ) . '%', ( time() - 2 * WINDOW ) * 1000000 ) );
	return (bool) $wpdb->query( $wpdb->prepare( "INSERT INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no') ON DUPLICATE KEY UPDATE option_value = GREATEST(option_value, VALUES(option_value))", SENDER . $sender, $time ) );
}
/** Why a message of the service is refused; null when it is accepted. */
function refusal( $header, $body ) {
	if ( ! preg_match( '/^([0-9a-f]{16}) (\d{16}) ([0-9a-f]{64})$/D', $header, $parts ) || ! hash_equals( signature( 'notices', $parts[1], $parts[2], $body ), $parts[3] ) ) { return 'signature'; }
	return abs( $parts[2] / 1000000 - time() ) > WINDOW ? 'time' : ( is_new( $parts[1], $parts[2] ) ? null : 'replayed' );
}
function forget( $group, ...$keys ) { foreach ( $keys as $key ) { wp_cache_delete( $key, $group ); } }
function forget_terms( $ids, $taxonomy ) { clean_term_cache( $ids, $taxonomy, false ); forget( 'term_meta', ...$ids ); forget( $taxonomy, 'all_ids', 'get' ); }
function forget_post( $id, $type, $terms, $is_deleted ) {
	global $wpdb;
	$old = get_post( $id ); forget( 'posts', $id ); // It may be older than the row.
	$posts = array_filter( array( $old, get_post( $id ) ) );
	array_map( 'clean_post_cache', $posts );
	forget( 'post_meta', $id ); clean_comment_cache( $wpdb->get_col( $wpdb->prepare( "SELECT comment_ID FROM $wpdb->comments WHERE comment_post_ID = %d LIMIT 5000", $id ) ) );
	wp_cache_set( 'last_changed', microtime(), 'posts' );
	// The counts of its terms change. Those of a deleted record are not known any more.
	foreach ( array_unique( array_filter( array_merge( array( $type ), wp_list_pluck( $posts, 'post_type' ) ) ) ) as $type ) {
		forget( 'counts', "posts-$type" );
		foreach ( get_object_taxonomies( $type ) as $taxonomy ) {
			$ids = $is_deleted ? $wpdb->get_col( $wpdb->prepare( "SELECT term_id FROM $wpdb->term_taxonomy WHERE taxonomy = %s LIMIT 5000", $taxonomy ) ) : wp_get_object_terms( $id, $taxonomy, array( 'fields' => 'ids' ) );
			forget_terms( array_merge( $ids, $terms ), $taxonomy );
		}
	}
}
function forget_user( $id, $event ) {
	$old = get_userdata( $id ); forget( 'users', $id );
	$known = array_filter( array( $old, get_userdata( $id ) ) );
	$known ? array_map( 'clean_user_cache', $known ) : do_action( 'clean_user_cache', $id, new \WP_User() );
	forget( 'user_meta', $id ); wp_cache_set( 'last_changed', microtime(), 'users' );
	forget( 'options', ...( 'meta' === $event ? array() : array( 'user_count', 'alloptions', 'notoptions' ) ) );
}
function apply( $notice ) {
	switch ( $notice['kind'] ) {
		case 'post': return forget_post( $notice['id'], $notice['type'], $notice['terms'], 'delete' === $notice['event'] );
		case 'user': return forget_user( $notice['id'], $notice['event'] );
		case 'term': forget_terms( array( $notice['id'] ), $notice['taxonomy'] ); // Its taxonomy has an option.
		case 'option': return forget( 'options', $notice['name'] ?: "$notice[taxonomy]_children", 'alloptions', 'notoptions' );
		case 'index': return update_option( 'as_rest_route_index', array( 'namespaces' => $notice['namespaces'], 'routes' => $notice['routes'] ), false );
	}
	return wp_cache_flush();
}
/** Runs the hooks that WordPress runs for such a write. What was there before is not known. */
function run_hooks( $notice ) {
	list( $id, $type, $taxonomy, $write ) = array( $notice['id'], $notice['type'], $notice['taxonomy'], "$notice[kind] $notice[event]" );
	list( $post, $user, $term ) = array( 'post' === $notice['kind'] ? get_post( $id ) : null, 'user' === $notice['kind'] ? get_userdata( $id ) : null, 'term insert' === $write ? get_term( $id, $taxonomy ) : null );
	if ( 'post delete' === $write ) { foreach ( array( 'deleted_post', 'after_delete_post' ) as $hook ) { do_action( $hook, $id, new \WP_Post( (object) array( 'ID' => $id, 'post_type' => $type ) ) ); } }
	elseif ( $post && 'post meta' !== $write ) { foreach ( array( "save_post_$post->post_type", 'save_post', 'wp_insert_post', 'wp_after_insert_post' ) as $hook ) { do_action( $hook, $id, $post, 'post update' === $write, null ); } }
	elseif ( 'user delete' === $write ) { do_action( 'deleted_user', $id, $notice['heir'], new \WP_User() ); }
	elseif ( $user && 'user insert' === $write ) { do_action( 'user_register', $id, $user->to_array() ); }
	elseif ( $user && 'user update' === $write ) { do_action( 'profile_update', $id, $user, $user->to_array() ); }
	elseif ( $term instanceof \WP_Term ) { do_action( 'created_term', $id, $term->term_taxonomy_id, $taxonomy ); do_action( "created_$taxonomy", $id, $term->term_taxonomy_id ); }
}
function attempt( $function, $notices ) { // A hook that fails would fail again if the message were sent again.
	foreach ( array( 'wp_die_handler', 'wp_die_json_handler' ) as $filter ) { add_filter( $filter, function () { return function ( $message ) { throw new \Error( 'wp_die: ' . wp_json_encode( $message ) ); }; }, PHP_INT_MAX ); }
	foreach ( $notices as $notice ) { try { call_user_func( __NAMESPACE__ . "\\$function", $notice ); } catch ( \Throwable $error ) { error_log( "as-rest-route: a hook failed: $error" ); } }
}
/** Whether WordPress has written in this request. Its transients, its tasks and the locks of its editor are in no answer of the service. */
function has_written( $name = null, $object = null, $key = null ) {
	static $has_written = false;
	$is_own = '_edit_lock' === $key || ( is_string( $name ) && preg_match( '/^(?:_(?:site_)?transient_|cron$|as_rest_route_)/', $name ) );
	return $has_written = false !== $name && ( $has_written || ( null !== $name && ! $is_own ) );
}
foreach ( array( 'clean_post_cache', 'clean_user_cache', 'clean_term_cache', 'set_object_terms', 'added_option', 'updated_option', 'deleted_option', 'added_post_meta', 'updated_post_meta', 'deleted_post_meta', 'added_user_meta', 'updated_user_meta', 'deleted_user_meta', 'added_term_meta', 'updated_term_meta', 'deleted_term_meta' ) as $hook ) { add_action( $hook, __NAMESPACE__ . '\has_written', 10, 3 ); }
add_action( 'wp_loaded', function () {
	if ( ! isset( $_GET['as_rest_route'], $_SERVER['HTTP_X_AS_REST_ROUTE'] ) || 'notices' !== $_GET['as_rest_route'] || 'POST' !== $_SERVER['REQUEST_METHOD'] ) { return; }
	list( $header, $body ) = array( $_SERVER['HTTP_X_AS_REST_ROUTE'], file_get_contents( 'php://input' ) );
	$refusal = refusal( $header, $body );
	$notices = null === $refusal ? array_map( function ( $notice ) { return $notice + NOTICE; }, (array) json_decode( $body, true ) ) : array();
	attempt( 'apply', $notices );
	has_written( false );
	if ( defined( 'AS_REST_ROUTE_HOOKS' ) && AS_REST_ROUTE_HOOKS ) { add_action( 'shutdown', function () use ( $notices ) { function_exists( 'fastcgi_finish_request' ) && fastcgi_finish_request(); attempt( 'run_hooks', $notices ); }, PHP_INT_MAX - 1 ); } // After the answer: a message without one is sent again.
	wp_send_json( array( 'refused' => $refusal, 'limits' => null === $refusal ? signature( 'limits', $header ) : null ), null === $refusal ? 200 : 403 ); // It enforces limits.
}, 0 );
/** Whether the scopes of an application password allow a request, by the rules of the service. What is no list of scopes allows nothing. */
function are_in_scope( $scopes, $method, $path ) {
	foreach ( is_array( $scopes ) ? $scopes : array() as $scope ) {
		if ( ! is_string( $scope ) || ! preg_match( '#^(?:([A-Z,]+) +)?(/[!-~]*)$#D', $scope, $parts ) ) { return false; }
		$is_of_method = '' === $parts[1] || in_array( 'HEAD' === $method ? 'GET' : $method, explode( ',', $parts[1] ), true );
		if ( $is_of_method && preg_match( '#^' . str_replace( '\*', '.*', preg_quote( $parts[2], '#' ) ) . '$#Dis', $path ) ) { return true; }
	}
	return false;
}
function refuse_write() { status_header( 403 ); header( 'Content-Type: application/json' ); exit( wp_json_encode( OUTSIDE ) ); }
function identity( $user ) { return array_intersect_key( (array) $user, array( 'user_pass' => 1, 'user_email' => 1, 'user_activation_key' => 1 ) ); }
/** By no route does a password with scopes write what exceeds or outlasts them: users, passwords, addresses, sessions, roles, plugins. */
function keep_within_scopes() {
	global $wpdb;
	$tables = vsprintf( "/^\W*(?:INSERT|REPLACE|UPDATE)\s[^'\"(=]*?\b(?:(%s)|%s|%s)\b/i", array_map( 'preg_quote', array( $wpdb->users, $wpdb->usermeta, $wpdb->options ) ) );
	$names  = "/['\"](?:" . preg_quote( $wpdb->get_blog_prefix() ) . "(?:capabilities|user_level|user_roles)|session_tokens|_application_passwords|active_plugins|default_role|users_can_register)['\"]/i";
	$is_profile = false; // Whether the next write of a user leaves its identity alone.
	add_filter( 'wp_pre_insert_user_data', function ( $data, $is_update, $id ) use ( &$is_profile ) { $is_profile = $is_update && ! array_diff_assoc( identity( $data ), identity( get_userdata( $id )->data ) ); return $data; }, PHP_INT_MAX, 3 );
	add_filter( 'query', function ( $query ) use ( &$is_profile, $tables, $names ) {
		$is_refused = preg_match( $tables, $query, $table ) && ( isset( $table[1] ) ? ! $is_profile : preg_match( $names, $query ) );
		$is_profile = $is_profile && ! isset( $table[1] );
		return $is_refused ? refuse_write() : $query;
	}, PHP_INT_MAX );
	// To the database, a name with accents or blanks may be one without.
	foreach ( array( 'add', 'update' ) as $verb ) { add_filter( "{$verb}_user_metadata", function ( $check, $id, $key ) { return preg_match( '/[^!-~]/', $key ) ? refuse_write() : $check; }, PHP_INT_MAX, 3 ); }
	add_filter( 'user_has_cap', function ( $rights ) { return array_diff_key( $rights, array_flip( preg_grep( '/^(?:install|upload|edit|update|delete)_(?:plugins|themes|files|core)$|^unfiltered_upload$/', array_keys( $rights ) ) ) ); }, PHP_INT_MAX );
}
// The hash of an application password with limits has a format that PHP does not know without this plugin, so that it refuses the password.
add_filter( 'check_password', function ( $is_right, $password, $hash ) {
	$check = method_exists( 'WP_Application_Passwords', 'check_password' ) ? 'WP_Application_Passwords::check_password' : 'wp_check_password'; // The first since 6.8.
	return 0 === strpos( $hash, '$limited$' ) ? call_user_func( $check, $password, substr( $hash, strlen( '$limited' ) ) ) : $is_right;
}, 10, 3 );
add_action( 'wp_authenticate_application_password_errors', function ( $error, $user, $item ) {
	if ( array_key_exists( 'expires', $item ) && (float) $item['expires'] <= time() ) { return $error->add( 'application_password_ended', 'This application password has ended. Make a new one.' ); }
	if ( ! array_key_exists( 'scopes', $item ) ) { return; }
	if ( ! defined( 'REST_REQUEST' ) ) { $error->add( ...array_values( OUTSIDE ) ); }
	add_action( 'application_password_did_authenticate', __NAMESPACE__ . '\keep_within_scopes' ); // After it has noted its use.
	add_filter( 'rest_pre_dispatch', function ( $result, $server, $request ) use ( $item ) { return 'OPTIONS' === $request->get_method() || are_in_scope( $item['scopes'], $request->get_method(), $request->get_route() ) ? $result : new \WP_REST_Response( OUTSIDE, 403 ); }, PHP_INT_MAX, 3 );
}, 10, 3 );
add_action( 'shutdown', function () {
	$can_wait = has_written() && ( PHP_SAPI === 'cli' || ( function_exists( 'fastcgi_finish_request' ) && fastcgi_finish_request() ) ); // The answer is sent before.
	foreach ( has_written() && defined( 'AS_REST_ROUTE_URL' ) ? preg_split( '/\s+/', AS_REST_ROUTE_URL, -1, PREG_SPLIT_NO_EMPTY ) : array() as $url ) {
		$parts   = array( bin2hex( random_bytes( 8 ) ), (string) (int) ( microtime( true ) * 1000000 ) );
		$message = array( 'headers' => array( 'Content-Type' => 'application/json', 'X-As-Rest-Route' => "$parts[0] $parts[1] " . signature( 'changes', $parts[0], $parts[1], '[]' ) ), 'body' => '[]' );
		wp_remote_post( rtrim( $url, '/' ) . '/as-rest-route/changes', $message + array( 'blocking' => $can_wait, 'timeout' => 2, 'redirection' => 0 ) );
	}
}, PHP_INT_MAX );
add_filter( 'rest_index', function ( $response ) {
	$index = (array) get_option( 'as_rest_route_index', array() ) + array( 'namespaces' => array(), 'routes' => array() );
	$response->data['namespaces'] = array_values( array_unique( array_merge( $response->data['namespaces'], $index['namespaces'] ) ) );
	$response->data['routes']     = (array) $response->data['routes'] + $index['routes'];
	return $response;
} );
