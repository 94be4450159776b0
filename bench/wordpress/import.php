<?php
// Installs a site into an empty database and gives it the rows that all servers read:
// `php import.php <rows as JSON> <file for what the benchmark must know>`.
const WP_INSTALLING = true;

// Called by the installer: neither mail nor example content.
function wp_new_blog_notification() {}
function wp_install_defaults() {}

$_SERVER['HTTP_HOST'] = 'shop.example';
$_SERVER['REQUEST_URI'] = '/';
require __DIR__ . '/site/wp-config.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
[, $rows_file, $result_file] = $argv;

['user_id' => $user] = wp_install('The Corner Shop', 'bench', 'bench@shop.example', true, '', wp_generate_password(24));
$wpdb->query('START TRANSACTION');
foreach (json_decode(file_get_contents($rows_file), true) as $table => $rows) {
    foreach ($rows as $row) {
        if ($wpdb->insert($wpdb->prefix . $table, $row) === false) {
            fwrite(STDERR, $wpdb->last_error . "\n");
            exit(1);
        }
    }
}
$wpdb->query('COMMIT');
$wpdb->query("ANALYZE TABLE {$wpdb->posts}, {$wpdb->postmeta}");
$wp_rewrite->set_permalink_structure('/%postname%/');
flush_rewrite_rules(false);

[$password] = WP_Application_Passwords::create_new_application_password($user, ['name' => 'Benchmark']);
$expiration = time() + 14 * DAY_IN_SECONDS;
$token = WP_Session_Tokens::get_instance($user)->create($expiration);
$cookie = wp_generate_auth_cookie($user, $expiration, 'logged_in', $token);
// A nonce is made for the session of the request.
wp_set_current_user($user);
$_COOKIE[LOGGED_IN_COOKIE] = $cookie;
file_put_contents($result_file, json_encode([
    'version' => get_bloginfo('version'),
    'php' => PHP_VERSION,
    'database' => $wpdb->get_var('SELECT VERSION()'),
    'authorization' => 'Basic ' . base64_encode("bench:$password"),
    // The constant has no hash before the site has an address.
    'cookie' => 'wordpress_logged_in_' . md5(get_option('siteurl')) . '=' . rawurlencode($cookie),
    'nonce' => wp_create_nonce('wp_rest'),
]));
