import type { Roles } from './role.js'

/**
 * The roles and capabilities of a new installation, in the order in which WordPress stores them (docs/wire.md#roles).
 */
const capabilitiesByRole: readonly (readonly [role: string, label: string, capabilities: string])[] = [
  [
    'administrator',
    'Administrator',
    `
      switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options
      moderate_comments manage_categories manage_links upload_files import unfiltered_html edit_posts
      edit_others_posts edit_published_posts publish_posts edit_pages read level_10 level_9 level_8 level_7
      level_6 level_5 level_4 level_3 level_2 level_1 level_0 edit_others_pages edit_published_pages
      publish_pages delete_pages delete_others_pages delete_published_pages delete_posts delete_others_posts
      delete_published_posts delete_private_posts edit_private_posts read_private_posts delete_private_pages
      edit_private_pages read_private_pages delete_users create_users unfiltered_upload edit_dashboard
      update_plugins delete_plugins install_plugins update_themes install_themes update_core list_users
      remove_users promote_users edit_theme_options delete_themes export
    `,
  ],
  [
    'editor',
    'Editor',
    `
      moderate_comments manage_categories manage_links upload_files unfiltered_html edit_posts
      edit_others_posts edit_published_posts publish_posts edit_pages read level_7 level_6 level_5 level_4
      level_3 level_2 level_1 level_0 edit_others_pages edit_published_pages publish_pages delete_pages
      delete_others_pages delete_published_pages delete_posts delete_others_posts delete_published_posts
      delete_private_posts edit_private_posts read_private_posts delete_private_pages edit_private_pages
      read_private_pages
    `,
  ],
  [
    'author',
    'Author',
    `
      upload_files edit_posts edit_published_posts publish_posts read level_2 level_1 level_0 delete_posts
      delete_published_posts
    `,
  ],
  [
    'contributor',
    'Contributor',
    `
      edit_posts read level_1 level_0 delete_posts
    `,
  ],
  [
    'subscriber',
    'Subscriber',
    `
      read level_0
    `,
  ],
]

/** The five roles of a new installation: administrator, editor, author, contributor, subscriber. */
export const defaultRoles: Roles = new Map(
  capabilitiesByRole.map(([role, label, capabilities]) => [
    role,
    {
      label,
      capabilities: new Map(
        capabilities
          .trim()
          .split(/\s+/)
          .map((capability) => [capability, true]),
      ),
    },
  ]),
)
