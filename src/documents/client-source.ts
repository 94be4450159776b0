import type { ArgumentSchema } from '../validation/rules.js'
import type { RouteSummary } from '../routing/route-summary.js'
import { operationNames } from './operation-names.js'
import { parametersOf, pathTemplates, type PathParameter, type PathTemplate } from './path-templates.js'
import { clientRuntime } from './client-runtime.js'
import { inComment, memberTypes, propertyName } from './value-types.js'

/**
 * A module of TypeScript that calls these routes: one function each, its argument typed by the declaration. It needs no
 * package, only `fetch`. What a route answers is not declared, so it is `unknown` unless the caller says what it is.
 * @param fallbackRoot where the service is, unless the client is told: `http://localhost:8080/wp-json`.
 */
export function clientSource(routes: readonly RouteSummary[], fallbackRoot: string): string {
  const described = routes.flatMap((route) => {
    const templates = pathTemplates(`/${route.namespace}${route.route}`)
    return templates === null || templates.length === 0 ? [] : [{ route, templates }]
  })
  const names = operationNames(
    described.map(({ route }) => route),
    functionName,
    (name, words) => name + words.map(capitalized).join(''),
  )
  const operations = described.map((one, index) => ({ ...one, name: names[index] ?? '' }))
  const leftOut = routes.filter((route) => !described.some((one) => one.route === route))
  return [
    '// Written by `as-rest-route client`: write it anew when the routes change, do not edit it.\n',
    ...leftOut.map((route) => `// Left out, because its pattern is no path: ${subject(route)}\n`),
    ...operations.map(argumentsInterface),
    clientRuntime(JSON.stringify(fallbackRoot)),
    clientFactory(operations),
  ].join('\n')
}

interface Operation {
  readonly name: string
  readonly route: RouteSummary
  /** The shortest first. */
  readonly templates: readonly PathTemplate[]
}

function argumentsInterface({ name, route, templates }: Operation): string {
  const always = parameterNames(templates[0])
  const path: ArgumentSchema = Object.fromEntries(
    parameterNames(templates.at(-1)).map((parameter) => [
      parameter,
      Object.hasOwn(route.args, parameter) ? { ...route.args[parameter] } : { type: ['string', 'number'] as const },
    ]),
  )
  const required = (argument: string) =>
    always.includes(argument) || (!Object.hasOwn(path, argument) && route.args[argument]?.required === true)
  const members = memberTypes({ ...path, ...route.args }, required, null)
  const type = members.length === 0 ? '{}' : `{\n${members.map((member) => `  ${member}\n`).join('')}}`
  return `/** What {@link createClient}'s \`${name}\` takes. */\nexport interface ${capitalized(name)}Arguments ${type}\n`
}

function clientFactory(operations: readonly Operation[]): string {
  return `/** One function for each route. They reject with a {@link RestFault} when the service refuses. */
export function createClient(options: ClientOptions = {}) {
  return {
${operations.map(clientFunction).join('')}  }
}

export type Client = ReturnType<typeof createClient>
`
}

function clientFunction({ name, route, templates }: Operation): string {
  const mustGive =
    parameterNames(templates[0]).length > 0 || Object.values(route.args).some((rules) => rules.required === true)
  const paths = templates.map(({ pieces }) => `[${pieces.map(pieceText).join(', ')}]`).join(', ')
  return `    /** \`${subject(route)}\` */
    ${name}: <Result = unknown>(given: ${capitalized(name)}Arguments${mustGive ? '' : ' = {}'}, init?: CallOptions): Promise<Result> =>
      call<Result>(options, '${route.method}', [${paths}], given, init),
`
}

const pieceText = (piece: string | PathParameter): string =>
  typeof piece === 'string' ? JSON.stringify(piece) : `{ ${propertyName('name')}: ${JSON.stringify(piece.name)} }`

function parameterNames(template: PathTemplate | undefined): string[] {
  return template === undefined ? [] : parametersOf(template).map(({ name }) => name)
}

/** `ProductsApi.show` → `productsShow`; always an identifier whose first letter is small. */
function functionName(handler: string): string {
  const [type = '', method = ''] = handler.split('.')
  const subjectName = identifierPart(type.replace(/(?<=.)(?:Api|Controller|Handlers?|Routes)$/, ''))
  const name = `${subjectName}${capitalized(identifierPart(method))}` || 'call'
  return (/^[\p{ID_Start}$_]/u.test(name) ? '' : '_') + name.charAt(0).toLowerCase() + name.slice(1)
}

/** Of a name what an identifier may hold: methods may be called anything at all. */
function identifierPart(name: string): string {
  return name.replaceAll(/[^\p{ID_Continue}$]/gu, '')
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** In a comment and a template text of the client. */
function subject({ method, namespace, route }: RouteSummary): string {
  return inComment(`${method} /${namespace}${route}`).replaceAll(/[\r\n\u2028\u2029]/g, ' ')
}
