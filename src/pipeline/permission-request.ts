import { isDeepStrictEqual } from 'node:util'
import { ignoreRejection } from '../base/thenable.js'
import { type ArgumentReader, PendingValidation } from '../validation/compile.js'
import { fileArgumentValue, isFileArgument } from '../validation/file-arguments.js'
import { ArgumentRefusal } from '../validation/refusal.js'
import type { ArgumentRules } from '../validation/rules.js'
import { HttpRequest } from '../http/http-request.js'
import type { RecordOrId } from '../http/record-password-checks.js'
import type { DeferredWork } from '../http/request-context.js'
import { type AnyParameters, type PresentParameters } from '../http/rest-request.js'
import type { UploadedFile } from '../http/uploaded-file.js'
import { parameterMap, type ParameterMap } from '../http/variables.js'
import type { Endpoint } from '../routing/endpoint.js'

/** Ends a permission callback at its first read of a value that its declaration excludes. */
class ExcludedValueError extends Error {
  override readonly name = 'ExcludedValueError'
}

/** Ends a permission callback at its first read of arguments that an asynchronous schema has not validated yet. */
class PendingValueError extends Error {
  override readonly name = 'PendingValueError'
}

/**
 * A request as the permission callback of an endpoint sees it when the endpoint's own arguments were not validated: while
 * `Allow` is computed for the other methods of a route, for OPTIONS, and for a request that was refused. A declared argument is
 * validated and sanitised when it is read. A read of a value that the declaration excludes throws, and sets `hasExcluded`,
 * since the callback may catch the error. A read also throws where an asynchronous schema begins to validate the
 * arguments; the callback runs again when that has ended. Undeclared parameters are returned as they were sent.
 */
export class PermissionRequest extends HttpRequest {
  readonly #request: HttpRequest
  readonly #endpoint: Endpoint
  readonly #reader: ArgumentReader
  #hasExcluded = false
  #pending: PendingValidation | null = null

  private constructor(request: HttpRequest, endpoint: Endpoint) {
    super(request)
    this.#request = request
    this.#endpoint = endpoint
    this.#reader = endpoint.arguments.reader(request)
  }

  /** The request itself when everything that the callback can read of it fits the endpoint's declaration. */
  static of(request: HttpRequest, endpoint: Endpoint): HttpRequest {
    return isValidatedFor(request, endpoint) ? request : new PermissionRequest(request, endpoint)
  }

  /** Whether the callback has read a value that its declaration excludes; its verdict is then false. */
  get hasExcluded(): boolean {
    return this.#hasExcluded
  }

  /**
   * The promise for the end of the validation whose arguments the callback has read; null when it has read none. It is returned
   * once. From its fulfilment on, reads have their values, so that the callback can run again.
   */
  takeValidation(): Promise<void> | null {
    const pending = this.#pending
    this.#pending = null
    return pending && pending.ended
  }

  override get_param<N extends string>(name: N): unknown {
    return this.#parameter(name, this.#request.get_param(name))
  }

  override pathId(name: string): number {
    return this.#request.pathId(name)
  }

  override has_param(name: string): boolean {
    return this.#request.has_param(name)
  }

  override get_params(): PresentParameters<AnyParameters> {
    const parameters = this.#request.get_params()
    for (const name in parameters) parameters[name] = this.#parameter(name, parameters[name])
    return parameters
  }

  override get_url_params(): AnyParameters {
    return this.#validatedSource(this.#request.get_url_params())
  }

  override get_query_params(): AnyParameters {
    return this.#validatedSource(this.#request.get_query_params())
  }

  override get_body_params(): AnyParameters {
    return this.#validatedSource(this.#request.get_body_params())
  }

  override get_json_params(): unknown {
    const { json } = this.#request.parsed
    const validated = json && this.#validatedSource(json)
    const value = this.#request.get_json_params()
    // Lists and scalars are parameters by index; the body itself is shown in its own shape.
    return validated !== null && value === json ? validated : value
  }

  override get_default_params(): AnyParameters {
    return this.#validatedSource(this.#request.get_default_params())
  }

  override files(field: string): readonly UploadedFile[] {
    const files = this.#request.files(field)
    const rules = files.length > 0 ? this.#fileRulesOf(field) : null
    if (rules !== null) this.#declared(field, fileArgumentValue(rules, files))
    return files
  }

  /** Files are no parameters, so that only those of declared files are validated. */
  override get_file_params(): AnyParameters {
    const entries = this.#request.get_file_params()
    for (const name in entries) if (this.#fileRulesOf(name) !== null) this.files(name)
    return entries
  }

  /** Null for a name that is no file argument. */
  #fileRulesOf(name: string): ArgumentRules | null {
    const { args, arguments: compiled } = this.#endpoint
    const rules = !compiled.hasLibrarySchema && Object.hasOwn(args, name) ? args[name] : undefined
    return rules !== undefined && isFileArgument(rules) ? rules : null
  }

  // The signal, deferred work and record passwords are those of the request, whose response depends on them as well.
  override get signal(): AbortSignal {
    return this.#request.signal
  }

  override defer(work: DeferredWork): void {
    this.#request.defer(work)
  }

  override requiresPassword(record: RecordOrId): Promise<boolean> {
    return this.#request.requiresPassword(record)
  }

  #validatedSource(source: Readonly<ParameterMap>): ParameterMap {
    const validated = parameterMap(source)
    for (const name in validated) validated[name] = this.#declared(name, validated[name])
    return validated
  }

  /** The value of a parameter. A name of the path has text: a value of another type from another source is excluded. @throws ExcludedValueError */
  #parameter(name: string, value: unknown): unknown {
    const { args, route, arguments: compiled } = this.#endpoint
    if (compiled.hasLibrarySchema || Object.hasOwn(args, name)) return this.#declared(name, value)
    if ((value ?? null) !== null && typeof value !== 'string' && pathNamesOf(route).has(name)) this.#exclude(name)
    return value
  }

  /** The value of one source, as the handler would read it when its argument is declared. @throws ExcludedValueError */
  #declared(name: string, value: unknown): unknown {
    const { args, arguments: compiled } = this.#endpoint
    if (value === null || value === undefined || !(compiled.hasLibrarySchema || Object.hasOwn(args, name))) return value
    const { validation } = this.#request
    if (
      !compiled.hasLibrarySchema &&
      validation?.hasLibrarySchema !== true &&
      validation &&
      hasSameRules(validation.args, args, name)
    ) {
      if (validation.refused.has(name)) this.#exclude(name)
      return value
    }
    const argument = this.#reader(name, value)
    if (argument instanceof ArgumentRefusal) this.#exclude(name)
    if (argument instanceof PendingValidation) this.#throwPending(name, argument)
    return argument
  }

  #throwPending(name: string, validation: PendingValidation): never {
    this.#pending = validation
    // The callback may go on, so that the validation can fail before it is awaited.
    ignoreRejection(validation.ended)
    throw new PendingValueError(`The schema of ${this.#endpoint.name} is still validating the value of '${name}'.`)
  }

  #exclude(name: string): never {
    this.#hasExcluded = true
    throw new ExcludedValueError(`The declaration of ${this.#endpoint.name} excludes this value of '${name}'.`)
  }
}

function isValidatedFor(request: HttpRequest, { args, route, arguments: compiled }: Endpoint): boolean {
  const { validation } = request
  const isValidated =
    validation?.args === args
      ? validation.refused.size === 0
      : !compiled.hasLibrarySchema && Object.keys(args).length === 0
  if (!isValidated) return false
  const captured = request.get_url_params()
  // An optional group that took no part leaves its name to the other sources, which carry values of any type.
  for (const name of pathNamesOf(route)) if (!(name in captured) && !Object.hasOwn(args, name)) return false
  return true
}

function hasSameRules(
  validated: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
  name: string,
): boolean {
  return Object.hasOwn(validated, name) && isDeepStrictEqual(validated[name], args[name])
}

const pathNames = new Map<string, ReadonlySet<string>>()

/** The names of a pattern's groups, whose values are text. */
function pathNamesOf(route: string): ReadonlySet<string> {
  let names = pathNames.get(route)
  if (!names) {
    names = new Set(
      Array.from(route.matchAll(/\(\?P?(?:<(\w+)>|'(\w+)')/g), ([, name, quoted]) => name ?? quoted ?? ''),
    )
    pathNames.set(route, names)
  }
  return names
}
