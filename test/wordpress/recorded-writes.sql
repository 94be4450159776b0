-- The writes of WordPress 7.1 (db_version 61833, MariaDB 10.11, PHP 8.2, no object cache), operation by operation: each statement
-- that is not a read, in the order in which it was sent. `recorded-writes.test.ts` carries them out and compares.
--
-- <now>, <time> (unix seconds), <uuid>, <sha256> and <hash> stand for what differs between two runs. The recording ends in
-- the middle of two lists of tasks, whose ends are those of the list before; the list of roles in `add_role` has no end.

--- Tables, of comments and links only the columns that are used

CREATE TABLE `wp_posts` (
  `ID` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `post_author` bigint(20) unsigned NOT NULL DEFAULT 0,
  `post_date` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  `post_date_gmt` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  `post_content` longtext NOT NULL,
  `post_title` text NOT NULL,
  `post_excerpt` text NOT NULL,
  `post_status` varchar(20) NOT NULL DEFAULT 'publish',
  `comment_status` varchar(20) NOT NULL DEFAULT 'open',
  `ping_status` varchar(20) NOT NULL DEFAULT 'open',
  `post_password` varchar(255) NOT NULL DEFAULT '',
  `post_name` varchar(200) NOT NULL DEFAULT '',
  `to_ping` text NOT NULL,
  `pinged` text NOT NULL,
  `post_modified` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  `post_modified_gmt` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  `post_content_filtered` longtext NOT NULL,
  `post_parent` bigint(20) unsigned NOT NULL DEFAULT 0,
  `guid` varchar(255) NOT NULL DEFAULT '',
  `menu_order` int(11) NOT NULL DEFAULT 0,
  `post_type` varchar(20) NOT NULL DEFAULT 'post',
  `post_mime_type` varchar(100) NOT NULL DEFAULT '',
  `comment_count` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`ID`),
  KEY `post_name` (`post_name`(191)),
  KEY `type_status_date` (`post_type`,`post_status`,`post_date`,`ID`),
  KEY `post_parent` (`post_parent`),
  KEY `post_author` (`post_author`),
  KEY `type_status_author` (`post_type`,`post_status`,`post_author`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_postmeta` (
  `meta_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `post_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  `meta_key` varchar(255) DEFAULT NULL,
  `meta_value` longtext DEFAULT NULL,
  PRIMARY KEY (`meta_id`),
  KEY `post_id` (`post_id`),
  KEY `meta_key` (`meta_key`(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_terms` (
  `term_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(200) NOT NULL DEFAULT '',
  `slug` varchar(200) NOT NULL DEFAULT '',
  `term_group` bigint(10) NOT NULL DEFAULT 0,
  PRIMARY KEY (`term_id`),
  KEY `slug` (`slug`(191)),
  KEY `name` (`name`(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_termmeta` (
  `meta_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `term_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  `meta_key` varchar(255) DEFAULT NULL,
  `meta_value` longtext DEFAULT NULL,
  PRIMARY KEY (`meta_id`),
  KEY `term_id` (`term_id`),
  KEY `meta_key` (`meta_key`(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_term_taxonomy` (
  `term_taxonomy_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `term_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  `taxonomy` varchar(32) NOT NULL DEFAULT '',
  `description` longtext NOT NULL,
  `parent` bigint(20) unsigned NOT NULL DEFAULT 0,
  `count` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`term_taxonomy_id`),
  UNIQUE KEY `term_id_taxonomy` (`term_id`,`taxonomy`),
  KEY `taxonomy` (`taxonomy`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_term_relationships` (
  `object_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  `term_taxonomy_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  `term_order` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`object_id`,`term_taxonomy_id`),
  KEY `term_taxonomy_id` (`term_taxonomy_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_users` (
  `ID` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `user_login` varchar(60) NOT NULL DEFAULT '',
  `user_pass` varchar(255) NOT NULL DEFAULT '',
  `user_nicename` varchar(50) NOT NULL DEFAULT '',
  `user_email` varchar(100) NOT NULL DEFAULT '',
  `user_url` varchar(100) NOT NULL DEFAULT '',
  `user_registered` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  `user_activation_key` varchar(255) NOT NULL DEFAULT '',
  `user_status` int(11) NOT NULL DEFAULT 0,
  `display_name` varchar(250) NOT NULL DEFAULT '',
  PRIMARY KEY (`ID`),
  KEY `user_login_key` (`user_login`),
  KEY `user_nicename` (`user_nicename`),
  KEY `user_email` (`user_email`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_usermeta` (
  `umeta_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `user_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  `meta_key` varchar(255) DEFAULT NULL,
  `meta_value` longtext DEFAULT NULL,
  PRIMARY KEY (`umeta_id`),
  KEY `user_id` (`user_id`),
  KEY `meta_key` (`meta_key`(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_options` (
  `option_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `option_name` varchar(191) NOT NULL DEFAULT '',
  `option_value` longtext NOT NULL,
  `autoload` varchar(20) NOT NULL DEFAULT 'yes',
  PRIMARY KEY (`option_id`),
  UNIQUE KEY `option_name` (`option_name`),
  KEY `autoload` (`autoload`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_comments` (
  `comment_ID` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `comment_post_ID` bigint(20) unsigned NOT NULL DEFAULT 0,
  `comment_approved` varchar(20) NOT NULL DEFAULT '1',
  PRIMARY KEY (`comment_ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_commentmeta` (
  `meta_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `comment_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`meta_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

CREATE TABLE `wp_links` (
  `link_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `link_owner` bigint(20) unsigned NOT NULL DEFAULT 1,
  PRIMARY KEY (`link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

--- Insert a published product with metadata: wp_insert_post with meta_input

INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_date_gmt`, `post_content`, `post_content_filtered`, `post_title`, `post_excerpt`, `post_status`, `post_type`, `comment_status`, `ping_status`, `post_password`, `post_name`, `to_ping`, `pinged`, `post_modified`, `post_modified_gmt`, `post_parent`, `menu_order`, `post_mime_type`, `guid`) VALUES (1, '<now>', '<now>', 'x', '', 'Hello Wörld', '', 'publish', 'product', 'closed', 'closed', '', 'hello-world', '', '', '<now>', '<now>', 0, 0, '', '');
INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (4, 'price', '3');
UPDATE `wp_posts` SET `guid` = 'https://site.example/product/hello-world/' WHERE `ID` = 4;

--- Insert a draft product

INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_date_gmt`, `post_content`, `post_content_filtered`, `post_title`, `post_excerpt`, `post_status`, `post_type`, `comment_status`, `ping_status`, `post_password`, `post_name`, `to_ping`, `pinged`, `post_modified`, `post_modified_gmt`, `post_parent`, `menu_order`, `post_mime_type`, `guid`) VALUES (1, '<now>', '0000-00-00 00:00:00', 'x', '', 'Draft title', '', 'draft', 'product', 'closed', 'closed', '', '', '', '', '<now>', '0000-00-00 00:00:00', 0, 0, '', '');
UPDATE `wp_posts` SET `guid` = 'https://site.example/?post_type=product&p=5' WHERE `ID` = 5;

--- Publish that draft: wp_update_post with post_status

UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'x', `post_content_filtered` = '', `post_title` = 'Draft title', `post_excerpt` = '', `post_status` = 'publish', `post_type` = 'product', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'draft-title', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/?post_type=product&#038;p=5' WHERE `ID` = 5;

--- Insert a scheduled product (date in the future)

INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_date_gmt`, `post_content`, `post_content_filtered`, `post_title`, `post_excerpt`, `post_status`, `post_type`, `comment_status`, `ping_status`, `post_password`, `post_name`, `to_ping`, `pinged`, `post_modified`, `post_modified_gmt`, `post_parent`, `menu_order`, `post_mime_type`, `guid`) VALUES (1, '2030-01-01 00:00:00', '2030-01-01 00:00:00', 'x', '', 'Later', '', 'future', 'product', 'closed', 'closed', '', 'later', '', '', '2030-01-01 00:00:00', '2030-01-01 00:00:00', 0, 0, '', '');
UPDATE `wp_posts` SET `guid` = 'https://site.example/?post_type=product&p=6' WHERE `ID` = 6;
UPDATE `wp_options` SET `option_value` = 'a:7:{i:<time>;a:3:{s:32:\"recovery_mode_clean_expired_keys\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:5:\"daily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:86400;}}s:34:\"wp_privacy_delete_old_export_files\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:6:\"hourly\";s:4:\"args\";a:0:{}s:8:\"interval\";i:3600;}}s:41:\"wp_privacy_personal_data_cleanup_requests\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:5:\"daily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:86400;}}}i:<time>;a:1:{s:16:\"wp_version_check\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:10:\"twicedaily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:43200;}}}i:<time>;a:1:{s:17:\"wp_update_plugins\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:10:\"twicedaily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:43200;}}}i:<time>;a:1:{s:16:\"wp_update_themes\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:10:\"twicedaily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:43200;}}}i:<time>;a:1:{s:30:\"wp_site_health_scheduled_check\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:6:\"weekly\";s:4:\"args\";a:0:{}s:8:\"interval\";i:604800;}}}i:1893456000;a:1:{s:19:\"publish_future_post\";a:1:{s:32:\"686c8315be36c96dc00d0d7ed3656b43\";a:2:{s:8:\"schedule\";b:0;s:4:\"args\";a:1:{i:0;i:6;}}}}s:7:\"version\";i:2;}', `autoload` = 'on' WHERE `option_name` = 'cron';

--- Insert a second product of the same title (slug with a number)

INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_date_gmt`, `post_content`, `post_content_filtered`, `post_title`, `post_excerpt`, `post_status`, `post_type`, `comment_status`, `ping_status`, `post_password`, `post_name`, `to_ping`, `pinged`, `post_modified`, `post_modified_gmt`, `post_parent`, `menu_order`, `post_mime_type`, `guid`) VALUES (1, '<now>', '<now>', 'x', '', 'Hello Wörld', '', 'publish', 'product', 'closed', 'closed', '', 'hello-world-2', '', '', '<now>', '<now>', 0, 0, '', '');
UPDATE `wp_posts` SET `guid` = 'https://site.example/product/hello-world-2/' WHERE `ID` = 7;

--- Update a title

UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'x', `post_content_filtered` = '', `post_title` = 'New', `post_excerpt` = '', `post_status` = 'publish', `post_type` = 'product', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'hello-world', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/product/hello-world/' WHERE `ID` = 4;

--- Update metadata: update_post_meta, value changes

UPDATE `wp_postmeta` SET `meta_value` = '4' WHERE `post_id` = 4 AND `meta_key` = 'price';

--- Update metadata: same value again

UPDATE `wp_postmeta` SET `meta_value` = '4' WHERE `post_id` = 4 AND `meta_key` = 'price';

--- Update metadata: an array

INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (4, 'sizes', 'a:3:{i:0;s:1:\"s\";i:1;s:1:\"m\";i:2;a:3:{s:1:\"x\";d:1.5;s:1:\"y\";b:1;s:1:\"z\";N;}}');

--- Delete metadata: delete_post_meta

DELETE FROM wp_postmeta WHERE meta_id IN( 4 );

--- Set terms by name, one new: wp_set_object_terms

INSERT INTO `wp_terms` (`name`, `slug`, `term_group`) VALUES ('Shoes', 'shoes', 0);
INSERT INTO `wp_term_taxonomy` (`term_id`, `taxonomy`, `description`, `parent`, `count`) VALUES (2, 'category', '', 0, 0);
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('category_children', 'a:0:{}', 'auto') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);
INSERT INTO `wp_term_relationships` (`object_id`, `term_taxonomy_id`) VALUES (4, 2);
INSERT INTO `wp_terms` (`name`, `slug`, `term_group`) VALUES ('Hats', 'hats', 0);
INSERT INTO `wp_term_taxonomy` (`term_id`, `taxonomy`, `description`, `parent`, `count`) VALUES (3, 'category', '', 0, 0);
DELETE FROM `wp_options` WHERE `option_name` = 'category_children';
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('category_children', 'a:0:{}', 'auto') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);
INSERT INTO `wp_term_relationships` (`object_id`, `term_taxonomy_id`) VALUES (4, 3);
UPDATE `wp_term_taxonomy` SET `count` = 1 WHERE `term_taxonomy_id` = 2;
UPDATE `wp_term_taxonomy` SET `count` = 1 WHERE `term_taxonomy_id` = 3;

--- Replace terms by one of them

DELETE FROM wp_term_relationships WHERE object_id = 4 AND term_taxonomy_id IN ('3');
UPDATE `wp_term_taxonomy` SET `count` = 0 WHERE `term_taxonomy_id` = 3;

--- Change a slug of a published product

UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'x', `post_content_filtered` = '', `post_title` = 'New', `post_excerpt` = '', `post_status` = 'publish', `post_type` = 'product', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'other', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/product/hello-world/' WHERE `ID` = 4;
INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (4, '_wp_old_slug', 'hello-world');

--- Change the slug back

UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'x', `post_content_filtered` = '', `post_title` = 'New', `post_excerpt` = '', `post_status` = 'publish', `post_type` = 'product', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'hello-world', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/product/hello-world/' WHERE `ID` = 4;
INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (4, '_wp_old_slug', 'other');
DELETE FROM wp_postmeta WHERE meta_id IN( 5 );

--- Trash: wp_trash_post

INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (4, '_wp_trash_meta_status', 'publish');
INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (4, '_wp_trash_meta_time', '<time>');
INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (4, '_wp_desired_post_slug', 'hello-world');
UPDATE `wp_posts` SET `post_name` = 'hello-world__trashed' WHERE `ID` = 4;
UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'x', `post_content_filtered` = '', `post_title` = 'New', `post_excerpt` = '', `post_status` = 'trash', `post_type` = 'product', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'hello-world__trashed', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/product/hello-world/' WHERE `ID` = 4;
UPDATE `wp_term_taxonomy` SET `count` = 0 WHERE `term_taxonomy_id` = 2;

--- Untrash: wp_untrash_post

DELETE FROM wp_postmeta WHERE meta_id IN( 7 );
DELETE FROM wp_postmeta WHERE meta_id IN( 8 );
DELETE FROM wp_postmeta WHERE meta_id IN( 9 );
UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'x', `post_content_filtered` = '', `post_title` = 'New', `post_excerpt` = '', `post_status` = 'draft', `post_type` = 'product', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'hello-world', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/product/hello-world/' WHERE `ID` = 4;

--- Delete for good: wp_delete_post with force

DELETE FROM wp_term_relationships WHERE object_id = 4 AND term_taxonomy_id IN ('2');
UPDATE `wp_term_taxonomy` SET `count` = 0 WHERE `term_taxonomy_id` = 2;
UPDATE `wp_posts` SET `post_parent` = 0 WHERE `post_parent` = 4 AND `post_type` = 'attachment';
DELETE FROM `wp_postmeta` WHERE `meta_id` = 3;
DELETE FROM `wp_postmeta` WHERE `meta_id` = 6;
DELETE FROM `wp_posts` WHERE `ID` = 4;

--- Insert a book (a type with revisions)

INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_date_gmt`, `post_content`, `post_content_filtered`, `post_title`, `post_excerpt`, `post_status`, `post_type`, `comment_status`, `ping_status`, `post_password`, `post_name`, `to_ping`, `pinged`, `post_modified`, `post_modified_gmt`, `post_parent`, `menu_order`, `post_mime_type`, `guid`) VALUES (1, '<now>', '<now>', 'x', '', 'B', '', 'publish', 'book', 'closed', 'closed', '', 'b', '', '', '<now>', '<now>', 0, 0, '', '');
UPDATE `wp_posts` SET `guid` = 'https://site.example/book/b/' WHERE `ID` = 8;

--- Update the content of the book

UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'y', `post_content_filtered` = '', `post_title` = 'B', `post_excerpt` = '', `post_status` = 'publish', `post_type` = 'book', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'b', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/book/b/' WHERE `ID` = 8;
INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_date_gmt`, `post_content`, `post_content_filtered`, `post_title`, `post_excerpt`, `post_status`, `post_type`, `comment_status`, `ping_status`, `post_password`, `post_name`, `to_ping`, `pinged`, `post_modified`, `post_modified_gmt`, `post_parent`, `menu_order`, `post_mime_type`, `guid`) VALUES (1, '<now>', '<now>', 'y', '', 'B', '', 'inherit', 'revision', 'closed', 'closed', '', '8-revision-v1', '', '', '<now>', '<now>', 8, 0, '', '');
UPDATE `wp_posts` SET `guid` = 'https://site.example/?p=9' WHERE `ID` = 9;

--- Update only its status (publish to private)

UPDATE `wp_posts` SET `post_author` = 1, `post_date` = '<now>', `post_date_gmt` = '<now>', `post_content` = 'y', `post_content_filtered` = '', `post_title` = 'B', `post_excerpt` = '', `post_status` = 'private', `post_type` = 'book', `comment_status` = 'closed', `ping_status` = 'closed', `post_password` = '', `post_name` = 'b', `to_ping` = '', `pinged` = '', `post_modified` = '<now>', `post_modified_gmt` = '<now>', `post_parent` = 0, `menu_order` = 0, `post_mime_type` = '', `guid` = 'https://site.example/book/b/' WHERE `ID` = 8;

--- Delete the book with its revisions

UPDATE `wp_posts` SET `post_parent` = 8 WHERE `post_parent` = 9 AND `post_type` = 'attachment';
DELETE FROM `wp_posts` WHERE `ID` = 9;
UPDATE `wp_posts` SET `post_parent` = 0 WHERE `post_parent` = 8 AND `post_type` = 'attachment';
DELETE FROM `wp_posts` WHERE `ID` = 8;

--- Insert a post (type post, with default category)

INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_date_gmt`, `post_content`, `post_content_filtered`, `post_title`, `post_excerpt`, `post_status`, `post_type`, `comment_status`, `ping_status`, `post_password`, `post_name`, `to_ping`, `pinged`, `post_modified`, `post_modified_gmt`, `post_parent`, `menu_order`, `post_mime_type`, `guid`) VALUES (1, '<now>', '<now>', 'x', '', 'P', '', 'publish', 'post', 'open', 'open', '', 'p', '', '', '<now>', '<now>', 0, 0, '', '');
INSERT INTO `wp_term_relationships` (`object_id`, `term_taxonomy_id`) VALUES (10, 1);
UPDATE `wp_term_taxonomy` SET `count` = 2 WHERE `term_taxonomy_id` = 1;
UPDATE `wp_posts` SET `guid` = 'https://site.example/p/' WHERE `ID` = 10;
UPDATE `wp_term_taxonomy` SET `count` = 2 WHERE `term_taxonomy_id` = 1;
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('wp_calendar_block_has_published_posts', '1', 'auto') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);
UPDATE `wp_options` SET `option_value` = '0', `autoload` = 'off' WHERE `option_name` = 'fresh_site';
INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (10, '_pingme', '1');
INSERT INTO `wp_postmeta` (`post_id`, `meta_key`, `meta_value`) VALUES (10, '_encloseme', '1');
UPDATE `wp_options` SET `option_value` = 'a:7:{i:<time>;a:4:{s:32:\"recovery_mode_clean_expired_keys\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:5:\"daily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:86400;}}s:34:\"wp_privacy_delete_old_export_files\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:6:\"hourly\";s:4:\"args\";a:0:{}s:8:\"interval\";i:3600;}}s:41:\"wp_privacy_personal_data_cleanup_requests\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:5:\"daily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:86400;}}s:8:\"do_pings\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:2:{s:8:\"schedule\";b:0;s:4:\"args\";a:0:{}}}}i:<time>;a:1:{s:16:\"wp_version_check\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:10:\"twicedaily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:43200;}}}i:<time>;a:1:{s:17:\"wp_update_plugins\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:10:\"twicedaily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:43200;}}}i:<time>;a:1:{s:16:\"wp_update_themes\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:10:\"twicedaily\";s:4:\"args\";a:0:{}s:8:\"interval\";i:43200;}}}i:<time>;a:1:{s:30:\"wp_site_health_scheduled_check\";a:1:{s:32:\"40cd750bba9870f18aada2478b24840a\";a:3:{s:8:\"schedule\";s:6:\"weekly\";s:4:\"args\";a:0:{}s:8:\"interval\";i:604800;}}}i:1893456000;a:1:{s:19:\"publish_future_post\";a:1:{s:32:\"686c8315be36c96dc00d0d7ed3656b43\";a:2:{s:8:\"schedule\";b:0;s:4:\"args\";a:1:{i:0;i:6;}}}}s:7:\"version\";i:2;}', `autoload` = 'on' WHERE `option_name` = 'cron';

--- Make it sticky: stick_post

UPDATE `wp_options` SET `option_value` = 'a:1:{i:0;i:10;}' WHERE `option_name` = 'sticky_posts';

--- Delete the post

UPDATE `wp_options` SET `option_value` = 'a:0:{}' WHERE `option_name` = 'sticky_posts';
DELETE FROM wp_term_relationships WHERE object_id = 10 AND term_taxonomy_id IN ('1');
UPDATE `wp_term_taxonomy` SET `count` = 1 WHERE `term_taxonomy_id` = 1;
UPDATE `wp_posts` SET `post_parent` = 0 WHERE `post_parent` = 10 AND `post_type` = 'attachment';
DELETE FROM `wp_postmeta` WHERE `meta_id` = 10;
DELETE FROM `wp_postmeta` WHERE `meta_id` = 11;
UPDATE `wp_options` SET `option_value` = '1' WHERE `option_name` = 'wp_calendar_block_has_published_posts';
DELETE FROM `wp_posts` WHERE `ID` = 10;

--- Insert a term: wp_insert_term with a parent

INSERT INTO `wp_terms` (`name`, `slug`, `term_group`) VALUES ('Boots', 'boots', 0);
INSERT INTO `wp_term_taxonomy` (`term_id`, `taxonomy`, `description`, `parent`, `count`) VALUES (4, 'category', '', 2, 0);
DELETE FROM `wp_options` WHERE `option_name` = 'category_children';
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('category_children', 'a:1:{i:2;a:1:{i:0;i:4;}}', 'auto') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);

--- Update a term

UPDATE `wp_terms` SET `name` = 'Big boots', `slug` = 'boots', `term_group` = 0 WHERE `term_id` = 4;
UPDATE `wp_term_taxonomy` SET `term_id` = 4, `taxonomy` = 'category', `description` = '', `parent` = 2 WHERE `term_taxonomy_id` = 4;
DELETE FROM `wp_options` WHERE `option_name` = 'category_children';
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('category_children', 'a:1:{i:2;a:1:{i:0;i:4;}}', 'auto') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);

--- Delete a term that has products

INSERT INTO `wp_term_relationships` (`object_id`, `term_taxonomy_id`) VALUES (5, 3);
UPDATE `wp_term_taxonomy` SET `count` = 1 WHERE `term_taxonomy_id` = 3;
UPDATE `wp_term_taxonomy` SET `parent` = 0 WHERE `parent` = 3 AND `taxonomy` = 'category';
DELETE FROM `wp_options` WHERE `option_name` = 'category_children';
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('category_children', 'a:1:{i:2;a:1:{i:0;i:4;}}', 'auto') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);
INSERT INTO `wp_term_relationships` (`object_id`, `term_taxonomy_id`) VALUES (5, 1);
UPDATE `wp_term_taxonomy` SET `count` = 2 WHERE `term_taxonomy_id` = 1;
DELETE FROM wp_term_relationships WHERE object_id = 5 AND term_taxonomy_id IN ('3');
UPDATE `wp_term_taxonomy` SET `count` = 0 WHERE `term_taxonomy_id` = 3;
DELETE FROM `wp_term_taxonomy` WHERE `term_taxonomy_id` = 3;
DELETE FROM `wp_terms` WHERE `term_id` = 3;
DELETE FROM `wp_options` WHERE `option_name` = 'category_children';
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('category_children', 'a:1:{i:2;a:1:{i:0;i:4;}}', 'auto') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);

--- Create an application password (first of the site)

INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (1, '_application_passwords', 'a:1:{i:0;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:1:\"n\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";N;s:7:\"last_ip\";N;}}');
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('using_application_passwords', '1', 'off') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);

--- Create a second one

UPDATE `wp_usermeta` SET `meta_value` = 'a:2:{i:0;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:1:\"n\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";N;s:7:\"last_ip\";N;}i:1;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:6:\"second\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";N;s:7:\"last_ip\";N;}}' WHERE `user_id` = 1 AND `meta_key` = '_application_passwords';

--- Rename one

UPDATE `wp_usermeta` SET `meta_value` = 'a:2:{i:0;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:7:\"renamed\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";N;s:7:\"last_ip\";N;}i:1;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:6:\"second\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";N;s:7:\"last_ip\";N;}}' WHERE `user_id` = 1 AND `meta_key` = '_application_passwords';

--- Record a use

UPDATE `wp_usermeta` SET `meta_value` = 'a:2:{i:0;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:7:\"renamed\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";i:<time>;s:7:\"last_ip\";s:9:\"192.0.2.7\";}i:1;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:6:\"second\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";N;s:7:\"last_ip\";N;}}' WHERE `user_id` = 1 AND `meta_key` = '_application_passwords';

--- Record a use again within 24 hours


--- Delete one application password

UPDATE `wp_usermeta` SET `meta_value` = 'a:1:{i:1;a:7:{s:4:\"uuid\";s:36:\"<uuid>\";s:6:\"app_id\";s:0:\"\";s:4:\"name\";s:6:\"second\";s:8:\"password\";s:49:\"$generic$<hash>\";s:7:\"created\";i:<time>;s:9:\"last_used\";N;s:7:\"last_ip\";N;}}' WHERE `user_id` = 1 AND `meta_key` = '_application_passwords';

--- Delete all application passwords

UPDATE `wp_usermeta` SET `meta_value` = 'a:0:{}' WHERE `user_id` = 1 AND `meta_key` = '_application_passwords';

--- Log in: wp_signon

INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (1, 'session_tokens', 'a:1:{s:64:\"<sha256>\";a:4:{s:10:\"expiration\";i:<time>;s:2:\"ip\";s:9:\"192.0.2.7\";s:2:\"ua\";s:5:\"agent\";s:5:\"login\";i:<time>;}}');

--- Log in a second time

UPDATE `wp_usermeta` SET `meta_value` = 'a:2:{s:64:\"<sha256>\";a:4:{s:10:\"expiration\";i:<time>;s:2:\"ip\";s:9:\"192.0.2.7\";s:2:\"ua\";s:5:\"agent\";s:5:\"login\";i:<time>;}s:64:\"<sha256>\";a:4:{s:10:\"expiration\";i:<time>;s:2:\"ip\";s:9:\"192.0.2.7\";s:2:\"ua\";s:5:\"agent\";s:5:\"login\";i:<time>;}}' WHERE `user_id` = 1 AND `meta_key` = 'session_tokens';

--- End all other sessions: destroy_others

UPDATE `wp_usermeta` SET `meta_value` = 'a:3:{s:64:\"<sha256>\";a:4:{s:10:\"expiration\";i:<time>;s:2:\"ip\";s:9:\"192.0.2.7\";s:2:\"ua\";s:5:\"agent\";s:5:\"login\";i:<time>;}s:64:\"<sha256>\";a:4:{s:10:\"expiration\";i:<time>;s:2:\"ip\";s:9:\"192.0.2.7\";s:2:\"ua\";s:5:\"agent\";s:5:\"login\";i:<time>;}s:64:\"<sha256>\";a:4:{s:10:\"expiration\";i:<time>;s:2:\"ip\";s:9:\"192.0.2.7\";s:2:\"ua\";s:5:\"agent\";s:5:\"login\";i:<time>;}}' WHERE `user_id` = 1 AND `meta_key` = 'session_tokens';
UPDATE `wp_usermeta` SET `meta_value` = 'a:1:{s:64:\"<sha256>\";a:4:{s:10:\"expiration\";i:<time>;s:2:\"ip\";s:9:\"192.0.2.7\";s:2:\"ua\";s:5:\"agent\";s:5:\"login\";i:<time>;}}' WHERE `user_id` = 1 AND `meta_key` = 'session_tokens';

--- End all sessions: destroy_all

DELETE FROM wp_usermeta WHERE umeta_id IN( 18 );

--- Create a user: wp_insert_user

INSERT INTO `wp_users` (`user_pass`, `user_nicename`, `user_email`, `user_url`, `user_registered`, `user_activation_key`, `display_name`, `user_login`) VALUES ('$wp$2y$<hash>', 'bob-smith', 'Bob@Site.example', '', '<now>', '', 'Bob Smith', 'Bob Smith');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'nickname', 'Bob Smith');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'first_name', '');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'last_name', '');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'description', '');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'rich_editing', 'true');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'syntax_highlighting', 'true');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'infinite_scrolling', 'true');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'comment_shortcuts', 'false');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'admin_color', 'modern');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'use_ssl', '0');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'show_admin_bar_front', 'true');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'locale', '');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'wp_capabilities', 'a:1:{s:6:\"author\";b:1;}');
INSERT INTO `wp_usermeta` (`user_id`, `meta_key`, `meta_value`) VALUES (2, 'wp_user_level', '2');
UPDATE `wp_options` SET `option_value` = '2', `autoload` = 'off' WHERE `option_name` = 'user_count';

--- Change the role: set_role

UPDATE `wp_usermeta` SET `meta_value` = 'a:1:{s:6:\"editor\";b:1;}' WHERE `user_id` = 2 AND `meta_key` = 'wp_capabilities';
UPDATE `wp_usermeta` SET `meta_value` = '7' WHERE `user_id` = 2 AND `meta_key` = 'wp_user_level';

--- Add a capability: add_cap

UPDATE `wp_usermeta` SET `meta_value` = 'a:2:{s:6:\"editor\";b:1;s:12:\"sell_tickets\";b:1;}' WHERE `user_id` = 2 AND `meta_key` = 'wp_capabilities';
UPDATE `wp_usermeta` SET `meta_value` = '7' WHERE `user_id` = 2 AND `meta_key` = 'wp_user_level';

--- Change e-mail and display name: wp_update_user

UPDATE `wp_users` SET `user_pass` = '$wp$2y$<hash>', `user_nicename` = 'bob-smith', `user_email` = 'b2@site.example', `user_url` = '', `user_registered` = '<now>', `user_activation_key` = '', `display_name` = 'B' WHERE `ID` = 2;

--- Change the password: wp_update_user with user_pass

UPDATE `wp_users` SET `user_pass` = '$wp$2y$<hash>', `user_nicename` = 'bob-smith', `user_email` = 'b2@site.example', `user_url` = '', `user_registered` = '<now>', `user_activation_key` = '', `display_name` = 'B' WHERE `ID` = 2;

--- Set a password: wp_set_password

UPDATE `wp_users` SET `user_pass` = '$wp$2y$<hash>', `user_activation_key` = '' WHERE `ID` = 2;

--- Ask for a reset: get_password_reset_key

UPDATE `wp_users` SET `user_pass` = '$wp$2y$<hash>', `user_nicename` = 'bob-smith', `user_email` = 'b2@site.example', `user_url` = '', `user_registered` = '<now>', `user_activation_key` = '<time>:$generic$<hash>', `display_name` = 'B' WHERE `ID` = 2;

--- Delete a user who has a post, and give it to user 1: wp_delete_user

UPDATE `wp_posts` SET `post_author` = 1 WHERE `post_author` = 2;
UPDATE `wp_links` SET `link_owner` = 1 WHERE `link_owner` = 2;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 19;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 20;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 21;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 22;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 23;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 24;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 25;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 26;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 27;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 28;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 29;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 30;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 31;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 32;
DELETE FROM `wp_users` WHERE `ID` = 2;
UPDATE `wp_options` SET `option_value` = '1', `autoload` = 'off' WHERE `option_name` = 'user_count';

--- Delete a user without posts

DELETE FROM `wp_usermeta` WHERE `umeta_id` = 33;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 34;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 35;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 36;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 37;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 38;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 39;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 40;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 41;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 42;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 43;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 44;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 45;
DELETE FROM `wp_usermeta` WHERE `umeta_id` = 46;
DELETE FROM `wp_users` WHERE `ID` = 3;
UPDATE `wp_options` SET `option_value` = '1', `autoload` = 'off' WHERE `option_name` = 'user_count';

--- Change an autoloaded option

UPDATE `wp_options` SET `option_value` = 'Z' WHERE `option_name` = 'blogname';

--- Add an option

INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('my_option', 'a:1:{s:1:\"a\";i:1;}', 'off') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);

--- Delete an option

DELETE FROM `wp_options` WHERE `option_name` = 'my_option';

--- Register a role: add_role

UPDATE `wp_options` SET `option_value` = <roles> WHERE `option_name` = 'wp_user_roles';
