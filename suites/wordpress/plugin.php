<?php
/*
 * The routes of routes.json, in PHP. What the filters set is what this project does on purpose, in WordPress's own means.
 * License: MIT
 */

// A parameter of the path wins.
add_filter( 'rest_request_parameter_order', function ( $order, $request ) {
	// Before the path is matched, parameters that WordPress sets itself belong to the query.
	if ( ! $request->get_url_params() ) {
		return $order;
	}
	return array_merge( array( 'URL' ), array_diff( $order, array( 'URL' ) ) );
}, 10, 2 );

// Refused application passwords are answered with 401.
add_filter( 'rest_authentication_errors', function ( $result ) {
	wp_get_current_user();
	return $result;
}, 1 );

add_action( 'rest_api_init', function () {
	foreach ( json_decode( file_get_contents( __DIR__ . '/routes.json' ), true ) as $route ) {
		register_rest_route( $route['namespace'], $route['route'], array(
			array(
				'methods'             => $route['method'],
				'args'                => array_map( 'suite_argument', $route['args'] ),
				'permission_callback' => function ( $request ) use ( $route ) {
					return suite_permission( $route['permission'], $request );
				},
				'callback'            => function ( $request ) use ( $route ) {
					return suite_answer( $route, $request );
				},
			),
		) + ( empty( $route['batch'] ) ? array() : array( 'allow_batch' => array( 'v1' => true ) ) ) );
	}
}, 5 );

add_filter( 'rest_endpoints', function ( $endpoints ) {
	foreach ( $endpoints as $route => $handlers ) {
		foreach ( 0 === strpos( $route, '/shop/v1/' ) ? $handlers : array() as $key => $handler ) {
			if ( ! empty( $handler['args'] ) ) {
				$endpoints[ $route ][ $key ]['args'] = array_map( 'suite_argument', $handler['args'] );
			}
		}
	}
	return $endpoints;
} );

/** An argument with a sanitiser is validated too, in each source, and the sanitiser gets the value alone. */
function suite_argument( $rules ) {
	if ( ! array_key_exists( 'sanitize_callback', $rules ) ) {
		return $rules;
	}
	$function = $rules['sanitize_callback'];
	$has_type = ! empty( $rules['type'] );
	if ( $has_type ) {
		$rules['validate_callback'] = 'rest_validate_request_arg';
	}
	$rules['sanitize_callback'] = function ( $value, $request, $name ) use ( $function, $has_type, $rules ) {
		$result = null === $value && $function ? $function( $value ) : $value;
		$valid  = $has_type ? rest_validate_value_from_schema( $result, $rules, $name ) : true;
		if ( is_wp_error( $valid ) ) {
			return $valid;
		}
		return null !== $value && $function ? $function( $value ) : $result;
	};
	return $rules;
}

function suite_permission( $permission, $request ) {
	switch ( $permission ) {
		case 'public':
		case 'always':
			return true;
		case null:
			return current_user_can( 'edit_posts' );
		case 'canCreateProduct':
			return current_user_can( 'publish_posts' );
		case 'canEditProduct':
			return current_user_can( 'edit_post', $request['id'] );
		case 'canDeleteProduct':
			return current_user_can( 'delete_post', $request['id'] );
		case 'canViewOrders':
			return current_user_can( 'read' );
		case 'isAdmin':
			return current_user_can( 'manage_options' );
		case 'isLoggedIn':
			return is_user_logged_in();
		case 'hasOpenParam':
			return 'sesame' === $request['open'];
		case 'error':
			return new WP_Error( 'not_now', 'Not now.', array( 'status' => 418, 'more' => array( 1 ) ) );
		default:
			return false;
	}
}

function suite_answer( $route, $request ) {
	switch ( $route['answer'] ?? 'echo' ) {
		case 'reading':
			$names = array( 'a', 'b', 'c', 'd', 'x' );
			$read  = function ( $method ) use ( $names, $request ) {
				return array_map( array( $request, $method ), $names );
			};
			return array(
				'method' => $request->get_method(),
				'url'    => $request->get_url_params(),
				'query'  => $request->get_query_params(),
				'body'   => $request->get_body_params(),
				'json'   => $request->get_json_params(),
				'get'    => $read( 'get_param' ),
				'has'    => $read( 'has_param' ),
				'params' => $request->get_params(),
				'user'   => get_current_user_id(),
			);
		case 'body':
			return json_decode( $route['body'], true );
		case 'linked':
			$response = new WP_REST_Response( json_decode( $route['body'], true ), 201 );
			$response->header( 'X-Made', " a  b\t" );
			$response->header( 'Cache-Control', 'max-age=9' );
			$response->link_header( 'next', rest_url( 'made/v1/item/2' ), array( 'title' => 'T' ) );
			suite_links( $response );
			return $response;
		case 'items':
			$items = array_map( function ( $id ) {
				$response = new WP_REST_Response( array( 'id' => $id, 'name' => "n$id", 'inner' => array( 'a' => 1, 'b' => array( 'c' => 2 ) ) ) );
				suite_links( $response );
				return rest_get_server()->response_to_data( $response, false );
			}, array( 1, 2, 3 ) );
			$response = new WP_REST_Response( $items );
			$response->header( 'X-WP-Total', 3 );
			$response->header( 'X-WP-TotalPages', 1 );
			return $response;
		case 'error':
			$error = new WP_Error( 'first', 'First <b>é</b> /.', array( 'status' => 409, 'x' => 1.0 ) );
			$error->add( 'second', 'Second.' );
			return $error;
		case 'bare':
			return new WP_Error( 'bare', 'Bare.' );
		case 'empty':
			return new WP_REST_Response( null, 204 );
		default:
			return ( isset( $route['name'] ) ? array( 'name' => $route['name'] ) : array() ) + array(
				'params' => $request->get_params(),
				'url'    => $request->get_url_params(),
				'query'  => $request->get_query_params(),
			);
	}
}

function suite_links( $response ) {
	$response->add_link( 'up', rest_url( 'made/v1/item/1' ), array( 'embeddable' => true, 'x' => 'y' ) );
	$response->add_link( 'up', rest_url( 'made/v1/item/nope' ), array( 'embeddable' => true ) );
	$response->add_link( 'https://api.w.org/term', rest_url( 'made/v1/closed?x=1' ), array( 'embeddable' => true ) );
	$response->add_link( 'other', 'http://other.example/?a=1&b=é' );
	$response->add_link( 'collection', rest_url( 'made/v1/items?per_page=2' ), array( 'embeddable' => true ) );
}
