<?php
/*
 * A persistent object cache in files, as the drop-ins for Redis and Memcached are: wp-content/object-cache.php of a test site.
 * License: MIT
 */
// The functions of WordPress, on another class.
eval( '?>' . str_replace( 'function wp_cache_init()', 'function wp_cache_init_in_memory()', file_get_contents( ABSPATH . WPINC . '/cache.php' ) ) );

function wp_cache_init() {
	$GLOBALS['wp_object_cache'] = new Cache_In_Files();
}

class Cache_In_Files extends WP_Object_Cache {
	private $folder = WP_CONTENT_DIR . '/object-cache';

	private function file( $key, $group ) {
		return $this->folder . '/' . md5( ( $group ? $group : 'default' ) . ':' . $key );
	}

	private function store( $key, $group ) {
		if ( ! in_array( $group, array( 'plugins', 'theme_json' ), true ) ) {
			is_dir( $this->folder ) || mkdir( $this->folder );
			file_put_contents( $this->file( $key, $group ), serialize( parent::get( $key, $group ) ), LOCK_EX );
		}
	}

	private function load( $key, $group ) {
		$file = $this->file( $key, $group );
		if ( ! $this->_exists( $key, $group ? $group : 'default' ) && is_file( $file ) ) {
			parent::set( $key, unserialize( file_get_contents( $file ) ), $group );
		}
	}

	public function get( $key, $group = 'default', $force = false, &$found = null ) {
		$this->load( $key, $group );
		return parent::get( $key, $group, $force, $found );
	}

	public function add( $key, $data, $group = 'default', $expire = 0 ) {
		$this->load( $key, $group );
		return parent::add( $key, $data, $group, $expire );
	}

	public function set( $key, $data, $group = 'default', $expire = 0 ) {
		$is_set = parent::set( $key, $data, $group, $expire );
		$this->store( $key, $group );
		return $is_set;
	}

	public function delete( $key, $group = 'default', $deprecated = false ) {
		$file = $this->file( $key, $group );
		is_file( $file ) && unlink( $file );
		return parent::delete( $key, $group, $deprecated );
	}

	public function flush() {
		array_map( 'unlink', glob( $this->folder . '/*' ) );
		return parent::flush();
	}
}
