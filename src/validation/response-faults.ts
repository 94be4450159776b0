import { fault, type Fault } from '../base/fault.js'
import { isMap } from '../php/array-shape.js'
import { rulesOf } from './compiled-type.js'
import { ruleDiagnostics, withSubject } from './rule-faults.js'
import { typesOf, withoutArgumentRules } from './response-rules.js'

/** The mistakes in the schema of a response, in sentences that name its status. */
export function responseDiagnostics(status: string, declared: unknown): readonly Fault[] {
  const subject = `response ${status}`
  const rules = withoutArgumentRules(declared)
  const diagnostics = ruleDiagnostics(rules, { subject, inherited: undefined, depth: 0 })
  return diagnostics.length > 0 ? diagnostics : openDiagnostics(rules, subject, undefined)
}

/** Reports lists and maps whose contents a schema does not describe: all columns of a row would be sent. */
function openDiagnostics(declared: unknown, subject: string, inherited: unknown): Fault[] {
  if (!isMap(declared)) return []
  const rules = rulesOf(declared)
  const { items, properties, patternProperties, additionalProperties, anyOf, oneOf } = rules
  const type = rules['type'] ?? inherited
  const candidates = (anyOf ?? oneOf ?? []) as readonly unknown[]
  const types = typesOf(type === undefined ? {} : { type }) ?? []
  const isDecidedByCandidates = candidates.length > 0
  const openFaults: Fault[] = []
  const hasNoProperties =
    properties === undefined && patternProperties === undefined && additionalProperties === undefined
  if (types.includes('object') && hasNoProperties && !isDecidedByCandidates)
    openFaults.push(
      fault(
        'response-open',
        "an object without 'properties' would send all that the handler returns. List them, or write additionalProperties: true.",
      ),
    )
  if (types.includes('array') && items === undefined && !isDecidedByCandidates)
    openFaults.push(
      fault(
        'response-open',
        "an array without 'items' would send all that the handler returns. Give them a schema, or write items: {}.",
      ),
    )
  const named = (rule: 'properties' | 'patternProperties'): Fault[] =>
    Object.entries(rulesOf(rules[rule])).flatMap(([name, inner]) =>
      openDiagnostics(inner, `${subject}, ${rule} '${name}'`, undefined),
    )
  const outer = { ...(properties !== undefined && { properties }), ...(items !== undefined && { items }) }
  return [
    ...openFaults.map((openFault) => withSubject(subject, openFault)),
    ...named('properties'),
    ...named('patternProperties'),
    ...openDiagnostics(items, `${subject}, items`, undefined),
    ...openDiagnostics(additionalProperties, `${subject}, additionalProperties`, undefined),
    ...candidates.flatMap((candidate, position) =>
      openDiagnostics(
        isMap(candidate) ? { ...outer, ...candidate } : candidate,
        `${subject}, ${anyOf === undefined ? 'oneOf' : 'anyOf'} ${position + 1}`,
        type,
      ),
    ),
  ]
}
