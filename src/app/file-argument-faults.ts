import { fault, type Fault } from '../base/fault.js'
import { usualMaxFiles } from '../http/multipart.js'
import { isMap } from '../php/array-shape.js'
import type { RouteDeclaration } from '../routing/declaration.js'
import { subjectOf, type ServedRoute } from '../routing/handler-class.js'
import { sourceLocationOf } from '../routing/source-location.js'
import { isFileArgument } from '../validation/file-arguments.js'
import type { ArgumentRules } from '../validation/rules.js'
import { isStandardSchema } from '../validation/standard-schema.js'
import { sourceText } from './source-text.js'
import type { Diagnostic } from './startup-error.js'

/** Files that no request can bring. @param bodyLimit the option `body_limit`, in bytes. */
export function faultsOfFileArguments(routes: readonly ServedRoute[], bodyLimit: number): readonly Diagnostic[] {
  return routes.flatMap((route) => {
    const declaration: unknown = route.declaration
    if (!isMap(declaration) || !isMap(declaration['args']) || isStandardSchema(declaration['args'])) return []
    const files = Object.entries(declaration['args'])
      .filter(([, rules]) => isMap(rules) && isFileArgument(rules))
      .map(([name, rules]) => fileArgumentOf(name, rules as ArgumentRules))
    const {
      method = 'GET',
      body_limit: limit,
      max_files: maxFiles = usualMaxFiles,
    }: RouteDeclaration = route.declaration
    const limits = { bytes: limit ?? bodyLimit, files: maxFiles }
    const single = files.flatMap((file) => faultOf(file, method, limits) ?? [])
    const faults = single.length > 0 || files.length < 2 ? single : faultsOfSums(files, limits)
    return faults.map((each) => ({ ...each, location: sourceLocationOf(route.site), subject: subjectOf(route) }))
  })
}

interface FileArgument {
  readonly name: string
  /** The size of one file in bytes; null without a limit. */
  readonly size: number | null
  /** The number of files that the argument may have: of a list without `maxItems`, the least that it must have, or 1. */
  readonly count: number
}

/** What one body may have. */
interface BodyLimits {
  readonly bytes: number
  readonly files: number
}

function fileArgumentOf(name: string, rules: ArgumentRules): FileArgument {
  const { max_size: size } = rules.items ?? rules
  const { minItems, maxItems = minItems } = rules
  const count = rules.type !== 'file' && typeof maxItems === 'number' ? maxItems : 1
  return { name, size: typeof size === 'number' ? size : null, count }
}

function faultOf({ name, size, count }: FileArgument, method: unknown, limits: BodyLimits): Fault | null {
  if (method !== 'POST')
    return fault(
      'file-without-post',
      `argument '${name}' is a file, which only a POST can bring. The method is ${sourceText(method)}. Write 'POST'.`,
    )
  if (size !== null && size >= limits.bytes)
    return fault(
      'file-unreachable',
      `'max_size' of argument '${name}' is ${bytesText(size)} bytes, but a body may have ${bytesText(limits.bytes)}. Declare a 'body_limit' for the file and the rest of its form.`,
    )
  if (count > limits.files)
    return fault(
      'file-unreachable',
      `argument '${name}' takes ${count} files, but a body may have ${limits.files} files. Declare 'max_files'.`,
    )
  if (size !== null && size * count >= limits.bytes)
    return fault(
      'file-unreachable',
      `argument '${name}' takes ${count} files of ${bytesText(size)} bytes, together ${bytesText(size * count)}, but a body may have ${bytesText(limits.bytes)}. Declare a 'body_limit' for them and the rest of their form.`,
    )
  return null
}

/** What the files of a route are together. */
function faultsOfSums(files: readonly FileArgument[], limits: BodyLimits): Fault[] {
  const names = files.map(({ name }) => `'${name}'`).join(', ')
  const bytes = files.reduce((sum, { size, count }) => sum + (size ?? 0) * count, 0)
  const count = files.reduce((sum, file) => sum + file.count, 0)
  const faults: Fault[] = []
  if (bytes >= limits.bytes)
    faults.push(
      fault(
        'file-unreachable',
        `the files of the arguments ${names} may have ${bytesText(bytes)} bytes together by 'max_size', but a body may have ${bytesText(limits.bytes)}. Declare a 'body_limit' for them and the rest of their form.`,
      ),
    )
  if (count > limits.files)
    faults.push(
      fault(
        'file-unreachable',
        `the arguments ${names} take ${count} files together, but a body may have ${limits.files} files. Declare 'max_files'.`,
      ),
    )
  return faults
}

const bytesText = (bytes: number): string => bytes.toLocaleString('en')
