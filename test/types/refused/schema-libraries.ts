import { AsRestRoute, RestResponse, restNamespace, route } from 'as-rest-route'
import * as v from 'valibot'
import { z } from 'zod'

const shop = restNamespace('shop/v1')
const product = z.object({
  id: z.number(),
  title: z.string(),
  status: z.enum(['draft', 'publish']).optional(),
  maker: z.object({ name: z.string() }).nullable().optional(),
  tags: z.array(z.string()).optional(),
  prices: z.record(z.string(), z.number()).optional(),
})

declare const storedProduct: { id: number; title: string; secret: string }
declare function find(): Promise<typeof storedProduct>

// @ts-expect-error a wrong item of a list
export const a = shop.endpoint({ route: '/a', responses: { 200: z.array(z.object({ id: z.number() })) } }, () => [
  { id: 'x' },
])
// @ts-expect-error a property of another type, with Valibot
export const b = shop.endpoint({ route: '/b', responses: { 200: v.object({ id: v.number() }) } }, () => ({ id: 'x' }))
// @ts-expect-error a property of another type, in a response
export const c = shop.endpoint({ route: '/c', responses: { 200: z.object({ id: z.number() }) } }, () => {
  return new RestResponse({ id: 'x' })
})
// @ts-expect-error a missing property
export const d = shop.endpoint({ route: '/d', responses: { 200: z.object({ id: z.number() }) } }, () => ({}))
// @ts-expect-error text in place of an object
export const e = shop.endpoint({ route: '/e', responses: { 200: z.object({ id: z.number() }) } }, () => 'x')
// @ts-expect-error an object in place of a list
export const f = shop.endpoint({ route: '/f', responses: { 200: z.array(product) } }, () => storedProduct)
// @ts-expect-error a list in place of an object
export const g = shop.endpoint({ route: '/g', responses: { 200: product } }, () => [storedProduct])
// @ts-expect-error a text that an enum does not have
export const h = shop.endpoint({ route: '/h', responses: { 200: product } }, () => ({
  ...storedProduct,
  status: 'sold',
}))
// @ts-expect-error a wrong property of an object inside
export const i = shop.endpoint({ route: '/i', responses: { 200: product } }, () => ({
  ...storedProduct,
  maker: { nam: '' },
}))
// @ts-expect-error a wrong item of a list inside
export const j = shop.endpoint({ route: '/j', responses: { 200: product } }, () => ({
  ...storedProduct,
  tags: ['x', 1],
}))
// @ts-expect-error a wrong value of a record inside
export const k = shop.endpoint({ route: '/k', responses: { 200: product } }, () => ({
  ...storedProduct,
  prices: { a: 'x' },
}))
// @ts-expect-error a property that may be null
export const l = shop.endpoint({ route: '/l', responses: { 200: product } }, (request) => {
  return { ...storedProduct, title: request.get_header('x-title') }
})
// @ts-expect-error a forgotten await
export const m = shop.endpoint({ route: '/m', responses: { 200: product } }, () => new RestResponse(find()))
// @ts-expect-error a forgotten await inside the body
export const n = shop.endpoint({ route: '/n', responses: { 200: product } }, () => {
  return { ...storedProduct, title: find().then(({ title }) => title) }
})
// @ts-expect-error a status that is not declared
export const o = shop.endpoint({ route: '/o', responses: { 200: product } }, () => new RestResponse(storedProduct, 201))
// @ts-expect-error a body that fits no member of a union
export const p = shop.endpoint({ route: '/p', responses: { 200: z.union([product, z.string()]) } }, () => ({ id: 1 }))

export class Refused {
  // @ts-expect-error a missing property, of a method
  @AsRestRoute({ namespace: 'shop/v1', route: '/q', permission: 'public', responses: { 200: product } })
  async missing() {
    return { id: 1 }
  }

  // @ts-expect-error a text that the compiler widened
  @shop.AsRestRoute({ route: '/r', permission: 'public', responses: { 200: product } })
  widened() {
    return { ...storedProduct, status: 'draft' }
  }
}

export const declarations = [
  // @ts-expect-error a schema of text for all arguments
  route({ namespace: 'shop/v1', route: '/s', args: z.string() }),
  // @ts-expect-error a schema of a list for all arguments
  route({ namespace: 'shop/v1', route: '/t', args: z.array(z.string()) }),
  // @ts-expect-error a schema of a list for all arguments, with Valibot
  route({ namespace: 'shop/v1', route: '/u', args: v.array(v.string()) }),
  // @ts-expect-error a schema that makes no object of the arguments
  route({ namespace: 'shop/v1', route: '/v', args: z.object({ id: z.string() }).transform(({ id }) => id) }),
  // @ts-expect-error a schema in place of the rules of one argument
  route({ namespace: 'shop/v1', route: '/w', args: { n: z.number() } }),
  // @ts-expect-error a schema in place of the rules of one argument, beside rules
  route({ namespace: 'shop/v1', route: '/x', args: { page: { type: 'integer' }, n: v.string() } }),
]
// @ts-expect-error a schema of text for all arguments of a function
export const y = shop.endpoint({ route: '/y', args: z.string() }, () => 1)

interface Row {
  readonly id: number
  readonly title: string
  readonly tags: readonly string[]
  readonly prices: Prices
}
interface Prices {
  readonly loaf: number
}
declare const row: Row
declare const rows: readonly Row[]
declare const anything: ReturnType<typeof JSON.parse>

/** What fits is accepted, also where it is written in other words than those of the library. */
export const accepted = [
  route({ namespace: 'shop/v1', route: '/q1', args: z.any() }),
  route({ namespace: 'shop/v1', route: '/q2', args: z.union([z.string(), z.object({ a: z.string() })]).pipe(z.any()) }),
  route({ namespace: 'shop/v1', route: '/q3', args: z.preprocess((value) => value, z.object({ a: z.string() })) }),
  route({ namespace: 'shop/v1', route: '/q4', args: z.record(z.string(), z.string()) }),
  shop.endpoint({ route: '/1', responses: { 200: product } }, () => storedProduct),
  shop.endpoint({ route: '/2', responses: { 200: product } }, () => row),
  shop.endpoint({ route: '/3', responses: { 200: z.array(product) } }, () => rows),
  shop.endpoint({ route: '/4', responses: { 200: z.array(product) } }, async () => {
    return rows.map((each) => new RestResponse(each))
  }),
  shop.endpoint({ route: '/5', responses: { 200: product, 404: z.string() } }, (request) => {
    return request.user.id === 0 ? new RestResponse('none', 404) : new RestResponse(row)
  }),
  shop.endpoint({ route: '/6', responses: { 200: z.looseObject({ id: z.number() }) } }, () => row),
  shop.endpoint({ route: '/7', responses: { 200: z.record(z.string(), z.unknown()) } }, () => row),
  shop.endpoint({ route: '/8', responses: { 200: z.record(z.string(), z.number()) } }, () => row.prices),
  shop.endpoint({ route: '/9', responses: { 200: z.object({ at: z.date(), n: z.coerce.number() }) } }, () => {
    return { at: new Date(), n: '1' }
  }),
  shop.endpoint({ route: '/10', responses: { 200: z.union([product, z.null()]) } }, () => row),
  shop.endpoint(
    {
      route: '/11',
      responses: {
        200: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), tags: z.array(z.string()) }),
          z.object({ kind: z.literal('b') }),
        ]),
      },
    },
    () => ({ kind: 'a' as const, tags: row.tags }),
  ),
  shop.endpoint({ route: '/12', responses: { 200: z.any() } }, () => row),
  shop.endpoint({ route: '/13', responses: { 200: z.unknown() } }, () => row),
  shop.endpoint(
    { route: '/14', responses: { 200: v.array(v.object({ id: v.number(), tags: v.array(v.string()) })) } },
    () => rows,
  ),
  shop.endpoint({ route: '/15', responses: { 200: product } }, () => anything),
  shop.endpoint({ route: '/16', responses: { 200: z.object({ pair: z.tuple([z.number(), z.string()]) }) } }, () => {
    return { pair: [1, 'x'] as const }
  }),
]
