<?php
/*
 * The routes of examples/shop as a WordPress site has them: the type of records and shop/v1, in PHP.
 * License: MIT
 */

add_action( 'init', function () {
	register_post_type( 'product', array(
		'label'        => 'Products',
		'public'       => true,
		'has_archive'  => true,
		'show_in_rest' => true,
		'supports'     => array( 'title', 'editor', 'excerpt', 'custom-fields' ),
		'taxonomies'   => array( 'category' ),
	) );
	foreach ( array( 'price' => 'number', 'total_sales' => 'integer' ) as $key => $type ) {
		register_post_meta( 'product', $key, array( 'type' => $type, 'single' => true, 'default' => 0, 'show_in_rest' => true ) );
	}
} );

add_action( 'rest_api_init', function () {
	( new Shop_Products_Api() )->register_routes();
} );

class Shop_Products_Api {
	public function register_routes() {
		register_rest_route( 'shop/v1', '/products', array(
			array(
				'methods'             => 'GET',
				'callback'            => array( $this, 'list' ),
				'permission_callback' => '__return_true',
				'args'                => array(
					'per_page' => array( 'type' => 'integer', 'default' => 10, 'minimum' => 1, 'maximum' => 100 ),
					'page'     => array( 'type' => 'integer', 'default' => 1, 'minimum' => 1 ),
					'category' => array( 'type' => 'string', 'sanitize_callback' => 'sanitize_text_field' ),
					'orderby'  => array( 'type' => 'string', 'default' => 'date', 'enum' => array( 'date', 'title', 'price', 'popularity' ) ),
				),
			),
			array(
				'methods'             => 'POST',
				'callback'            => array( $this, 'create' ),
				'permission_callback' => array( $this, 'can_create' ),
				'args'                => array(
					'title'   => array( 'type' => 'string', 'required' => true ),
					'content' => array( 'type' => 'string', 'default' => '' ),
					'price'   => array( 'type' => 'number', 'required' => true ),
				),
			),
		) );
		register_rest_route( 'shop/v1', '/products/(?P<id>\d+)', array(
			array(
				'methods'             => 'GET',
				'callback'            => array( $this, 'show' ),
				'permission_callback' => '__return_true',
			),
			array(
				'methods'             => 'PUT',
				'callback'            => array( $this, 'update' ),
				'permission_callback' => array( $this, 'can_edit' ),
				'args'                => array(
					'title'   => array( 'type' => 'string' ),
					'content' => array( 'type' => 'string' ),
					'price'   => array( 'type' => 'number' ),
				),
			),
			array(
				'methods'             => 'DELETE',
				'callback'            => array( $this, 'delete' ),
				'permission_callback' => array( $this, 'can_delete' ),
			),
		) );
	}

	public function list( $request ) {
		$orders = array(
			'date'       => array( 'orderby' => 'date', 'order' => 'DESC' ),
			'title'      => array( 'orderby' => 'title', 'order' => 'ASC' ),
			'price'      => array( 'orderby' => 'meta_value_num', 'meta_key' => 'price', 'order' => 'ASC' ),
			'popularity' => array( 'orderby' => 'meta_value_num', 'meta_key' => 'total_sales', 'order' => 'DESC' ),
		);
		$query  = array(
			'post_type'      => 'product',
			'post_status'    => 'publish',
			'posts_per_page' => $request['per_page'],
			'paged'          => $request['page'],
			'no_found_rows'  => true,
		);
		if ( isset( $request['category'] ) ) {
			$query['category_name'] = $request['category'];
		}
		$found = new WP_Query( $query + $orders[ $request['orderby'] ] );
		return array_map( array( $this, 'view' ), $found->posts );
	}

	public function show( $request ) {
		$product = $this->find( $request );
		if ( ! $product || ( 'publish' !== $product->post_status && ! current_user_can( 'read_post', $product->ID ) ) ) {
			return $this->not_found();
		}
		return $this->view( $product );
	}

	public function create( $request ) {
		$id = wp_insert_post( wp_slash( array(
			'post_type'    => 'product',
			'post_status'  => 'publish',
			'post_title'   => $request['title'],
			'post_content' => $request['content'],
			'meta_input'   => array( 'price' => $request['price'] ),
		) ), true );
		if ( is_wp_error( $id ) ) {
			return new WP_REST_Response( array( 'error' => $id->get_error_message() ), 400 );
		}
		return new WP_REST_Response( $this->view( get_post( $id ) ), 201 );
	}

	public function update( $request ) {
		$product = $this->find( $request );
		if ( ! $product ) {
			return $this->not_found();
		}
		$changes = array( 'ID' => $product->ID );
		if ( isset( $request['title'] ) ) {
			$changes['post_title'] = wp_slash( $request['title'] );
		}
		if ( isset( $request['content'] ) ) {
			$changes['post_content'] = wp_slash( $request['content'] );
		}
		if ( isset( $request['price'] ) ) {
			$changes['meta_input'] = array( 'price' => $request['price'] );
		}
		$id = wp_update_post( $changes, true );
		if ( is_wp_error( $id ) ) {
			return new WP_REST_Response( array( 'error' => $id->get_error_message() ), 400 );
		}
		return $this->view( get_post( $id ) );
	}

	public function delete( $request ) {
		$product = $this->find( $request );
		if ( ! $product ) {
			return $this->not_found();
		}
		wp_delete_post( $product->ID, true );
		return new WP_REST_Response( null, 204 );
	}

	public function can_create() {
		return current_user_can( 'publish_posts' );
	}

	public function can_edit( $request ) {
		return current_user_can( 'edit_post', $request['id'] );
	}

	public function can_delete( $request ) {
		return current_user_can( 'delete_post', $request['id'] );
	}

	private function find( $request ) {
		$product = get_post( (int) $request['id'] );
		return $product && 'product' === $product->post_type ? $product : null;
	}

	private function view( $product ) {
		$is_hidden = '' !== $product->post_password && ! current_user_can( 'edit_post', $product->ID );
		return array(
			'id'      => $product->ID,
			'title'   => $product->post_title,
			'content' => $is_hidden ? '' : $product->post_content,
			'price'   => (float) get_post_meta( $product->ID, 'price', true ),
			'link'    => get_permalink( $product ),
		);
	}

	private function not_found() {
		return new WP_REST_Response( array( 'error' => 'Product not found' ), 404 );
	}
}
