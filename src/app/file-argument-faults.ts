import { fault, type Fault } from '../base/fault.js'
import { defaultMaxFiles } from '../http/multipart.js'
import { isMap } from '../php/array-shape.js'
import type { RouteDeclaration } from '../routing/declaration.js'
import { subjectOf, type ServedRoute } from '../routing/handler-class.js'
import { sourceLocationOf } from '../routing/source-location.js'
import { isFileArgument } from '../validation/file-arguments.js'
import type { ArgumentRules } from '../validation/rules.js'
import { isStandardSchema } from '../validation/standard-schema.js'
import { describeValue } from './describe-value.js'
import type { Diagnostic } from './startup-error.js'

/** Reports arguments for files that no request can contain. @param bodyLimit the option `body_limit`, in bytes. */
export function faultsOfFileArguments(routes: readonly ServedRoute[], bodyLimit: number): readonly Diagnostic[] {
  return routes.flatMap((route) => {
    const declaration: unknown = route.declaration
    if (!isMap(declaration) || !isMap(declaration['args']) || isStandardSchema(declaration['args'])) return []
    return Object.entries(declaration['args'])
      .filter(([, rules]) => isMap(rules) && isFileArgument(rules))
      .flatMap(([name, rules]) => faultOf(name, rules as ArgumentRules, route.declaration, bodyLimit) ?? [])
      .map((each) => ({ ...each, location: sourceLocationOf(route.site), subject: subjectOf(route) }))
  })
}

/**
 * Compares the size of a single file with the limit of a body. The limits of several files may together exceed it: they
 * are maximums, which need not be used up at once.
 */
function faultOf(
  name: string,
  rules: ArgumentRules,
  { method = 'GET', body_limit: limit, max_files: files = defaultMaxFiles }: RouteDeclaration,
  usualLimit: number,
): Fault | null {
  if (method !== 'POST')
    return fault(
      'file-without-post',
      `argument '${name}' is a file, which only the form of a POST contains. The method is ${describeValue(method)}. Write 'POST'.`,
    )
  const { max_size: size } = rules.items ?? rules
  const bytes = limit ?? usualLimit
  if (typeof size === 'number' && size >= bytes)
    return fault(
      'file-unreachable',
      `'max_size' of argument '${name}' is ${size.toLocaleString('en')} bytes, but a body may have ${bytes.toLocaleString('en')}. Declare a 'body_limit' for the file and the rest of its form.`,
    )
  if (typeof rules.maxItems === 'number' && rules.maxItems > files)
    return fault(
      'file-unreachable',
      `'maxItems' of argument '${name}' is ${rules.maxItems}, but a body may have ${files} files. Declare 'max_files'.`,
    )
  return null
}
