import { defaultRoles } from './default-roles.js'

/** Capabilities that WordPress maps to another one. See conformance/recorded/vectors/caps-roles.json. */
const aliases = new Map([
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

/** Capabilities that WordPress denies to every user of a default installation, although roles may contain them. */
const deniedCapabilities = ['manage_links', 'unfiltered_upload', 'edit_block_binding', 'delete_site', 'do_not_allow']

const primitives = new Map<string, readonly string[]>([
  ...Array.from(aliases, ([name, capability]) => [name, [capability]] as const),
  ...deniedCapabilities.map((name) => [name, ['do_not_allow']] as const),
  ['update_https', ['manage_options', 'update_core']],
])

/** The primitive capabilities that a capability without a target needs; `null` when WordPress does not map the name. */
export function primitivesOf(capability: string): readonly string[] | null {
  return primitives.get(capability) ?? null
}

/** Whether a name is a capability of a default WordPress installation that takes no target. */
export function isCapability(name: string): boolean {
  return primitives.has(name) || defaultRoles.get('administrator')?.capabilities.has(name) === true
}

/** The names of the capabilities of a default WordPress installation that take no target. */
export function capabilitiesWithoutTarget(): readonly string[] {
  return [...primitives.keys(), ...(defaultRoles.get('administrator')?.capabilities.keys() ?? [])]
}

/** The name of a capability. A number is a level, as in the first versions of WordPress: `2` is `level_2`. */
export function nameOf(capability: string): string {
  return /^\d+$/.test(capability) ? `level_${capability}` : capability
}
