import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pairedSites } from '../support/wordpress/paired-sites.js'
import { skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

/**
 * Creates a user with posts, pages and records of other types in several statuses, an attachment, a revision, a comment, terms and
 * links. Returns the id.
 */
const userWithPossessions = `
  $login = $argument;
  $id = wp_insert_user( array( 'user_login' => $login, 'user_email' => "$login@site.example", 'user_pass' => 'p', 'role' => 'administrator' ) );
  $add = function ( $post ) use ( $id ) { return wp_insert_post( $post + array( 'post_author' => $id, 'post_status' => 'publish', 'post_content' => 'x' ) ); };
  $term = term_exists( 'Tales', 'category' ) ?: wp_insert_term( 'Tales', 'category' );
  $post = $add( array( 'post_title' => "Post of $login", 'post_category' => array( (int) $term['term_id'] ), 'tags_input' => array( 'short' ), 'meta_input' => array( 'of_a_plugin' => 'x' ) ) );
  wp_update_post( array( 'ID' => $post, 'post_content' => 'y' ) );
  stick_post( $post );
  wp_insert_comment( array( 'comment_post_ID' => $post, 'comment_content' => 'Hello', 'comment_approved' => 1 ) );
  $add( array( 'post_title' => 'A draft', 'post_status' => 'draft' ) );
  $add( array( 'post_title' => 'Later', 'post_status' => 'future', 'post_date' => '2030-01-01 00:00:00' ) );
  wp_trash_post( $add( array( 'post_title' => "Trashed before $login" ) ) );
  $page = $add( array( 'post_type' => 'page', 'post_title' => "Page of $login" ) );
  $add( array( 'post_type' => 'page', 'post_title' => "Below $login", 'post_parent' => $page ) );
  update_option( 'page_on_front', $page );
  update_option( 'show_on_front', 'page' );
  $note = $add( array( 'post_type' => 'note', 'post_title' => "Note of $login", 'meta_input' => array( 'k' => 'v' ) ) );
  wp_trash_post( $add( array( 'post_type' => 'note', 'post_title' => "Trashed note of $login" ) ) );
  $add( array( 'post_type' => 'product', 'post_title' => "Product of $login" ) );
  $add( array( 'post_type' => 'book', 'post_title' => "Book of $login" ) );
  $add( array( 'post_type' => 'nav_menu_item', 'post_title' => 'Of a menu' ) );
  $add( array( 'post_type' => 'wp_block', 'post_title' => 'Of the editor' ) );
  $add( array( 'post_type' => 'wp_template', 'post_title' => "Template of $login" ) );
  $add( array( 'post_type' => 'wp_template_part', 'post_title' => "Part of $login" ) );
  $image = $add( array( 'post_type' => 'attachment', 'post_status' => 'inherit', 'post_parent' => $note, 'post_title' => "Image of $login", 'meta_input' => array( '_wp_attachment_metadata' => array( 'width' => 1 ) ) ) );
  $other = wp_insert_post( array( 'post_author' => 1, 'post_status' => 'publish', 'post_title' => "Of the administrator $login", 'post_content' => 'x', 'meta_input' => array( '_thumbnail_id' => $image ) ) );
  $add( array( 'post_type' => 'revision', 'post_status' => 'inherit', 'post_parent' => $other, 'post_name' => "$other-revision-v1", 'post_title' => 'A version' ) );
  $category = term_exists( 'Friends', 'link_category' ) ?: wp_insert_term( 'Friends', 'link_category' );
  require_once ABSPATH . 'wp-admin/includes/bookmark.php';
  foreach ( array( $id, 1 ) as $owner ) {
    $link = wp_insert_link( array( 'link_name' => 'x', 'link_url' => 'http://x.example', 'link_category' => array( (int) $category['term_id'] ) ) );
    $GLOBALS['wpdb']->update( $GLOBALS['wpdb']->links, array( 'link_owner' => $owner ), array( 'link_id' => $link ) );
  }
  return $id;`

describe('a user with records is deleted as by WordPress', { skip: skipWithoutWordPress() }, () => {
  const sites = pairedSites()

  const deleted = async (login: string, query: string) => {
    const user = await Promise.all([sites.php, sites.other].map((site) => site.php(userWithPossessions, login)))
    await sites.compare()
    const authorizations = await Promise.all(
      [sites.php, sites.other].map((site) => site.applicationPassword({ login }, 'own')),
    )
    const path = `wp/v2/users/me?force=true&${query}`
    const roots = [`${sites.php.url}/wp-json/`, sites.service.rest]
    const responses = []
    for (const [index, root] of roots.entries()) {
      const headers = { authorization: authorizations[index] ?? '' }
      const response = await fetch(root + path, { method: 'DELETE', headers })
      const body = (await response.json()) as { code?: string; deleted?: boolean; previous?: { id: number } }
      responses.push([response.status, body.code, body.deleted, body.previous?.id])
    }
    assert.deepEqual(responses[1], responses[0], query)
    await sites.compare()
    return [Number(user[0]), ...(responses[0] ?? [])]
  }

  for (const [index, query] of ['reassign=0', 'reassign=1', 'reassign=-2'].entries())
    it(`by DELETE with ${query}`, async () => {
      const [id, status, , isDeleted, previous] = await deleted(`user${index}`, query)
      assert.deepEqual([status, isDeleted, previous], [200, true, id])
    })

  it('not by DELETE with reassign=abc', async () => {
    assert.equal((await deleted('user9', 'reassign=abc'))[1], 400)
  })

  it('by a handler that names no new author', async () => {
    const [id] = await Promise.all([sites.php, sites.other].map((site) => site.php(userWithPossessions, 'ann')))
    await sites.same(
      "require_once ABSPATH . 'wp-admin/includes/user.php'; require_once ABSPATH . 'wp-admin/includes/bookmark.php'; wp_delete_user( $argument );",
      () => sites.service.service.users.delete(Number(id)),
      id,
    )
  })

  it('a user who is created with the id of links leaves them', async () => {
    const owner = 7777
    const links = `global $wpdb;
      $wpdb->insert( $wpdb->links, array( 'link_name' => 'x', 'link_url' => 'http://x.example', 'link_owner' => $argument ) );`
    await sites.other.php(links, owner)
    await sites.service.service.users.create({ id: owner, login: 'bob', email: 'bob@site.example', password: 'p' })
    const count =
      'return (int) $GLOBALS["wpdb"]->get_var( "SELECT COUNT(*) FROM {$GLOBALS["wpdb"]->links} WHERE link_owner = $argument" );'
    assert.equal(await sites.other.php(count, owner), 1)
  })

  it('once by two calls at the same time, with more records than are read at a time', async () => {
    const many = `$id = wp_insert_user( array( 'user_login' => $argument, 'user_email' => "$argument@site.example", 'user_pass' => 'p', 'role' => 'author' ) );
      for ( $n = 0; $n < 205; $n++ ) wp_insert_post( array( 'post_author' => $id, 'post_status' => 'publish', 'post_type' => 'page', 'post_title' => "Page $n of $argument", 'post_content' => 'x' ) );
      return $id;`
    const id = Number(await sites.other.php(many, 'eve'))
    const results = await Promise.all([1, 2].map(() => sites.service.service.users.delete(id)))
    assert.deepEqual(results.sort(), [false, true])
    const statuses = `global $wpdb; return $wpdb->get_results( $wpdb->prepare( "SELECT post_type, post_status, COUNT(*) AS n FROM $wpdb->posts WHERE post_author = %d GROUP BY post_type, post_status ORDER BY post_type", $argument ), ARRAY_N );`
    assert.deepEqual(
      ((await sites.other.php(statuses, id)) as unknown[][]).map((row) => row.map(String)),
      [['page', 'trash', '205']],
    )
  })
})
