import { AsRestRoute, RestResponse, route } from 'as-rest-route'

export const declarations = [
  // @ts-expect-error a default of another type
  route({ namespace: 'a/v1', route: '/a', args: { per_page: { type: 'integer', default: 'ten' } } }),
  // @ts-expect-error a default that the enum does not have
  route({ namespace: 'a/v1', route: '/b', args: { orderby: { type: 'string', enum: ['date'], default: 'price' } } }),
  // @ts-expect-error a default with items of another type
  route({ namespace: 'a/v1', route: '/c', args: { tags: { type: 'array', items: { type: 'string' }, default: [1] } } }),
  // @ts-expect-error a misspelt rule
  route({ namespace: 'a/v1', route: '/d', args: { per_page: { type: 'integer', mimimum: 1 } } }),
  // @ts-expect-error a rule that does not exist, on the items of an array
  route({ namespace: 'a/v1', route: '/e', args: { tags: { type: 'array', items: { type: 'string', max: 3 } } } }),
  // @ts-expect-error a misspelt rule of a property
  route({ namespace: 'a/v1', route: '/f', args: { box: { type: 'object', properties: { w: { typ: 'number' } } } } }),
  // @ts-expect-error an unknown type
  route({ namespace: 'a/v1', route: '/g', args: { price: { type: 'float' } } }),
  // @ts-expect-error an unknown type among several
  route({ namespace: 'a/v1', route: '/h', args: { price: { type: ['number', 'text'] } } }),
  // @ts-expect-error an unknown format
  route({ namespace: 'a/v1', route: '/i', args: { from: { type: 'string', format: 'mail' } } }),
  // @ts-expect-error an unknown sanitiser
  route({ namespace: 'a/v1', route: '/j', args: { title: { type: 'string', sanitize_callback: 'clean_text' } } }),
  // @ts-expect-error an asynchronous sanitiser
  route({ namespace: 'a/v1', route: '/k', args: { title: { type: 'string', sanitize_callback: async () => '' } } }),
  // @ts-expect-error a validator that returns a text
  route({ namespace: 'a/v1', route: '/o', args: { n: { validate_callback: (v) => Number(v) > 0 || 'too small' } } }),
  // @ts-expect-error an asynchronous validator
  route({ namespace: 'a/v1', route: '/p', args: { n: { validate_callback: async (v) => v !== '' } } }),
  // @ts-expect-error a rule with a value of another type
  route({ namespace: 'a/v1', route: '/l', args: { price: { type: 'number', minimum: '1' } } }),
]

const types = { price: { type: 'number' } }
// @ts-expect-error rules kept elsewhere without 'as const'
export const vague = route({ namespace: 'a/v1', route: '/m', args: types })

export class Refused {
  // @ts-expect-error faults in a declaration at its decorator
  @AsRestRoute({ namespace: 'a/v1', route: '/n', args: { page: { type: 'int' } } })
  handler() {
    return new RestResponse(null)
  }
}
