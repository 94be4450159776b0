// What a handler reads, as the compiler sees it. Compiled by every TypeScript that `types.test.ts` knows.
import { RestResponse, type RestRequest } from 'as-rest-route'
import { same, type Equal } from './equal.js'

// A read has its own type wherever it stands, whatever the place first seems to want
declare const any: RestRequest
declare const read: RestRequest<{
  id: string
  size: number
  price: number | null
  tags: string[] | null
  box: { w: number; h?: number }
  choice: '' | 'a'
}>
const response = new RestResponse(read.get_param('id'))
same<Equal<typeof response, RestResponse<string, 200>>>()
const body = new RestResponse({ id: read.get_param('id'), price: read.get_param('price') })
same<Equal<typeof body, RestResponse<{ readonly id: string; readonly price: number | null }, 200>>>()
const promised = Promise.resolve(read.get_param('price'))
same<Equal<typeof promised, Promise<number | null>>>()
const both = Promise.all([read.get_param('id'), Promise.resolve(read.get_param('size'))])
same<Equal<typeof both, Promise<[string, number]>>>()
const set = new Set(read.get_param('tags'))
same<Equal<typeof set, Set<string>>>()
const map = new Map([[read.get_param('id'), read.get_param('size')]])
same<Equal<typeof map, Map<string, number>>>()
const [, price] = [read.get_param('id'), read.get_param('price')]
same<Equal<typeof price, number | null>>()
const { w = 3, ...others } = read.get_param('box')
same<Equal<typeof w, number>>()
same<Equal<typeof others, { h?: number }>>()
async function later() {
  return read.get_param('price')
}
same<Equal<ReturnType<typeof later>, Promise<number | null>>>()

// A fallback, a test and a cast
const withFallback: number = read.get_param('price') ?? 0
const orOther: 'a' | 5 = read.get_param('choice') || 5
const orMissing: number | undefined = read.get_param('price') ?? undefined
const cast: number = read.get_param('price') as number
const narrowed = read.get_param('id') as `${number}`
const castAny = any.get_param('x') as string[]
const asserted = <'a' | 'b'>read.get_param('id')
const chained: string | undefined = read.get_param('price')?.toFixed()
const tested = read.get_param('price')
const certain: number = tested === null ? 0 : tested
function castTo<T>(name: string): T {
  return any.get_param(name) as T
}
function castText<T extends string>(): T {
  return read.get_param('id') as T
}

// An overload that does not come first
declare function overloaded(value: number): 1
declare function overloaded(value: string): 2
declare function overloaded(value: { w: number }): 3
declare function overloaded(value: unknown): 4
const second: 2 = overloaded(read.get_param('id'))
const third: 3 = overloaded(read.get_param('box'))
const fourth: 4 = overloaded(any.get_param('x'))
const sum: number = ['a'].reduce((total, text) => total + text.length, read.get_param('size'))
const hex: string = Buffer.from(read.get_param('id')).toString('hex')
const texts: string[] = [read.get_param('id')].concat(read.get_param('tags') ?? [])

// Helpers over requests, by name, by interface and by type parameter
interface Named {
  id: string
}
interface Own extends RestRequest<Named> {
  readonly own: true
}
declare const named: RestRequest<Named>
declare const own: Own
const helper = (request: RestRequest<Named>): string => request.get_param('id')
const anyHelper = (request: RestRequest) => request.get_param('whatever')
function generic<P extends { id: string }>(request: RestRequest<P>): string {
  return request.get_param('id')
}
function byName<P extends object, N extends keyof P & string>(request: RestRequest<P>, name: N): P[N] {
  return request.get_param(name)
}
const size: number = byName(read, 'size')
const eitherName: string | number = read.get_param(Math.random() > 2 ? 'id' : 'size')
export const used = [
  [withFallback, orOther, orMissing, cast, narrowed, castAny, asserted, chained, certain, castTo, castText],
  [second, third, fourth, sum, hex, texts, size, eitherName],
  [helper(read), helper(named), helper(own), own.get_param('id'), anyHelper(read), anyHelper(named), generic(read)],
]
