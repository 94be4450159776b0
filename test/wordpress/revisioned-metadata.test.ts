import { describe, it } from 'node:test'
import { callerOfRole } from '../../src/auth/capabilities.js'
import { runAs } from '../../src/auth/current-user.js'
import { defaultRoles } from '../../src/auth/default-roles.js'
import { pairedSites } from '../support/wordpress/paired-sites.js'
import { skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

/**
 * Makes a WordPress before 6.4 do what later ones do for some types: revisions are made after the metadata, and have footnotes as well.
 * The types are named by the version that registers the key for them: 6.4 for posts and pages, 6.5 also for an essay.
 */
const pluginFor = (types: readonly string[]) => `<?php
add_action( 'init', function () { register_post_type( 'essay', array( 'public' => true, 'show_in_rest' => true, 'supports' => array( 'title', 'editor', 'custom-fields', 'revisions' ) ) ); } );
if ( (float) $GLOBALS['wp_version'] >= 6.4 ) return;
function has_footnotes( $id ) { return in_array( get_post_type( $id ), ${phpList(types)}, true ); }
remove_action( 'post_updated', 'wp_save_post_revision', 10 );
add_action( 'wp_after_insert_post', function ( $id, $post, $is_update ) { if ( $is_update ) wp_save_post_revision( $id ); }, 9, 3 );
add_filter( 'wp_save_post_revision_post_has_changed', function ( $has_changed, $revision, $post ) {
  return $has_changed || ( ! has_footnotes( $post->ID ) && $post->footnotes ) || ( has_footnotes( $post->ID ) && get_metadata( 'post', $post->ID, 'footnotes' ) !== get_metadata( 'post', $revision->ID, 'footnotes' ) );
}, 10, 3 );
add_action( '_wp_put_post_revision', function ( $id ) {
  $record = wp_get_post_parent_id( $id );
  if ( has_footnotes( $record ) )
    foreach ( get_metadata( 'post', $record, 'footnotes' ) as $value ) add_metadata( 'post', $id, 'footnotes', wp_slash( $value ) );
} );`

const phpList = (texts: readonly string[]) => `array( ${texts.map((text) => `'${text}'`).join(', ')} )`

const essay = { public: true, supports: ['title', 'editor', 'custom-fields', 'revisions'] } as const

for (const [version, dbVersion, types] of [
  ['6.4', 56_657, ['post', 'page']],
  ['6.5', 57_155, ['post', 'page', 'essay']],
] as const)
  describe(`revisions of WordPress ${version}`, { skip: skipWithoutWordPress() }, () => {
    const sites = pairedSites({
      plugin: pluginFor(types),
      setup: `if ( get_option( 'db_version' ) < ${dbVersion} ) update_option( 'db_version', ${dbVersion} );`,
      types: { essay },
    })

    it(`have the footnotes of records of ${types.join(', ')}, whose change alone makes one`, async (test) => {
      // The rule of 6.4 differs from that of 6.5, and a later WordPress follows the latter whatever its options say.
      if (version === '6.4' && sites.php.version > 6.4)
        return test.skip(`WordPress ${sites.php.version} has the rule of 6.5, which the other suite compares`)
      const { records } = sites.service.service
      const footnotes = [1, 2, 3].map((number) =>
        JSON.stringify([{ id: `n${number}`, content: `Note \\ "${number}"` }]),
      )
      for (const type of ['post', 'page', 'essay', 'book']) {
        let id = 0
        const update = (change: Parameters<typeof records.update>[1], fields: string) =>
          sites.same(
            `$post = get_posts( array( 'post_type' => '${type}', 'name' => 'a', 'post_status' => 'any' ) )[0];
          wp_update_post( wp_slash( array( 'ID' => $post->ID, ${fields} ) ) );`,
            () => records.update(id, change),
            footnotes,
          )
        await sites.same(
          `wp_insert_post( wp_slash( array( 'post_type' => '${type}', 'post_title' => 'A', 'post_name' => 'a', 'post_status' => 'publish', 'meta_input' => array( 'footnotes' => $argument[0] ) ) ) );`,
          async () => {
            const meta = { footnotes: footnotes[0] }
            ;({ id } = await records.insert({ type, title: 'A', slug: 'a', status: 'publish', meta }))
          },
          footnotes,
        )
        await update({ content: 'x' }, "'post_content' => 'x'")
        await update({ meta: { footnotes: footnotes[1] } }, "'meta_input' => array( 'footnotes' => $argument[1] )")
        await update({ meta: { other: 'x' } }, "'meta_input' => array( 'other' => 'x' )")
        await update(
          { content: 'y', meta: { footnotes: footnotes[2] } },
          "'post_content' => 'y', 'meta_input' => array( 'footnotes' => $argument[2] )",
        )
        const two = `$id = get_posts( array( 'post_type' => '${type}', 'name' => 'a' ) )[0]->ID; add_post_meta( $id, 'footnotes', '[{"id":"more","content":"x"}]' );`
        for (const site of [sites.php, sites.other]) await site.php(two)
        await update({ title: 'B' }, "'post_title' => 'B'")
      }
    })

    it('and records have them without scripts where a contributor writes them', async (test) => {
      // PHP to compare with has no filter of footnotes there. src/content/footnotes.test.ts holds the results of 6.8 and 7.1.
      if (sites.php.version < 6.4) return test.skip(`WordPress ${sites.php.version} has no footnotes`)
      const { records } = sites.service.service
      const contributor = { caller: { ...callerOfRole('contributor', defaultRoles), id: 4 }, can: async () => true }
      let id = 0
      for (const text of footnotesOfContributor)
        await sites.same(
          `wp_set_current_user( 4 ); wp_insert_post( wp_slash( array( 'post_type' => 'essay', 'post_title' => 'E', 'meta_input' => array( 'footnotes' => $argument ) ) ) );`,
          async () => {
            const meta = { footnotes: text }
            ;({ id } = await runAs(contributor, () => records.insert({ type: 'essay', title: 'E', meta })))
          },
          text,
        )
      const [hostile] = footnotesOfContributor
      await sites.same(
        `kses_remove_filters(); wp_update_post( wp_slash( array( 'ID' => $argument[0], 'meta_input' => array( 'footnotes' => $argument[1] ) ) ) );`,
        () => records.update(id, { meta: { footnotes: hostile } }),
        [id, hostile],
      )
      for (const title of ['F', 'F', 'G'])
        await sites.same(
          `wp_set_current_user( 4 ); wp_update_post( wp_slash( array( 'ID' => $argument[0], 'post_title' => $argument[1] ) ) );`,
          () => runAs(contributor, () => records.update(id, { title })),
          [id, title],
        )
    })
  })

const footnotesOfContributor = [
  '[{"content":"<b>a</b><script>x</script> \\\\ \\"q\\" é/😀","id":"N 1<","other":1}]',
  '{"k":{"id":1,"content":"1 < 2 & <a href=\\"javascript:x\\">y</a>"}}',
  '[1,null,"x",[],{"id":"a"},{"content":"b"},{"id":"","content":"0"},{"id":"0","content":"x"},{"id":true,"content":1.5}]',
  '[[{"id":"a","content":"b"}]]',
  ' [ ] ',
  '{}',
  'null',
  '5',
  '"<script>"',
  '<script>x</script>',
]
