<?php
// Answers every address, as the index.php of a site does.
require __DIR__ . '/wp-config.php';
wp();
require ABSPATH . WPINC . '/template-loader.php';
