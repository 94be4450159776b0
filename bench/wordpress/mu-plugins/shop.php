<?php
// The shop as a WordPress plugin: the routes of examples/shop with the same arguments and the same answers.

// Without this, application passwords need HTTPS.
add_filter('wp_is_application_passwords_available', '__return_true');

add_action('init', function () {
    register_post_type('product', [
        'public' => true,
        'supports' => ['title', 'editor', 'excerpt'],
        'taxonomies' => ['category'],
    ]);
});

add_action('rest_api_init', function () {
    register_rest_route('bench/v1', '/hello', [
        'permission_callback' => '__return_true',
        'args' => ['count' => ['type' => 'integer', 'minimum' => 1, 'maximum' => 100, 'default' => 1]],
        'callback' => fn ($request) => new WP_REST_Response(['hello' => 'world', 'count' => $request['count']]),
    ]);
    register_rest_route('shop/v1', '/products', [
        [
            'methods' => 'GET',
            'permission_callback' => '__return_true',
            'args' => [
                'per_page' => ['type' => 'integer', 'default' => 10, 'minimum' => 1, 'maximum' => 100],
                'page' => ['type' => 'integer', 'default' => 1, 'minimum' => 1],
                'category' => ['type' => 'string', 'sanitize_callback' => 'sanitize_text_field'],
                'orderby' => [
                    'type' => 'string',
                    'default' => 'date',
                    'enum' => ['date', 'title', 'price', 'popularity'],
                ],
            ],
            'callback' => 'bench_list_products',
        ],
        [
            'methods' => 'POST',
            'permission_callback' => fn () => current_user_can('publish_posts'),
            'args' => [
                'title' => ['type' => 'string', 'required' => true],
                'content' => ['type' => 'string', 'default' => ''],
                'price' => ['type' => 'number', 'required' => true],
            ],
            'callback' => 'bench_create_product',
        ],
    ]);
    register_rest_route('shop/v1', '/products/(?P<id>\d+)', [
        'permission_callback' => '__return_true',
        'callback' => 'bench_show_product',
    ]);
    register_rest_route('shop/v1', '/partials/posts', [
        'permission_callback' => '__return_true',
        'args' => [
            'page' => ['type' => 'integer', 'default' => 1],
            'per_page' => ['type' => 'integer', 'default' => 6],
        ],
        'callback' => 'bench_post_cards',
    ]);
    register_rest_route('shop/v1', '/items', [
        'permission_callback' => fn () => current_user_can('edit_posts'),
        'callback' => fn ($request) => new WP_REST_Response(['route' => 'items', 'method' => $request->get_method()]),
    ]);
});

/** Pages are not counted and terms not loaded: nobody here asks for them. */
function bench_records(string $type, int $page, int $per_page, array $more = []): array {
    $query = new WP_Query($more + [
        'post_type' => $type,
        'post_status' => 'publish',
        'posts_per_page' => $per_page,
        'paged' => $page,
        'orderby' => ['date' => 'DESC', 'ID' => 'DESC'],
        'no_found_rows' => true,
        'update_post_term_cache' => false,
    ]);
    return $query->posts;
}

function bench_list_products(WP_REST_Request $request): WP_REST_Response {
    $orders = [
        'date' => [],
        'title' => ['orderby' => ['title' => 'ASC']],
        'price' => ['meta_key' => 'price', 'orderby' => ['meta_value_num' => 'ASC']],
        'popularity' => ['meta_key' => 'total_sales', 'orderby' => ['meta_value_num' => 'DESC']],
    ];
    $more = $orders[$request['orderby']];
    if ($request['category']) {
        $more['category_name'] = $request['category'];
    }
    $products = bench_records('product', $request['page'], $request['per_page'], $more);
    return new WP_REST_Response(array_map('bench_product', $products));
}

function bench_show_product(WP_REST_Request $request): WP_REST_Response {
    $product = get_post((int) $request['id']);
    if (!$product || $product->post_type !== 'product' || $product->post_status !== 'publish') {
        return new WP_REST_Response(['error' => 'Product not found'], 404);
    }
    return new WP_REST_Response(bench_product($product));
}

function bench_create_product(WP_REST_Request $request): WP_REST_Response {
    $id = wp_insert_post(wp_slash([
        'post_type' => 'product',
        'post_status' => 'publish',
        'post_title' => $request['title'],
        'post_content' => $request['content'],
        'meta_input' => ['price' => $request['price']],
    ]), true);
    if (is_wp_error($id)) {
        return new WP_REST_Response(['error' => $id->get_error_message()], 400);
    }
    return new WP_REST_Response(bench_product(get_post($id)), 201);
}

function bench_product(WP_Post $product): array {
    return [
        'id' => $product->ID,
        'title' => $product->post_title,
        'content' => $product->post_content,
        'price' => (float) get_post_meta($product->ID, 'price', true),
        'link' => get_permalink($product),
    ];
}

function bench_post_cards(WP_REST_Request $request): WP_REST_Response {
    $posts = bench_records('post', $request['page'], $request['per_page'], ['update_post_meta_cache' => false]);
    $html = '';
    foreach ($posts as $post) {
        $html .= sprintf(
            "<article class=\"card\">\n  <h3><a href=\"%s\">%s</a></h3>\n  <p>%s</p>\n</article>\n",
            esc_url(get_permalink($post)),
            esc_html($post->post_title),
            esc_html($post->post_excerpt)
        );
    }
    return new WP_REST_Response(['html' => $html, 'hasMore' => count($posts) === $request['per_page']]);
}
