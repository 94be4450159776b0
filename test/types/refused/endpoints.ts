import { defineConfig, endpoint, RecordStore, RestError, restNamespace } from 'as-rest-route'

const shop = restNamespace('shop/v1')

// @ts-expect-error a handler that returns nothing
export const a = endpoint({ namespace: 'shop/v1', route: '/a', permission: 'public' }, () => undefined)
// @ts-expect-error a handler that promises nothing
export const b = endpoint({ namespace: 'shop/v1', route: '/b', permission: 'public' }, async () => {})
// @ts-expect-error a handler that returns an error
export const c = shop.endpoint({ route: '/c', permission: 'public' }, () => new RestError('a', 'b'))
// @ts-expect-error a namespace without a version
export const d = endpoint({ namespace: 'shop', route: '/d', permission: 'public' }, () => 1)
// @ts-expect-error no namespace
export const e = endpoint({ route: '/e', permission: 'public' }, () => 1)
// @ts-expect-error a permission by name, where there is no class
export const f = endpoint({ namespace: 'shop/v1', route: '/f', permission: 'canEdit' }, () => 1)
// @ts-expect-error a permission function that returns a number
export const g = endpoint({ namespace: 'shop/v1', route: '/g', permission: () => 1 }, () => 1)
// @ts-expect-error a name that is not declared
export const h = endpoint({ namespace: 'shop/v1', route: '/h' }, (request) => request.get_param('x'))
// @ts-expect-error an id that is not in the route
export const i = endpoint({ namespace: 'shop/v1', route: '/i' }, (request) => request.pathId('id'))
// @ts-expect-error an unknown type of an argument
export const j = endpoint({ namespace: 'shop/v1', route: '/j', args: { a: { type: 'int' } } }, () => 1)
// @ts-expect-error a third parameter
export const k = endpoint({ namespace: 'shop/v1', route: '/k' }, (_request, _dependencies, _more) => 1)
// @ts-expect-error a dependency that is no class
export const l = endpoint({ namespace: 'shop/v1', route: '/l', dependencies: { records: 'RecordStore' } }, () => 1)
// @ts-expect-error a dependency that is not declared
export const m = shop.endpoint({ route: '/m', dependencies: { records: RecordStore } }, (_request, { users }) => users)
// @ts-expect-error a cached POST
export const n = shop.endpoint({ route: '/n', method: 'POST', permission: 'public', cache: 60 }, () => 1)
// @ts-expect-error a namespace without a version
export const wrong = restNamespace('shop')

export class Refused {
  // @ts-expect-error a permission that is no method
  @shop.AsRestRoute({ route: '/o', permission: 'missing' })
  // @ts-expect-error a route without a slash
  @shop.AsRestRoute({ route: 'p', permission: 'public' })
  list() {
    return []
  }
}

// @ts-expect-error an unknown option
export const configuration = defineConfig({ prefix: 'x' })
