<?php
// Our configuration of the installed WordPress, whose code stays where its package put it. Everything that makes it
// slower than it need be is off: debugging, WP-Cron, calls to other hosts, a theme.
const ABSPATH = '/usr/share/wordpress/';
const DB_NAME = 'wordpress';
const DB_PASSWORD = '';
const DB_CHARSET = 'utf8mb4';
const DB_COLLATE = '';
const DISABLE_WP_CRON = true;
const WP_HTTP_BLOCK_EXTERNAL = true;
const WP_DEBUG = false;
define('DB_USER', getenv('BENCH_DATABASE_USER'));
define('DB_HOST', 'localhost:' . getenv('BENCH_DATABASE_SOCKET'));
define('WP_HOME', getenv('BENCH_SITE_URL'));
define('WP_SITEURL', getenv('BENCH_SITE_URL'));
define('WP_CONTENT_DIR', getenv('BENCH_CONTENT'));
define('WPMU_PLUGIN_DIR', dirname(__DIR__) . '/mu-plugins');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    foreach (['KEY', 'SALT'] as $half) {
        define("{$name}_{$half}", getenv("{$name}_{$half}"));
    }
}
$table_prefix = 'wp_';
require ABSPATH . 'wp-settings.php';
