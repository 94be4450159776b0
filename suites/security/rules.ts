// The rules of authorisation, written a second time: from docs/wire.md and docs/wordpress.md alone, without a look at the
// code that they are compared with.
import type { Role } from './protocol.js'

/** What a role may, in words of this file. */
interface Powers {
  readonly isLoggedIn: boolean
  /** The capability `read`. */
  readonly reads: boolean
  /** `edit_posts`, `delete_posts`. */
  readonly writesOwn: boolean
  /** `publish_posts`, `edit_published_posts`, `delete_published_posts`. */
  readonly publishes: boolean
  /** Everything over records of others, also private ones and pages. */
  readonly rulesOthers: boolean
  /** `manage_options`, and everything over users. */
  readonly administers: boolean
}

const nobody: Powers = {
  isLoggedIn: false,
  reads: false,
  writesOwn: false,
  publishes: false,
  rulesOthers: false,
  administers: false,
}

const powersOf: Readonly<Record<Role | 'anonymous', Powers>> = {
  anonymous: nobody,
  none: { ...nobody, isLoggedIn: true },
  subscriber: { ...nobody, isLoggedIn: true, reads: true },
  contributor: { ...nobody, isLoggedIn: true, reads: true, writesOwn: true },
  author: { ...nobody, isLoggedIn: true, reads: true, writesOwn: true, publishes: true },
  editor: { isLoggedIn: true, reads: true, writesOwn: true, publishes: true, rulesOthers: true, administers: false },
  administrator: {
    isLoggedIn: true,
    reads: true,
    writesOwn: true,
    publishes: true,
    rulesOthers: true,
    administers: true,
  },
}

/** The statuses of records that the matrix tries. `trash-…` was in this status before. */
export const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash-publish', 'trash-draft'] as const
export type Status = (typeof statuses)[number]

/** What a request aims at. */
export type Object_ =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'record'
      readonly isOwn: boolean
      readonly status: Status
      readonly type: 'product' | 'post' | 'page'
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'user'; readonly isOwn: boolean }
  | { readonly kind: 'me' }

export interface Question {
  /** `DELETE /shop/v1/products/(?P<id>\d+)` */
  readonly operation: string
  readonly role: Role | 'anonymous'
  readonly object: Object_
  /** Whether the caller sent an application password. */
  readonly hasApplicationPassword: boolean
}

/** Changing a record, or deleting it: WordPress asks the same of both. */
function mayChange(powers: Powers, object: Object_): boolean {
  if (object.kind !== 'record') return false
  const isPublic = ['publish', 'future', 'trash-publish'].includes(object.status)
  // Authors and contributors have no capability over pages.
  if (object.type === 'page') return powers.rulesOthers
  if (object.isOwn) return isPublic ? powers.publishes : powers.writesOwn
  return powers.rulesOthers
}

function mayRead(powers: Powers, object: Object_): boolean {
  if (object.kind !== 'record') return false
  if (object.status === 'publish' || object.isOwn) return powers.reads
  if (object.status === 'private') return powers.rulesOthers
  return mayChange(powers, object)
}

/** The status of a refusal: 401 without a login, else 403. */
function refusal({ isLoggedIn }: Powers): number {
  return isLoggedIn ? 403 : 401
}

type Rule = (powers: Powers, object: Object_, question: Question) => number

const open: Rule = () => 200
const when =
  (isAllowed: (powers: Powers, object: Object_) => boolean, status = 200): Rule =>
  (powers, object) =>
    isAllowed(powers, object) ? status : refusal(powers)

/** A product that is allowed to be changed, and is none, is not found by the handler. */
const changesProduct =
  (status: number): Rule =>
  (powers, object) => {
    if (!mayChange(powers, object)) return refusal(powers)
    return object.kind === 'record' && object.type === 'product' ? status : 404
  }

const showsProduct: Rule = (powers, object) => {
  if (object.kind !== 'record' || object.type !== 'product') return 404
  return object.status === 'publish' || mayRead(powers, object) ? 200 : 404
}

const oneself: Rule = ({ isLoggedIn }) => (isLoggedIn ? 200 : 401)

/** The caller must be logged in, and the product published. */
const ordersProduct: Rule = ({ isLoggedIn }, object) => {
  if (!isLoggedIn) return 401
  return object.kind === 'record' && object.type === 'product' && object.status === 'publish' ? 201 : 404
}

/** Over application passwords: one's own, or those of anybody for administrators. */
const passwords =
  (status: number): Rule =>
  (powers, object) => {
    if (object.kind === 'me') return powers.isLoggedIn ? status : 401
    if (object.kind === 'missing') return 404
    if (!powers.isLoggedIn) return 401
    return (object.kind === 'user' && object.isOwn) || powers.administers ? status : 403
  }

/** A visitor is no user, so there is none to change. */
const changesOneself: Rule = ({ isLoggedIn }) => (isLoggedIn ? 200 : 404)

/** Only who may delete users may delete their own account. */
const leaves: Rule = ({ isLoggedIn, administers }) => {
  if (!isLoggedIn) return 404
  return administers ? 200 : 403
}

/** Introspection answers for the password of this very request. */
const introspection: Rule = (powers, object, { hasApplicationPassword }) => {
  if (object.kind === 'missing') return 404
  if (!powers.isLoggedIn) return 401
  if (object.kind === 'user' && !object.isOwn) return 403
  return hasApplicationPassword ? 200 : 404
}

const id = '(?P<id>\\d+)'
const ofUser = '/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords'

/** Every operation of the service under attack. One that is missing here is a finding. */
export const ruleOf: Readonly<Record<string, Rule>> = {
  'GET /': open,
  'GET /shop/v1': open,
  'GET /guarded/v1': open,
  'GET /wp/v2': open,
  'GET /shop/v1/products': open,
  'GET /shop/v1/partials/posts': open,
  'GET /guarded/v1/echo': open,
  'GET /guarded/v1/careless': open,
  'POST /guarded/v1/costly': open,
  'POST /batch/v1': open,
  'POST /shop/v1/products': when(({ publishes }) => publishes, 201),
  [`GET /shop/v1/products/${id}`]: showsProduct,
  [`PUT /shop/v1/products/${id}`]: changesProduct(200),
  [`DELETE /shop/v1/products/${id}`]: changesProduct(204),
  // Not in the index.
  [`POST /shop/v1/products/${id}/orders`]: ordersProduct,
  // Without a permission in the declaration: edit_posts.
  'GET /shop/v1/items': when(({ writesOwn }) => writesOwn),
  'POST /shop/v1/items': when(({ writesOwn }) => writesOwn),
  [`PUT /shop/v1/items/${id}`]: when(({ writesOwn }) => writesOwn),
  [`PATCH /shop/v1/items/${id}`]: when(({ writesOwn }) => writesOwn),
  [`DELETE /shop/v1/items/${id}`]: when(({ writesOwn }) => writesOwn),
  'GET /shop/v1/drafts': when(({ writesOwn }) => writesOwn),
  'GET /shop/v1/orders': when(({ reads }) => reads),
  'POST /shop/v1/admin/settings': when(({ administers }) => administers),
  [`GET /guarded/v1/records/${id}`]: when(mayRead),
  [`PATCH /guarded/v1/records/${id}`]: when(mayChange),
  [`DELETE /guarded/v1/records/${id}`]: when(mayChange),
  'POST /guarded/v1/publications': when(({ publishes }) => publishes),
  [`PUT /guarded/v1/users/${id}`]: when(
    ({ isLoggedIn, administers }, object) => isLoggedIn && (administers || (object.kind === 'user' && object.isOwn)),
  ),
  [`DELETE /guarded/v1/users/${id}`]: when(({ administers }) => administers),
  'GET /wp/v2/users/me': oneself,
  'POST /wp/v2/users/me': changesOneself,
  'PUT /wp/v2/users/me': changesOneself,
  'PATCH /wp/v2/users/me': changesOneself,
  'DELETE /wp/v2/users/me': leaves,
  [`GET ${ofUser}`]: passwords(200),
  [`POST ${ofUser}`]: passwords(201),
  [`DELETE ${ofUser}`]: passwords(200),
  [`GET ${ofUser}/introspect`]: introspection,
  [`GET ${ofUser}/(?P<uuid>[\\w\\-]+)`]: passwords(200),
  [`POST ${ofUser}/(?P<uuid>[\\w\\-]+)`]: passwords(200),
  [`PUT ${ofUser}/(?P<uuid>[\\w\\-]+)`]: passwords(200),
  [`PATCH ${ofUser}/(?P<uuid>[\\w\\-]+)`]: passwords(200),
  [`DELETE ${ofUser}/(?P<uuid>[\\w\\-]+)`]: passwords(200),
}

/** The status of the response. */
export function expectedStatus(question: Question): number | null {
  const rule = ruleOf[question.operation]
  return rule ? rule(powersOf[question.role], question.object, question) : null
}
