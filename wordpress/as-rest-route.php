<?php
/**
 * Plugin Name: as-rest-route companion
 * Description: Cleans the object cache of what the service as-rest-route has written, tells it when WordPress writes, and lists its routes in the index of the REST API.
 * Version: 0.1.0
 * License: MIT
 * A must-use plugin: copy it to wp-content/mu-plugins/. wp-config.php may define:
 * AS_REST_ROUTE_URL    where the service listens, 'http://127.0.0.1:8080', several separated by spaces: it is told of writes.
 * AS_REST_ROUTE_HOOKS  true: hooks such as save_post run for what the service writes.
 */
namespace AsRestRoute;
defined( 'ABSPATH' ) || exit;

const WINDOW = 60; // Seconds that a message is valid. Its sender is remembered twice as long.
const NOTICE = array( 'id' => 0, 'type' => '', 'event' => '', 'terms' => array(), 'taxonomy' => '', 'name' => '', 'heir' => null );

function signature( $direction, $sender, $time, $body ) {
	return hash_hmac( 'sha256', "$direction\n$sender\n$time\n$body", hash_hmac( 'sha256', 'as-rest-route companion', wp_salt( 'auth' ) ) );
}

/** The times of one sender ascend. The last ones are in an option, whose row is locked meanwhile. */
function is_new( $sender, $time ) {
	global $wpdb;
	$wpdb->query( "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES ('as_rest_route_senders', '[]', 'no')" );
	$wpdb->query( 'START TRANSACTION' );
	$all    = (array) json_decode( $wpdb->get_var( "SELECT option_value FROM $wpdb->options WHERE option_name = 'as_rest_route_senders' FOR UPDATE" ), true );
	$is_new = ! isset( $all[ $sender ] ) || $time > $all[ $sender ];
	$last   = array( $sender => $is_new ? $time : $all[ $sender ] );
	foreach ( $all as $other => $seen ) { $last += $seen > ( time() - 2 * WINDOW ) * 1000000 ? array( $other => $seen ) : array(); }
	$wpdb->update( $wpdb->options, array( 'option_value' => wp_json_encode( $last ) ), array( 'option_name' => 'as_rest_route_senders' ) );
	return false !== $wpdb->query( 'COMMIT' ) && $is_new;
}

/** Why a message of the service is refused; null when it is accepted. */
function refusal( $header, $body ) {
	if ( ! preg_match( '/^([0-9a-f]{16}) (\d{16}) ([0-9a-f]{64})$/D', $header, $parts ) || ! hash_equals( signature( 'notices', $parts[1], $parts[2], $body ), $parts[3] ) ) { return 'signature'; }
	if ( abs( $parts[2] / 1000000 - time() ) > WINDOW ) { return 'time'; }
	return is_new( $parts[1], (int) $parts[2] ) ? null : 'replayed';
}

function forget( $group, ...$keys ) {
	foreach ( $keys as $key ) { wp_cache_delete( $key, $group ); }
}

function forget_terms( $ids, $taxonomy ) {
	clean_term_cache( $ids, $taxonomy, false );
	forget( 'term_meta', ...$ids );
	forget( $taxonomy, 'all_ids', 'get' );
}

function forget_post( $id, $type, $terms, $is_deleted ) {
	global $wpdb;
	$old = get_post( $id ); // It may be older than the row.
	forget( 'posts', $id );
	$post = $is_deleted ? null : get_post( $id );
	array_map( 'clean_post_cache', array_filter( array( $old, $post ) ) );
	forget( 'post_meta', $id );
	clean_comment_cache( $wpdb->get_col( $wpdb->prepare( "SELECT comment_ID FROM $wpdb->comments WHERE comment_post_ID = %d LIMIT 5000", $id ) ) );
	forget( 'options', ...( $is_deleted ? array( 'sticky_posts', 'alloptions' ) : array() ) );
	foreach ( array( 'posts', 'comment' ) as $group ) { wp_cache_set( 'last_changed', microtime(), $group ); }
	foreach ( array_unique( array_filter( array( $type, $old ? $old->post_type : '', $post ? $post->post_type : '' ) ) ) as $type ) {
		forget( 'counts', "posts-$type" );
		foreach ( get_object_taxonomies( $type ) as $taxonomy ) {
			// The counts of terms change with it. Those of a deleted record are not known any more.
			$ids = $is_deleted ? $wpdb->get_col( $wpdb->prepare( "SELECT term_id FROM $wpdb->term_taxonomy WHERE taxonomy = %s LIMIT 5000", $taxonomy ) ) : wp_get_object_terms( $id, $taxonomy, array( 'fields' => 'ids' ) );
			forget_terms( array_merge( $ids, $terms ), $taxonomy );
		}
	}
}

function forget_user( $id, $event ) {
	$old = get_userdata( $id );
	forget( 'users', $id );
	$known = array_filter( array( $old, get_userdata( $id ) ) );
	$known ? array_map( 'clean_user_cache', $known ) : do_action( 'clean_user_cache', $id, new \WP_User() );
	forget( 'user_meta', $id );
	wp_cache_set( 'last_changed', microtime(), 'users' );
	forget( 'options', ...( 'meta' === $event ? array() : array( 'user_count', 'alloptions', 'notoptions' ) ) );
}

function apply( $notice ) {
	$notice += NOTICE;
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
	$notice += NOTICE;
	list( $id, $taxonomy, $write ) = array( $notice['id'], $notice['taxonomy'], "$notice[kind] $notice[event]" );
	$post  = 'post' === $notice['kind'] ? get_post( $id ) : null;
	$user  = 'user' === $notice['kind'] ? get_userdata( $id ) : null;
	$term  = 'term insert' === $write ? get_term( $id, $taxonomy ) : null;
	$saved = $post ? array_fill_keys( array( "save_post_{$post->post_type}", 'save_post', 'wp_insert_post', 'wp_after_insert_post' ), array( $id, $post, 'post update' === $write, null ) ) : array();
	$gone  = array( $id, new \WP_Post( (object) array( 'ID' => $id, 'post_type' => $notice['type'] ) ) );
	$hooks = array(
		'post insert' => $saved, 'post update' => $saved,
		'post delete' => array( 'deleted_post' => $gone, 'after_delete_post' => $gone ),
		'user insert' => $user ? array( 'user_register' => array( $id, $user->to_array() ) ) : array(),
		'user update' => $user ? array( 'profile_update' => array( $id, $user, $user->to_array() ) ) : array(),
		'user delete' => array( 'deleted_user' => array( $id, $notice['heir'], new \WP_User() ) ),
		'term insert' => $term instanceof \WP_Term ? array( 'created_term' => array( $id, $term->term_taxonomy_id, $taxonomy ), "created_$taxonomy" => array( $id, $term->term_taxonomy_id ) ) : array(),
	);
	foreach ( isset( $hooks[ $write ] ) ? $hooks[ $write ] : array() as $hook => $arguments ) { do_action( $hook, ...$arguments ); }
}

/** Whether WordPress has written in this request. Its transients, its tasks and the locks of its editor are in no answer of the service. */
function has_written( $name = null, $object = null, $key = null ) {
	static $has_written = false;
	$is_own      = is_string( $name ) && preg_match( '/^(?:_(?:site_)?transient_|cron$|as_rest_route_)/', $name );
	$has_written = false !== $name && ( $has_written || ( null !== $name && ! $is_own && '_edit_lock' !== $key ) );
	return $has_written;
}

foreach ( array( 'clean_post_cache', 'clean_user_cache', 'clean_term_cache', 'set_object_terms', 'added_option', 'updated_option', 'deleted_option', 'added_post_meta', 'updated_post_meta', 'deleted_post_meta', 'added_user_meta', 'updated_user_meta', 'deleted_user_meta', 'added_term_meta', 'updated_term_meta', 'deleted_term_meta' ) as $hook ) { add_action( $hook, __NAMESPACE__ . '\has_written', 10, 3 ); }

add_action( 'wp_loaded', function () {
	if ( isset( $_GET['as_rest_route'], $_SERVER['HTTP_X_AS_REST_ROUTE'] ) && 'notices' === $_GET['as_rest_route'] && 'POST' === $_SERVER['REQUEST_METHOD'] ) {
		$body    = file_get_contents( 'php://input' );
		$refusal = refusal( $_SERVER['HTTP_X_AS_REST_ROUTE'], $body );
		$notices = null === $refusal ? (array) json_decode( $body, true ) : array();
		array_map( __NAMESPACE__ . '\apply', $notices );
		has_written( false );
		array_map( __NAMESPACE__ . '\run_hooks', defined( 'AS_REST_ROUTE_HOOKS' ) && AS_REST_ROUTE_HOOKS ? $notices : array() );
		wp_send_json( array( 'refused' => $refusal ), null === $refusal ? 200 : 403 );
	}
}, 0 );

add_action( 'shutdown', function () {
	$can_wait = has_written() && ( PHP_SAPI === 'cli' || ( function_exists( 'fastcgi_finish_request' ) && fastcgi_finish_request() ) ); // The answer is sent before.
	foreach ( has_written() && defined( 'AS_REST_ROUTE_URL' ) ? preg_split( '/\s+/', AS_REST_ROUTE_URL, -1, PREG_SPLIT_NO_EMPTY ) : array() as $url ) {
		$parts   = array( bin2hex( random_bytes( 8 ) ), (string) (int) ( microtime( true ) * 1000000 ) );
		$headers = array( 'Content-Type' => 'application/json', 'X-As-Rest-Route' => "$parts[0] $parts[1] " . signature( 'changes', $parts[0], $parts[1], '[]' ) );
		wp_remote_post( rtrim( $url, '/' ) . '/as-rest-route/changes', array( 'blocking' => $can_wait, 'timeout' => 2, 'redirection' => 0, 'headers' => $headers, 'body' => '[]' ) );
	}
}, PHP_INT_MAX );

add_filter( 'rest_index', function ( $response ) {
	$index = (array) get_option( 'as_rest_route_index', array() ) + array( 'namespaces' => array(), 'routes' => array() );
	$response->data['namespaces'] = array_values( array_unique( array_merge( $response->data['namespaces'], $index['namespaces'] ) ) );
	$response->data['routes']     = (array) $response->data['routes'] + $index['routes'];
	return $response;
} );
