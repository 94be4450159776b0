import { defaultRoles } from './default-roles.js'

/** Names that stand for another capability. Source: recorded `caps-roles`. */
const standsFor = new Map([
  ['add_users', 'promote_users'],
  ['activate_plugin', 'activate_plugins'],
  ['deactivate_plugin', 'activate_plugins'],
  ['deactivate_plugins', 'activate_plugins'],
  ['resume_plugin', 'resume_plugins'],
  ['resume_theme', 'resume_themes'],
  ['upload_plugins', 'install_plugins'],
  ['upload_themes', 'install_themes'],
  ['update_languages', 'install_languages'],
  ['update_php', 'update_core'],
  ['customize', 'edit_theme_options'],
  ['edit_css', 'unfiltered_html'],
  ['setup_network', 'manage_options'],
  ['manage_privacy_options', 'manage_options'],
  ['export_others_personal_data', 'manage_options'],
  ['erase_others_personal_data', 'manage_options'],
  ['edit_categories', 'manage_categories'],
  ['delete_categories', 'manage_categories'],
  ['assign_categories', 'edit_posts'],
  ['manage_post_tags', 'manage_categories'],
  ['edit_post_tags', 'manage_categories'],
  ['delete_post_tags', 'manage_categories'],
  ['assign_post_tags', 'edit_posts'],
])

/** Capabilities that are stored with a role but switched off in a stock installation, or belong to a network of sites. */
const switchedOff = ['manage_links', 'unfiltered_upload', 'edit_block_binding', 'delete_site', 'do_not_allow']

const primitives = new Map<string, readonly string[]>([
  ...Array.from(standsFor, ([name, other]) => [name, [other]] as const),
  ...switchedOff.map((name) => [name, ['do_not_allow']] as const),
  ['update_https', ['manage_options', 'update_core']],
])

/** The capability that a name without a target stands for; `null` when it stands for itself. */
export function primitivesOf(capability: string): readonly string[] | null {
  return primitives.get(capability) ?? null
}

/** Whether a name is a capability of a stock WordPress that needs no target. */
export function isCapability(name: string): boolean {
  return primitives.has(name) || defaultRoles.get('administrator')?.capabilities.has(name) === true
}

/** The name of a capability. A bare number is a level, as in the first versions of WordPress. */
export function nameOf(capability: string): string {
  return /^\d+$/.test(capability) ? `level_${capability}` : capability
}
