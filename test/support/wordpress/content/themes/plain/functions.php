<?php
// Pages carry the nonce for wp.apiFetch, as those of a theme that calls the REST API do.
add_action( 'wp_enqueue_scripts', function () {
	wp_enqueue_script( 'wp-api-fetch' );
} );
