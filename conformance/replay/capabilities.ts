import { serialize } from '../../src/php/serialize.js'
import { callerOf } from '../../src/auth/capabilities.js'
import type { Caller } from '../../src/http/caller.js'
import type { CapabilityLookup, PostFacts } from '../../src/auth/capability-lookup.js'
import { defaultRoles } from '../../src/auth/default-roles.js'
import { requiredCapabilities, userCan } from '../../src/auth/meta-capabilities.js'
import type { Roles } from '../../src/auth/role.js'
import { RecordTypes } from '../../src/content/record-types.js'
import type { UserWithMeta } from '../../src/database/storage.js'
import type { VectorCase } from '../vectors.js'
import { replayCases, type ReplayFile } from './replay-cases.js'

const ids: Readonly<Record<string, number>> = {
  anonymous: 0,
  administrator: 2,
  editor: 3,
  author: 4,
  contributor: 5,
  subscriber: 6,
  none: 7,
}
const firstAdministrator = 1
const somebodyElse = 20
const missing = 999_999

const types = new RecordTypes({
  product: { public: true },
  hidden: {},
  book: { public: true, capability_type: 'book', map_meta_cap: true },
  plain: { public: true, capability_type: 'plain' },
})

/** What the recording registered: keys with a callback that allows or refuses. */
const registeredKeys: Readonly<Record<string, boolean>> = { open: true, secret: false }

const storedUser = (id: number, capabilities: Readonly<Record<string, boolean>>): UserWithMeta => ({
  user: {
    ID: id,
    user_login: `user${id}`,
    user_pass: '',
    user_nicename: `user${id}`,
    user_email: `user${id}@shop.example`,
    user_url: '',
    user_registered: '2026-01-15 12:00:00',
    user_activation_key: '',
    user_status: 0,
    display_name: `User ${id}`,
  },
  meta: [{ key: 'wp_capabilities', value: serialize(capabilities) }],
})

function callerInRole(role: string): Caller {
  const id = ids[role]
  if (id === undefined) throw new Error(`unknown role ${role}`)
  return callerOf(storedUser(id, role === 'none' || role === 'anonymous' ? {} : { [role]: true }), defaultRoles, 'wp_')
}

interface Shelf {
  readonly posts?: readonly PostFacts[]
  readonly before?: string
}

function lookupOf({ posts = [], before = '' }: Shelf = {}): CapabilityLookup {
  const users = new Set([...Object.values(ids), firstAdministrator, somebodyElse].filter((id) => id > 0))
  return {
    types,
    post: async (id) => posts.find((post) => post.ID === id) ?? null,
    statusBeforeTrash: async () => before,
    specialPages: async () => ({ frontPage: 51, postsPage: 52, privacyPage: 53 }),
    userExists: async (id) => users.has(id),
    metadataAllowed: (_type, key) => registeredKeys[key] ?? null,
  }
}

const post = (ID: number, facts: Partial<PostFacts> = {}): PostFacts => ({
  ID,
  post_type: 'post',
  post_status: 'publish',
  post_author: somebodyElse,
  post_parent: 0,
  ...facts,
})

interface Question {
  readonly caller: Caller
  readonly target: unknown
  readonly lookup: CapabilityLookup
  readonly metaKey?: string | undefined
}

/** Files of questions whether somebody may do something: what it takes, and whether the person has it. */
function replayQuestions(questionOf: (vector: VectorCase) => Question): ReplayFile {
  return (file) =>
    replayCases(file, async (vector) => {
      const { caller, target, lookup, metaKey } = questionOf(vector)
      const capability = String(vector['capability'])
      const requires = await requiredCapabilities(capability, caller, target, lookup, metaKey)
      return {
        actual: { expect: { requires, allowed: await userCan(caller, capability, target, lookup, metaKey) } },
      }
    })
}

/** `caps-roles`: each role and capability by itself. */
export const replayRoles = replayQuestions((vector) => ({
  caller: callerInRole(String(vector['role'])),
  target: undefined,
  lookup: lookupOf(),
}))

/** `caps-posts`: records by type, status and owner. */
export const replayPosts = replayQuestions((vector) => {
  const caller = callerInRole(String(vector['role']))
  const [status = '', before = ''] = String(vector['status']).startsWith('trash-')
    ? ['trash', String(vector['status']).slice('trash-'.length)]
    : [String(vector['status'])]
  const record = post(10, {
    post_type: String(vector['type']),
    post_status: status,
    post_author: vector['owner'] === 'own' ? caller.id : somebodyElse,
  })
  return { caller, target: 10, lookup: lookupOf({ posts: [record], before }) }
})

const oddPosts: readonly PostFacts[] = [
  post(10),
  post(11, { post_type: 'product' }),
  post(12, { post_type: 'page' }),
  post(51, { post_type: 'page' }),
  post(52, { post_type: 'page' }),
  post(53, { post_type: 'page' }),
  post(13, { post_author: missing }),
  post(14, { post_author: 0 }),
  post(15, { post_type: 'unheard_of' }),
  post(16, { post_status: 'unheard_of' }),
  post(17, { post_type: 'attachment', post_status: 'inherit' }),
  post(18, { post_type: 'attachment', post_status: 'inherit', post_parent: 10 }),
  post(19, { post_type: 'revision', post_status: 'inherit', post_parent: 10 }),
]

const oddTargets = new Map<string, unknown>([
  ['published-post', 10],
  ['published-product', 11],
  ['published-page', 12],
  ['front-page', 51],
  ['posts-page', 52],
  ['privacy-page', 53],
  ['author-gone', 13],
  ['author-zero', 14],
  ['type-unregistered', 15],
  ['status-unregistered', 16],
  ['attachment', 17],
  ['attachment-with-parent', 18],
  ['revision', 19],
  ['float', 10.5],
  ['numeric-string', '10'],
  ['spaced-string', ' 10 '],
  ['numeric-prefix', '10abc'],
  ['negative-id', -10],
  ['minus-one', -1],
  ['missing', missing],
  ['zero', 0],
  ['none', undefined],
  ['null', null],
  ['false', false],
  ['true', true],
  ['array', [10]],
  ['empty-string', ''],
  ['text', 'ten'],
  ['post-object', { ID: 10 }],
])

/** `caps-odd-targets`: ids of odd records, and what is no id. */
export const replayOddTargets = replayQuestions((vector) => {
  const name = String(vector['target'])
  if (!oddTargets.has(name)) throw new Error(`unknown target ${name}`)
  return {
    caller: callerInRole(String(vector['role'])),
    target: oddTargets.get(name),
    lookup: lookupOf({ posts: oddPosts }),
  }
})

/** `caps-users`: capabilities over users. */
export const replayUsers = replayQuestions((vector) => {
  const caller = callerInRole(String(vector['role']))
  const targets = new Map<unknown, unknown>([
    ['self', caller.id],
    ['string-self', String(caller.id)],
    ['other', somebodyElse],
    ['administrator', firstAdministrator],
    ['zero', 0],
    ['missing', missing],
    ['text', 'somebody'],
    ['none', undefined],
    [null, undefined],
  ])
  if (!targets.has(vector['target'])) throw new Error(`unknown target ${String(vector['target'])}`)
  return { caller, target: targets.get(vector['target']), lookup: lookupOf() }
})

/** `caps-meta`: capabilities over the metadata of records. */
export const replayMeta = replayQuestions((vector) => {
  const caller = callerInRole(String(vector['role']))
  const posts = [post(10, { post_author: caller.id }), post(11)]
  const targets: Readonly<Record<string, number>> = { own: 10, other: 11, missing }
  const { metaKey } = vector as { metaKey?: string | null }
  return {
    caller,
    target: targets[String(vector['target'])],
    lookup: lookupOf({ posts }),
    metaKey: metaKey ?? undefined,
  }
})

/** `no role, grant manage_options`; the recording describes its users in words. */
const granted: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  'contributor+author': { contributor: true, author: true },
  'contributor+grant publish_posts': { contributor: true, publish_posts: true },
  'contributor+deny edit_posts': { contributor: true, edit_posts: false },
  'author role, deny publish_posts': { author: true, publish_posts: false },
  'no role, grant manage_options': { manage_options: true },
  'unknown role': { ghost_role: true },
  'custom role shop_manager': { shop_manager: true },
  'administrator, deny edit_posts': { administrator: true, edit_posts: false },
  'grant do_not_allow': { administrator: true, do_not_allow: true },
  'grant edit_others_posts only': { edit_others_posts: true },
}
const rolesWithShopManager: Roles = new Map([
  ...defaultRoles,
  [
    'shop_manager',
    {
      label: 'Shop manager',
      capabilities: new Map([
        ['read', true],
        ['edit_products', true],
      ]),
    },
  ],
])

/** `caps-grants`: users with several roles, or with grants of their own. */
export const replayGrants = replayQuestions((vector) => {
  const capabilities = granted[String(vector['user'])]
  if (!capabilities) throw new Error(`unknown user ${String(vector['user'])}`)
  const posts = [post(10, { post_type: 'product' })]
  return {
    caller: callerOf(storedUser(8, capabilities), rolesWithShopManager, 'wp_'),
    target: vector['target'] === null ? undefined : 10,
    lookup: lookupOf({ posts }),
  }
})
