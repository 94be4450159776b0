/** Users beside those of each role, with ids 6 to 8: without a role, with two roles, and with profiles and capabilities of their own. */
export const people = [
  { login: 'plain', password: 'secret of the plain', email: 'plain@shop.example', role: '' },
  { login: 'two roles', password: 'secret of the two', email: 'two@shop.example', role: 'editor' },
  { login: 'Second.Admin', password: 'secret of the second', email: 'Second@Shop.example', role: 'administrator' },
] as const

const digits = ['1', '2', '3', '4', '5', '6', '7', '8']

/** Those of the application passwords of the users 1 to 8: three each, of which the second was deleted. */
export const passwordIds = digits.flatMap((user) =>
  ['1', '3'].map((n) => `${user}50e8400-e29b-41d4-a716-44665544000${n}`),
)

/** PHP that makes them. `$argument` has `people`. */
export const makePeople = `
	foreach ( $argument as $person ) {
		wp_insert_user( array(
			'user_login' => $person['login'],
			'user_pass'  => $person['password'],
			'user_email' => $person['email'],
			'role'       => $person['role'],
		) );
	}
	get_user_by( 'id', 7 )->add_role( 'subscriber' );
	get_user_by( 'id', 7 )->add_cap( 'publish_pages', false );
	get_user_by( 'id', 7 )->add_cap( 'of_a_plugin' );
	wp_update_user( array( 'ID' => 8, 'display_name' => 'É & <b>x</b> "q"', 'user_url' => 'http://x.example/?a=1&b=2', 'description' => "Two\\nlines & <i>x</i>", 'first_name' => 'F', 'last_name' => 'L', 'nickname' => 'N n', 'locale' => 'en_US' ) );
	update_user_meta( 8, $GLOBALS['wpdb']->get_blog_prefix() . 'persisted_preferences', array( 'core' => array( 'a' => true ), '_modified' => '2024-01-01T00:00:00' ) );
	wp_update_user( array( 'ID' => 3, 'locale' => 'de_DE', 'display_name' => '0' ) );
	require_once ABSPATH . 'wp-includes/class-wp-application-passwords.php';
	for ( $user = 1; $user <= 8; $user++ ) {
		$all = get_user_meta( $user, '_application_passwords', true );
		$all = is_array( $all ) ? $all : array();
		foreach ( array( 1, 2, 3 ) as $n ) {
			$all[] = array(
				'uuid'      => $user . '50e8400-e29b-41d4-a716-44665544000' . $n,
				'app_id'    => 3 === $n ? '550e8400-e29b-41d4-a716-446655440000' : '',
				'name'      => "App $n of $user",
				'password'  => '$P$BQ3d5XKpl4NvjZfpU8.NfMQjSEnqJf1',
				'created'   => 1700000000 + $n,
				'last_used' => 3 === $n ? 1710000000 : null,
				'last_ip'   => 3 === $n ? '127.0.0.1' : null,
			);
		}
		update_user_meta( $user, '_application_passwords', $all );
		WP_Application_Passwords::delete_application_password( $user, $user . '50e8400-e29b-41d4-a716-446655440002' );
	}`
