import type { BindFunction } from '../base/bind-function.js'
import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import { RestError } from '../http/rest-error.js'
import type { Validation } from '../http/http-request.js'
import type { RestRequest } from '../http/rest-request.js'
import { parameterMap, noParameters, type ParameterMap } from '../http/variables.js'
import { isMap } from '../php/array-shape.js'
import {
  compileArguments,
  isOfService,
  PendingValidation,
  type CompiledArguments,
  type RequestParameters,
} from './compile.js'
import { argumentRulesOf } from './described-rules.js'
import { ArgumentRefusal, invalidParameters, missingParameters } from './refusal.js'
import type { ArgumentRules, ArgumentSchema } from './rules.js'
import { pathOf, type StandardIssue, type StandardResult, type StandardSchema } from './standard-schema.js'
import { standardValidator } from './standard-validator.js'
import type { LimitedWork } from './work-limit.js'

type LimitedRequest = RestRequest & LimitedWork

/**
 * Compiles a schema of a library for all arguments of an endpoint. It gets every parameter, those of the path included, and
 * the handler reads its output. Other parameters are removed, except captures of the path.
 */
export function compileStandardArguments(schema: StandardSchema, bind: BindFunction): CompiledArguments {
  const rules = argumentRulesOf(schema)
  const validate = bind(standardValidator(schema))
  // The schema gets a parameter that the service reads itself, such as `_fields`, only when it declares that name.
  const isForSchema = (name: string): boolean => !isOfService(name) || Object.hasOwn(rules, name)
  const accepted: Validation = { args: rules, refused: new Set(), hasLibrarySchema: true }
  return {
    hasLibrarySchema: true,
    defaults: noParameters,
    check(request) {
      const parameters = parametersForSchema(request, isForSchema)
      return mapMaybePromise(validate(parameters), (result) => {
        if (result.issues) return problemOf(result.issues, parameters, rules)
        write(request, outputOf(result.value), isForSchema)
        request.validation = accepted
        return null
      })
    },
    reader(request) {
      let result: StandardResult<unknown> | PendingValidation | null = null
      return (name, value) => {
        if (!isForSchema(name)) return value
        result ??= pendingOr(validate(parametersForSchema(request, isForSchema)), (settled) => (result = settled))
        return result instanceof PendingValidation
          ? result
          : readFrom(result, { name, value, type: rules[name]?.type, request })
      }
    },
  }
}

/** A result, or a {@link PendingValidation} for a promise of it. @param settle gets the result of the promise. */
function pendingOr<Result>(
  result: MaybePromise<Result>,
  settle: (settled: Result) => void,
): Result | PendingValidation {
  return result instanceof Promise ? new PendingValidation(result.then(settle)) : result
}

/** An argument of a request that was validated as a whole, perhaps with issues. */
function readFrom(
  result: StandardResult<unknown>,
  {
    name,
    value,
    type,
    request,
  }: {
    readonly name: string
    readonly value: unknown
    readonly type: ArgumentRules['type']
    readonly request: LimitedRequest
  },
): unknown {
  if (result.issues === undefined) return outputOf(result.value)[name] ?? null
  if (result.issues.some((issue) => pathOf(issue)[0] === name)) return new ArgumentRefusal(null)
  // The schema refuses the request because of other parameters, so it returns no value. This one is converted by its described type.
  return type === undefined ? new ArgumentRefusal(null) : converted({ type }, value, request)
}

function parametersForSchema(
  request: Pick<RestRequest, 'get_params'>,
  isForSchema: (name: string) => boolean,
): ParameterMap {
  const parameters: Readonly<ParameterMap> = request.get_params()
  const schemaParameters = parameterMap()
  for (const name in parameters) if (isForSchema(name)) schemaParameters[name] = parameters[name]
  return schemaParameters
}

function outputOf(value: unknown): Readonly<ParameterMap> {
  if (isMap(value)) return parameterMap(value)
  throw new TypeError(
    `The schema in 'args' returned no object. Use a schema whose output is an object, such as z.object({ … }).`,
  )
}

/** Replaces the values in every source by the validated ones, so that none has a value that was not validated. */
function write(
  request: RequestParameters,
  output: Readonly<ParameterMap>,
  isForSchema: (name: string) => boolean,
): void {
  const sources = request.parameters.sources()
  const captures = request.get_url_params()
  const defaults = sources.at(-1)
  const absent = new Set(Object.keys(output))
  for (const source of [...sources, captures]) {
    for (const name of Object.keys(source)) {
      if (!isForSchema(name)) continue
      if (output[name] !== undefined) source[name] = output[name]
      else if (source !== captures) delete source[name]
      absent.delete(name)
    }
  }
  if (defaults) for (const name of absent) if (output[name] !== undefined) defaults[name] = output[name]
}

function problemOf(
  issues: readonly StandardIssue[],
  parameters: Readonly<ParameterMap>,
  rules: ArgumentSchema,
): RestError {
  const messages = new Map<string, string[]>()
  const messagesOfWhole: string[] = []
  for (const issue of issues) {
    const [name, ...innerPath] = pathOf(issue)
    if (name === undefined) messagesOfWhole.push(issue.message)
    else {
      const prefix = innerPath.length === 0 ? '' : `${name}${innerPath.map((segment) => `[${segment}]`).join('')}: `
      messages.set(name, [...(messages.get(name) ?? []), prefix + issue.message])
    }
  }
  const names = [...messages.keys()]
  const missing = names.filter((name) => !(name in parameters) && rules[name]?.required === true)
  if (missing.length > 0) return missingParameters(missing)
  const refusals = new Map(
    [...messages].map(([name, messagesOfName]) => [
      name,
      new ArgumentRefusal({ code: 'rest_invalid_param', message: messagesOfName.join(' '), data: { param: name } }),
    ]),
  )
  const refusal = invalidParameters(refusals)
  if (messagesOfWhole.length === 0) return refusal
  // PHP encodes an empty map as `[]`.
  if (names.length === 0)
    return new RestError(refusal.code, messagesOfWhole.join(' '), { status: 400, params: [], details: [] })
  return new RestError(refusal.code, `${refusal.message}. ${messagesOfWhole.join(' ')}`, { ...refusal.data })
}

/** Converts a value by its described type alone. */
function converted(rules: ArgumentRules, value: unknown, request: LimitedRequest): unknown {
  return compileArguments({ value: rules }, new Map()).reader(request)('value', value)
}
