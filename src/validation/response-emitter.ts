import { ignoreRejection, ignoreFailures, isThenable } from '../base/thenable.js'
import { RestResponse } from '../http/rest-response.js'
import { hasToJson, isBoxed, isWithoutJsonForm } from '../http/json.js'
import { rulesOf, type Rules } from './compiled-type.js'
import { compilePattern } from './pattern.js'
import { alternativesOf, requiredNamesOf, typesOf } from './response-rules.js'
import type { TypeName } from './rules.js'
import { allLimits, checkerOf, type Checker } from './response-checker.js'
import { unlimitedWork } from './work-limit.js'

/** Facts about a body, collected while it is emitted. */
export class Emission {
  /** Whether a value has another type than its schema, or a required property is absent. */
  isFaulty = false
  /** Whether `JSON.stringify` writes the emitted body as PHP does, apart from escapes. */
  isPlain = true
}

/**
 * Returns what is sent of a value: the described properties, in the order of the value. Described lists and maps are copied,
 * because the application may later add properties to its own objects that are not described. A list or map where the schema has
 * neither is replaced by null, because it may contain anything.
 */
export type Emitter = (value: unknown, emission: Emission) => unknown

export function emitterOf(declared: unknown): Emitter {
  const rules = rulesOf(declared)
  const alternatives = alternativesOf(rules)
  if (alternatives !== null) return alternativeEmitter(alternatives)
  const types = typesOf(rules)
  if (types === null) return anything
  if (types.length === 1) {
    if (types[0] === 'object') return mapEmitter(rules)
    if (types[0] === 'array') return withJsonForm(listEmitter(rules))
    const type = String(types[0])
    return frequentEmitters[type] ?? scalarEmitter(scalarTests.get(type) ?? never)
  }
  return severalEmitter(types, rules)
}

/** A value without a schema. */
const anything: Emitter = (value, emission) => {
  emission.isPlain = false
  return value
}

const isPlainNumber = (value: number): boolean =>
  Number.isSafeInteger(value)
    ? value !== 0 || !Object.is(value, -0)
    : Math.abs(value) >= 0.0001 && Math.abs(value) < 1e15

const never = (): boolean => false

const isInteger = (value: unknown): boolean => Number.isInteger(value) || typeof value === 'bigint'

/** Whether a value without members has a type. */
const scalarTests: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    string: (value) => typeof value === 'string',
    integer: isInteger,
    number: (value) => typeof value === 'number' || typeof value === 'bigint',
    boolean: (value) => typeof value === 'boolean',
    null: (value) => value === null,
  } satisfies Record<Exclude<TypeName, 'array' | 'object'>, (value: unknown) => boolean>),
)

function scalarEmitter(isOfType: (value: unknown) => boolean): Emitter {
  const emit: Emitter = (value, emission) => {
    if (!isOfType(value)) return emitMismatch(value, emission, emit)
    if (typeof value === 'number' ? !isPlainNumber(value) : typeof value === 'bigint') emission.isPlain = false
    return value
  }
  return emit
}

const emitOtherNumber = scalarEmitter((value) => typeof value === 'number' || typeof value === 'bigint')
const emitOtherInteger = scalarEmitter(isInteger)

/** Most values are of these types. Their emitters contain the test of the type, because calling a function for it would double their time. */
const emitString: Emitter = (value, emission) =>
  typeof value === 'string' ? value : emitMismatch(value, emission, emitString)
const emitNumber: Emitter = (value, emission) => {
  if (typeof value !== 'number') return emitOtherNumber(value, emission)
  if (!isPlainNumber(value)) emission.isPlain = false
  return value
}
const emitInteger: Emitter = (value, emission) =>
  Number.isSafeInteger(value) && value !== 0 ? value : emitOtherInteger(value, emission)
const frequentEmitters: Readonly<Record<string, Emitter>> = {
  string: emitString,
  number: emitNumber,
  integer: emitInteger,
}

/** A value of another type than its schema. */
function emitMismatch(value: unknown, emission: Emission, emit: Emitter): unknown {
  if (typeof value !== 'object' || value === null) {
    emission.isFaulty = true
    if (typeof value === 'number' || typeof value === 'bigint') emission.isPlain = false
    return value
  }
  if (isBoxed(value)) return emit(value.valueOf(), emission)
  if (hasToJson(value)) {
    const jsonForm = unboxed(value.toJSON(''))
    if (typeof jsonForm !== 'object' || jsonForm === null) return emit(jsonForm, emission)
  }
  emission.isFaulty = true
  // Writing the body as JSON then fails, with a message that says what to do.
  if (isThenable(value) || isWithoutJsonForm(value)) {
    if (isThenable(value)) ignoreRejection(value)
    emission.isPlain = false
    return value
  }
  ignoreFailures(value)
  return null
}

/** The primitive of a boxed one, as `JSON.stringify` writes it. */
function unboxed(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isBoxed(value)
    ? value.valueOf()
    : value
}

/** Applies `toJSON` before the emitter of a list or of several types. An emitter of maps applies it itself. */
function withJsonForm(emit: Emitter): Emitter {
  return (value, emission) => {
    const hasOwnForm = typeof value === 'object' && value !== null && hasToJson(value)
    return emit(unboxed(hasOwnForm ? value.toJSON('') : value), emission)
  }
}

function listEmitter(rules: Rules): Emitter {
  const emitItem = emitterOf(rules['items'])
  const item: Emitter = (value, emission) => {
    if (!(value instanceof RestResponse)) return emitItem(value, emission)
    // Its links are added later.
    emission.isPlain = false
    return withBody(value, emitItem(value.body, emission))
  }
  const emit: Emitter = (value, emission) => {
    if (!Array.isArray(value)) return emitMismatch(value, emission, emit)
    const list: readonly unknown[] = value
    const copy: unknown[] = []
    for (let index = 0; index < list.length; index += 1) copy.push(item(list[index], emission))
    return copy
  }
  return emit
}

/** A copy of a response with another body, and with its links. */
export function withBody(response: RestResponse, body: unknown): RestResponse {
  if (body === response.body) return response
  const copy = response.withBody(body)
  for (const [rel, links] of response.links) copy.links.set(rel, links)
  return copy
}

interface Property {
  readonly name: string
  readonly emit: Emitter
  readonly isRequired: boolean
  /** The property that follows in the schema, which most often follows in the value. */
  next: Property | null
}

function mapEmitter(rules: Rules): Emitter {
  const properties = propertiesOf(rules)
  const byName = new Map(properties.map((property) => [property.name, property]))
  const [first = null] = properties
  const requiredCount = requiredNamesOf(rules).size
  const emitOther = otherEmitter(rules)
  const emit: Emitter = (value, emission) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return emitMismatch(value, emission, emit)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return emitInstance(value, emission)
    return emitMembers({ ...(value as Record<string, unknown>) }, emission)
  }
  /** The result of a `toJSON`, which JSON calls once. */
  const emitJsonForm: Emitter = (jsonForm, emission) => {
    const value = unboxed(jsonForm)
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
    return isMap ? emitMembers({ ...value, toJSON: undefined }, emission) : emitMismatch(value, emission, emit)
  }
  // The prototype of an instance may have enumerable members, which JSON does not have.
  const emitInstance: Emitter = (value, emission) => {
    if (hasToJson(value as object))
      return emitJsonForm((value as { toJSON(name: string): unknown }).toJSON(''), emission)
    if (ArrayBuffer.isView(value) || isBoxed(value as object)) return emitMismatch(value, emission, emit)
    const isEmpty = Object.keys(value as object).length === 0
    if (isEmpty && (isThenable(value) || isWithoutJsonForm(value as object))) return emitMismatch(value, emission, emit)
    return emitMembers({ ...(value as Record<string, unknown>) }, emission)
  }
  /** @param map a copy, which gets what is sent of its members. */
  const emitMembers = (map: Record<string, unknown>, emission: Emission): unknown => {
    let expected = first
    let present = 0
    let copy: Record<string, unknown> | null = null
    let count = 0
    for (const name in map) {
      const property: Property | null = expected?.name === name ? expected : (byName.get(name) ?? null)
      const member = map[name]
      if (name === 'toJSON' && typeof member === 'function') return emitJsonForm(member.call(map, ''), emission)
      const emitMember = property === null ? emitOther(name) : property.emit
      if (property !== null) {
        expected = property.next
        if (property.isRequired && member !== undefined) present += 1
      }
      if (emitMember === null) {
        if (typeof member === 'object' && member !== null) ignoreFailures(member)
        copy ??= firstMembers(map, count)
        continue
      }
      const emitted = member === undefined ? undefined : emitMember(member, emission)
      if (copy !== null) set(copy, name, emitted)
      else if (emitted !== member) map[name] = emitted
      count += 1
    }
    if (present < requiredCount) emission.isFaulty = true
    return copy ?? map
  }
  return emit
}

function propertiesOf(rules: Rules): readonly Property[] {
  const requiredNames = requiredNamesOf(rules)
  const names = new Set([...Object.keys(rulesOf(rules['properties'])), ...requiredNames])
  const declared = rulesOf(rules['properties'])
  const emitOther = otherEmitter(rules)
  const properties = [...names].map((name): Property => {
    const emit = Object.hasOwn(declared, name) ? emitterOf(declared[name]) : (emitOther(name) ?? anything)
    return { name, emit, isRequired: requiredNames.has(name), next: null }
  })
  for (const [index, property] of properties.entries()) property.next = properties[index + 1] ?? null
  return properties
}

/** The emitters of properties that `properties` does not name; null for a property that is not sent. */
function otherEmitter(rules: Rules): (name: string) => Emitter | null {
  const { properties, patternProperties, additionalProperties } = rules
  const patterns = Object.entries(rulesOf(patternProperties)).map(([pattern, inner]) => ({
    matches: compilePattern(pattern),
    emit: emitterOf(inner),
  }))
  const isOpen =
    additionalProperties === true || (additionalProperties === undefined && !properties && !patternProperties)
  const others = typeof additionalProperties === 'object' ? emitterOf(additionalProperties) : isOpen ? anything : null
  if (patterns.length === 0) return () => others
  return (name) => patterns.find(({ matches }) => matches(name, unlimitedWork))?.emit ?? others
}

/** A new map with the first `count` members of another one. */
function firstMembers(map: Readonly<Record<string, unknown>>, count: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  if (count === 0) return copy
  let copied = 0
  for (const name in map) {
    if (copied === count) break
    set(copy, name, map[name])
    copied += 1
  }
  return copy
}

function set(map: Record<string, unknown>, name: string, value: unknown): void {
  // An assignment would not create an own key `__proto__`.
  if (name !== '__proto__') map[name] = value
  else Object.defineProperty(map, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Emits a value by the first of several types that it has. */
function severalEmitter(types: readonly unknown[], rules: Rules): Emitter {
  const list = types.includes('array') ? listEmitter(rules) : null
  const map = types.includes('object') ? mapEmitter(rules) : null
  const tests = types.flatMap((type) => scalarTests.get(String(type)) ?? [])
  const scalar = scalarEmitter((value) => tests.some((isOfType) => isOfType(value)))
  return withJsonForm((value, emission) => {
    if (list !== null && Array.isArray(value)) return list(value, emission)
    if (map !== null && typeof value === 'object' && value !== null && !Array.isArray(value))
      return map(value, emission)
    return scalar(value, emission)
  })
}

/** Rules besides types and required properties by which an alternative is chosen, in the order in which they are tried. */
const checkedLimits: readonly ReadonlySet<string>[] = [allLimits, new Set(['enum']), new Set()]

/**
 * Emits a value by the first alternative that describes it, or else by the first that does without its limits. When there is
 * none, nothing of a list or map is sent. A property for which several alternatives have an `enum`, each with other values, is a
 * discriminator: an alternative with another value of it does not describe the map.
 */
function alternativeEmitter(alternatives: readonly unknown[]): Emitter {
  const discriminators = discriminatorsOf(alternatives)
  // The checks with fewer limits are compiled when a value needs them: few do.
  const options = alternatives.map((rules) => ({ rules, emit: emitterOf(rules), checks: [checkerOf(rules)] }))
  const nothing = scalarEmitter(never)
  return (value, emission) => {
    for (let index = 0; index < checkedLimits.length; index += 1) {
      const option = options.find(
        ({ rules, checks }) => (checks[index] ??= checkerWith(rules, index, discriminators))(value, '') === null,
      )
      if (option === undefined) continue
      if (index > 0) emission.isFaulty = true
      return option.emit(value, emission)
    }
    return nothing(value, emission)
  }
}

/** The names of the discriminators: properties for which several alternatives have an `enum`, none with a value of another one. */
function discriminatorsOf(alternatives: readonly unknown[]): ReadonlySet<string> {
  const enums = new Map<string, string[][]>()
  for (const rules of alternatives)
    for (const [name, inner] of Object.entries(rulesOf(rulesOf(rules)['properties']))) {
      const values: unknown = rulesOf(inner)['enum']
      if (!Array.isArray(values)) continue
      const texts = new Set(values.map((value) => JSON.stringify(value)))
      enums.set(name, [...(enums.get(name) ?? []), [...texts]])
    }
  const isDiscriminator = (lists: readonly string[][]): boolean =>
    lists.length > 1 && new Set(lists.flat()).size === lists.flat().length
  return new Set([...enums].flatMap(([name, lists]) => (isDiscriminator(lists) ? [name] : [])))
}

function checkerWith(declared: unknown, index: number, discriminators: ReadonlySet<string>): Checker {
  const check = checkerOf(declared, checkedLimits[index])
  if (index < checkedLimits.length - 1 || discriminators.size === 0) return check
  const rules = rulesOf(declared)
  const properties = Object.entries(rulesOf(rules['properties'])).filter(([name]) => discriminators.has(name))
  const checkDiscriminators = checkerOf(
    { type: rules['type'], properties: Object.fromEntries(properties) },
    new Set(['enum']),
  )
  return (value, path) => check(value, path) ?? checkDiscriminators(value, path)
}
