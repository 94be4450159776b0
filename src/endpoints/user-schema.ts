// The texts, the rules and their order are WordPress's.

const everywhere = ['embed', 'view', 'edit'] as const
const inEdit = ['edit'] as const

/** The preferences of the block editor, which WordPress keeps for each user. */
export const preferencesRules = {
  type: 'object',
  title: '',
  description: '',
  default: {},
  context: inEdit,
  properties: {
    _modified: {
      description: 'The date and time the preferences were updated.',
      type: 'string',
      format: 'date-time',
      readonly: false,
    },
  },
  additionalProperties: true,
} as const

/** Descriptions of the members of a user, for arguments and the schema. */
export const userMembers = {
  username: { description: 'Login name for the user.', type: 'string' },
  name: { description: 'Display name for the user.', type: 'string' },
  first_name: { description: 'First name for the user.', type: 'string' },
  last_name: { description: 'Last name for the user.', type: 'string' },
  email: { description: 'The email address for the user.', type: 'string', format: 'email' },
  url: { description: 'URL of the user.', type: 'string', format: 'uri' },
  description: { description: 'Description of the user.', type: 'string' },
  locale: { description: 'Locale for the user.', type: 'string', enum: ['', 'en_US'] },
  nickname: { description: 'The nickname for the user.', type: 'string' },
  slug: { description: 'An alphanumeric identifier for the user.', type: 'string' },
  roles: { description: 'Roles assigned to the user.', type: 'array', items: { type: 'string' } },
  password: { description: 'Password for the user (never included).', type: 'string' },
  meta: {
    description: 'Meta fields.',
    type: 'object',
    properties: { persisted_preferences: preferencesRules },
  },
} as const

const { properties: metaProperties, ...meta } = userMembers.meta

/** The sizes of avatars, in pixels. */
export const avatarSizes = [24, 48, 96] as const

const avatarProperties = Object.fromEntries(
  avatarSizes.map((size) => [
    size,
    {
      description: `Avatar URL with image size of ${size} pixels.`,
      type: 'string',
      format: 'uri',
      context: everywhere,
    },
  ]),
)

/** A user in responses, for OPTIONS. */
export const userSchema = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  title: 'user',
  type: 'object',
  properties: {
    id: { description: 'Unique identifier for the user.', type: 'integer', context: everywhere, readonly: true },
    username: { ...userMembers.username, context: inEdit, required: true },
    name: { ...userMembers.name, context: everywhere },
    first_name: { ...userMembers.first_name, context: inEdit },
    last_name: { ...userMembers.last_name, context: inEdit },
    email: { ...userMembers.email, context: inEdit, required: true },
    url: { ...userMembers.url, context: everywhere },
    description: { ...userMembers.description, context: everywhere },
    link: {
      description: 'Author URL of the user.',
      type: 'string',
      format: 'uri',
      context: everywhere,
      readonly: true,
    },
    locale: { ...userMembers.locale, context: inEdit },
    nickname: { ...userMembers.nickname, context: inEdit },
    slug: { ...userMembers.slug, context: everywhere },
    registered_date: {
      description: 'Registration date for the user.',
      type: 'string',
      format: 'date-time',
      context: inEdit,
      readonly: true,
    },
    roles: { ...userMembers.roles, context: inEdit },
    password: { ...userMembers.password, context: [], required: true },
    capabilities: {
      description: 'All capabilities assigned to the user.',
      type: 'object',
      context: inEdit,
      readonly: true,
    },
    extra_capabilities: {
      description: 'Any extra capabilities assigned to the user.',
      type: 'object',
      context: inEdit,
      readonly: true,
    },
    avatar_urls: {
      description: 'Avatar URLs for the user.',
      type: 'object',
      context: everywhere,
      readonly: true,
      properties: avatarProperties,
    },
    meta: { ...meta, context: ['view', 'edit'], properties: metaProperties },
  },
} as const
