import { fault, type Fault } from '../base/fault.js'
import { lowerPattern, routePattern } from '../pcre/pattern.js'
import type { RouteDeclaration } from '../routing/declaration.js'
import {
  libraryFormOf,
  refusesObjects,
  refusesQueryValues,
  refusesText,
  type LibraryForm,
} from '../validation/library-form.js'
import { isStandardSchema } from '../validation/standard-schema.js'

/**
 * Reports a schema of a library in `args` that refuses every request, or every request that sends an argument. Nothing is
 * reported where a schema may convert what it gets.
 * @param declaration its route and method must be valid.
 */
export function libraryArgumentFaults({ args, route, method = 'GET' }: RouteDeclaration): Fault[] {
  if (!isStandardSchema(args)) return []
  const { vendor } = args['~standard']
  const form = libraryFormOf(args)
  if (refusesObjects(form))
    return [
      fault(
        'args-invalid',
        `'args' is a schema of ${vendor} for ${typeText(form)}, but all arguments together are one object. Write a schema of an object, with a property for each argument.`,
      ),
    ]
  // When an optional group matches nothing, an argument with its name is read from the query or body, and JSON has numbers. So
  // the groups of such a route are not checked.
  const hasOptionalGroups = /\)(?:[?*]|\{0)|\|/.test(route)
  const captured = new Set(
    hasOptionalGroups ? [] : lowerPattern(route, routePattern).syntax.names.map(({ name }) => name),
  )
  return [...form.properties].flatMap(([name, argument]) => {
    const source = captured.has(name) ? 'path' : method === 'GET' ? 'query' : null
    const mismatch =
      source === 'path'
        ? refusesText(argument)
          ? { name, form: argument }
          : null
        : source === 'query'
          ? queryMismatch({ name, form: argument })
          : null
    if (mismatch === null) return []
    return [
      fault(
        'argument-not-text',
        `argument '${mismatch.name}' is ${typeText(mismatch.form)} in its schema of ${vendor}, but a ${source} has only text, so that each ${source} with it is refused. Convert it: ${conversion(mismatch.form, vendor)}.`,
      ),
    ]
  })
}

interface NamedForm {
  readonly name: string
  readonly form: LibraryForm
}

/**
 * The first part of an argument that no query can contain; null when there is none. The values of a query are text, in lists
 * and objects as well (`a[]=1`, `a[b]=1`). A part that is contained again is examined once.
 */
function queryMismatch(argument: NamedForm): NamedForm | null {
  const parts = [argument]
  const examined = new Set<LibraryForm>()
  // The loop also visits the parts that are added meanwhile.
  for (const { name, form } of parts) {
    if (examined.has(form)) continue
    if (examined.add(form).size > maxParts) return null
    if (refusesQueryValues(form)) return { name, form }
    if (form.items !== null) parts.push({ name: `${name}[]`, form: form.items })
    for (const [key, property] of form.properties) parts.push({ name: `${name}[${key}]`, form: property })
  }
  return null
}

/** Maximum number of parts that are examined. A recursive schema can create a new part whenever one is read. */
const maxParts = 1000

const numberTypes = ['number', 'int', 'integer']

function typeText({ type, options }: LibraryForm): string {
  if (type === null) return 'any value'
  if (type === 'union') return [...new Set(options.map(typeText))].join(' or ')
  return numberTypes.includes(type) ? 'a number' : type === 'null' ? 'null' : `the type ${type}`
}

function conversion(form: LibraryForm, vendor: string): string {
  const { type } = form.options.find((option) => option.type !== 'null') ?? form
  const isNumber = type !== null && numberTypes.includes(type)
  if (vendor === 'zod') {
    if (isNumber) return 'z.coerce.number()'
    if (type === 'boolean') return 'z.stringbool()'
    if (type === 'date' || type === 'bigint') return `z.coerce.${type}()`
  }
  if (vendor === 'arktype' && isNumber) return "'string.numeric.parse'"
  if (vendor === 'valibot' && isNumber) return 'v.pipe(v.string(), v.toNumber())'
  return 'begin its schema with text, and transform that'
}
