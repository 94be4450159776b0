<!doctype html>
<html <?php language_attributes(); ?>>
<head><meta charset="<?php bloginfo( 'charset' ); ?>"><?php wp_head(); ?></head>
<body>
<?php while ( have_posts() ) : the_post(); ?>
<article id="post-<?php the_ID(); ?>"><h2><a href="<?php the_permalink(); ?>"><?php the_title(); ?></a></h2><?php the_content(); ?></article>
<?php endwhile; ?>
<?php wp_footer(); ?>
</body>
</html>
