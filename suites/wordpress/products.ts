/** PHP that makes products of each status, with different numbers, so that every order of them is certain. */
export const products = `
	wp_insert_term( 'Books', 'category' );
	foreach ( array( 'publish', 'publish', 'publish', 'publish', 'draft', 'private', 'pending', 'trash', 'future', 'publish' ) as $n => $status ) {
		$id = wp_insert_post( array(
			'post_type'     => 'product',
			'post_status'   => $status,
			'post_title'    => chr( 65 + ( $n * 7 ) % 26 ) . " & title $n",
			'post_content'  => "content <b>$n</b>",
			'post_author'   => 1 + $n % 3,
			'post_date'     => 'future' === $status ? '2099-01-01 00:00:00' : sprintf( '2024-01-%02d 00:00:00', 1 + ( $n * 3 ) % 28 ),
			'post_password' => 3 === $n ? 'secret' : '',
			'meta_input'    => array( 'price' => 1.5 * ( ( $n * 3 ) % 11 ), 'total_sales' => ( $n * 5 ) % 13 ),
		) );
		if ( $n % 2 ) wp_set_object_terms( $id, array( 'books' ), 'category' );
	}`
