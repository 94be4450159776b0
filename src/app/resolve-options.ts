import { defaultDatabase } from './database-addresses.js'
import { databaseFault } from './stores.js'
import { fault, type Fault } from '../base/fault.js'
import { suggestion } from '../base/nearest.js'
import type { FoundConfiguration } from './configuration.js'
import type { Diagnostic } from './startup-error.js'
import { optionLocation } from './option-location.js'
import { isMap } from '../php/array-shape.js'
import { environmentVariable } from './environment-variable.js'
import { optionShapes } from './option-shapes.js'
import { faultsInside, pathOf, type FaultyValue } from './option-values.js'
import type { BootOptions, ResolvedOptions } from './options.js'
import { siteOfWordPress } from './wordpress-site.js'

const environments = ['production', 'staging', 'development', 'local']

/** Options of `listen`, which `boot` does not have. */
const ofListening = new Set(['port', 'host'])

/** The environment variables of options. They win over the configuration. */
const variables = {
  database: 'DATABASE_URL',
  service_database: 'SERVICE_DATABASE_URL',
  http: 'AS_REST_ROUTE_HTTP',
  redis_url: 'REDIS_URL',
  smtp_url: 'SMTP_URL',
  mail_from: 'MAIL_FROM',
} as const satisfies Partial<Record<keyof BootOptions, string>>

/** The environment variable that names an option, unless code or the command line names it; null without one. */
export function variableOf(option: keyof BootOptions, own: BootOptions | null): string | null {
  const name = option in variables ? variables[option as keyof typeof variables] : null
  return name !== null && own?.[option] === undefined && environmentVariable(name) !== undefined ? name : null
}

/** The valid options, and the faults of the others. */
interface CheckedOptions<Options = BootOptions> {
  readonly options: Options
  readonly faults: readonly Diagnostic[]
}

/**
 * The options of an application. Code and the command line win over the environment, and the environment over the
 * configuration. A faulty option counts as absent, so that the other checks go on.
 */
export function resolveOptions(
  options: BootOptions,
  configuration: FoundConfiguration,
): CheckedOptions<ResolvedOptions> {
  const { handlers: _handlers, ...inFile } = configuration.options
  const configured = checkedOptions(inFile, configuration.file)
  const own = checkedOptions(options, null)
  const environment = environmentOptions(own.options)
  const data = dataOf([configured.options, environment.options, own.options])
  const {
    public: publicFolder,
    uploads,
    ...others
  } = {
    ...configured.options,
    ...environment.options,
    ...own.options,
  }
  return {
    options: {
      rest_prefix: 'wp-json',
      rest_default_capability: 'edit_posts',
      database: defaultDatabase,
      table_prefix: 'wp_',
      cors: 'any',
      trusted_proxies: [],
      environment: 'production',
      http: 'fast',
      body_limit: 1_048_576,
      request_timeout: 30,
      stream_timeout: 60,
      cache_bytes: 67_108_864,
      clock: Date.now,
      request_log: false,
      unhandled_rejections: 'log',
      ...others,
      ...(publicFolder !== undefined && { public: pathOf(publicFolder) }),
      ...(uploads !== undefined && { uploads: { ...uploads, folder: pathOf(uploads.folder) } }),
      wordpressConfig: null,
      companion: null,
      ...data.options,
    },
    faults: [
      ...configured.faults.filter((each) => !isFromEnvironment(each, inFile, environment.faults)),
      ...environment.faults,
      ...own.faults,
      ...data.faults,
    ],
  }
}

/** Whether a configuration only passes on the variable of its option, whose fault is reported: `smtp_url: process.env.SMTP_URL`. */
function isFromEnvironment(
  { code, subject }: Diagnostic,
  configuration: BootOptions,
  ofEnvironment: readonly Diagnostic[],
): boolean {
  const option = Object.keys(variables).find((name) => subject === `option ${name}`) as
    | keyof typeof variables
    | undefined
  if (option === undefined || configuration[option] !== environmentVariable(variables[option])) return false
  return ofEnvironment.some((each) => each.code === code && each.subject === `environment ${variables[option]}`)
}

/**
 * Where the data are: the last one of the levels that names a database or a WordPress site decides.
 * @param levels the configuration, the environment, and what code or the command line says.
 */
function dataOf(levels: readonly BootOptions[]): {
  readonly options: Partial<ResolvedOptions>
  readonly faults: readonly Diagnostic[]
} {
  const level = levels.findLast(({ database, wordpress }) => database !== undefined || wordpress !== undefined)
  const site = level?.wordpress
  if (level === undefined || site === undefined) return { options: {}, faults: [] }
  const faultOf = (each: Fault): Diagnostic => ({ ...each, location: null, subject: 'option wordpress' })
  if (level.database !== undefined)
    return {
      options: {},
      faults: [
        faultOf(fault('wordpress-conflict', "a database is named beside it. Remove 'database', or 'wordpress'.")),
      ],
    }
  const siteOptions = siteOfWordPress(site, Object.assign({}, ...levels) as BootOptions, process.env)
  if (!('options' in siteOptions)) return { options: {}, faults: siteOptions.map(faultOf) }
  return { options: siteOptions.options, faults: siteOptions.faults.map(faultOf) }
}

/** Options from the environment. @param own options of code or a command line, which win. */
function environmentOptions(own: BootOptions): CheckedOptions {
  const faults: Diagnostic[] = []
  const read = (option: keyof typeof variables, faultOf: (value: string) => Fault | null) => {
    const name = variableOf(option, own)
    const value = name === null ? undefined : environmentVariable(name)
    const fault = value === undefined ? null : faultOf(value)
    if (fault) faults.push({ ...fault, location: null, subject: `environment ${name}` })
    return value === undefined || fault ? {} : { [option]: value }
  }
  const config = own.wordpress === undefined ? environmentVariable('WORDPRESS_CONFIG') : undefined
  const options: BootOptions = {
    ...(config !== undefined && { wordpress: { config } }),
    ...read('database', databaseFault),
    ...read('service_database', databaseFault),
    ...read('http', httpFault),
    ...read('redis_url', redisFault),
    ...read('smtp_url', smtpFault),
    ...read('mail_from', senderFault),
  }
  return { options, faults }
}

function httpFault(http: string): Fault | null {
  return http === 'fast' || http === 'node' ? null : fault('http-unknown', `'${http}' is neither fast nor node.`)
}

/** The message does not contain the URL, because it may contain a password. */
function smtpFault(url: string): Fault | null {
  const isValid = URL.canParse(url) && /^smtps?:$/.test(new URL(url).protocol) && new URL(url).hostname !== ''
  return isValid
    ? null
    : fault('smtp-url-invalid', `it must be the URL of a server, such as 'smtps://user:password@mail.example'.`)
}

/** The message does not contain the URL, because it may contain a password. */
function redisFault(url: string): Fault | null {
  const isValid = URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol) && new URL(url).hostname !== ''
  return isValid
    ? null
    : fault('redis-url-invalid', `it must be the URL of a server, such as 'redis://localhost:6379'.`)
}

function senderFault(sender: string): Fault | null {
  const address = /<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender
  // eslint-disable-next-line no-control-regex -- a line break would begin another header
  return /^[^\s@<>]+@[^\s@<>]+$/.test(address) && !/[\x00-\x1f]/.test(sender)
    ? null
    : fault('mail-from-invalid', `'${sender}' is not an address such as 'Shop <shop@example.com>'.`)
}

/** The valid ones of these options, and the faults that can be found before a database is opened. */
function checkedOptions(options: BootOptions, file: string | null): CheckedOptions {
  const locationOf = (option: string) => (file === null ? null : optionLocation(file, option))
  if (typeof options !== 'object' || options === null) {
    const message = `its options must be a map, such as { rest_prefix: 'api' }, not ${describe(options)}.`
    return { options: {}, faults: [{ code: 'options-invalid', location: null, subject: 'boot', message }] }
  }
  const ofType = faultyTypes(options)
  const readable = without(options, ofType)
  const faulty = [...faultyValues(readable), ...faultsInside(readable)]
  return {
    options: without(
      readable,
      faulty.filter(([name]) => !staying.includes(optionOf(name))),
    ),
    faults: [...ofType, ...faulty].map(([name, code, message]) => {
      return { code, location: locationOf(optionOf(name)), subject: `option ${name}`, message }
    }),
  }
}

/** Faulty options that stay, because declarations refer to their entries and would be refused as well. */
const staying: readonly string[] = ['provide', 'record_types', 'user_meta', 'term_meta', 'site_options', 'sanitizers']

/** Faults of these options name the wrong data. A command that went on would read another database. */
const ofData = new Set(['option database', 'option table_prefix', 'option wordpress', 'environment DATABASE_URL'])

export function isAboutData({ subject }: Diagnostic): boolean {
  return ofData.has(subject)
}

function without(options: BootOptions, faulty: readonly FaultyValue[]): BootOptions {
  const dropped = faulty.map(([name]) => optionOf(name))
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => value !== undefined && !dropped.includes(name)),
  )
}

/** `site` of `site.timezone`. */
function optionOf(name: string): string {
  return name.replace(/[.[].*$/s, '')
}

function faultyTypes(options: BootOptions): FaultyValue[] {
  return Object.entries(options).flatMap(([name, value]): FaultyValue[] => {
    if (!Object.hasOwn(optionShapes, name)) return [unknownOption(name)]
    const { fits, expected } = optionShapes[name as keyof BootOptions]
    if (value === undefined || fits(value)) return []
    return [[name, 'option-type-invalid', `it must be ${expected}, not ${describe(value)}.`]]
  })
}

function unknownOption(name: string): FaultyValue {
  if (ofListening.has(name))
    return [
      name,
      'option-misplaced',
      `it is not a boot option. Give it to service.listen({ ${name} }), or to the command line: --${name}, or ${name.toUpperCase()} in the environment.`,
    ]
  if (name === 'handlers')
    return [
      name,
      'option-misplaced',
      'it belongs into the configuration file only. Give boot the folder, or the classes, in front of its options.',
    ]
  return [name, 'option-unknown', `it is not a boot option.${suggestion(name, Object.keys(optionShapes))}`]
}

/** Values of the right type that are invalid. Those of `trusted_proxies` are checked where addresses are parsed. */
function faultyValues({
  rest_prefix,
  base_url,
  environment,
  database,
  cors,
  synchronous,
  table_prefix,
  rest_default_capability,
  http,
  unhandled_rejections,
  redis_url,
  service_database,
  smtp_url,
  mail_from,
}: BootOptions): FaultyValue[] {
  const faults: FaultyValue[] = []
  const check = (option: string, value: string | undefined, faultOf: (value: string) => Fault | null): void => {
    const valueFault = value === undefined ? null : faultOf(value)
    if (valueFault !== null) faults.push([option, valueFault.code, valueFault.message])
  }
  check('redis_url', redis_url, redisFault)
  check('smtp_url', smtp_url, smtpFault)
  check('mail_from', mail_from, senderFault)
  if (rest_prefix !== undefined && !/^[\w-]+(?:\/[\w-]+)*$/.test(rest_prefix))
    faults.push([
      'rest_prefix',
      'rest-prefix-invalid',
      `'${rest_prefix}' must be path segments such as 'wp-json', without slashes around them.`,
    ])
  if (base_url !== undefined && !isSiteUrl(base_url))
    faults.push([
      'base_url',
      'base-url-invalid',
      `'${base_url}' must be an absolute http or https address without query, such as 'https://shop.example'.`,
    ])
  check('http', http, httpFault)
  if (environment !== undefined && !environments.includes(environment))
    faults.push(['environment', 'environment-unknown', `'${environment}' is not one of ${environments.join(', ')}.`])
  check('database', database, databaseFault)
  check('service_database', service_database, databaseFault)
  if (typeof cors === 'string' && cors !== 'any')
    faults.push([
      'cors',
      'cors-invalid',
      `'${String(cors)}' must be 'any', or a list of origins such as ['https://shop.example'].`,
    ])
  for (const origin of Array.isArray(cors) ? (cors as readonly unknown[]) : [])
    if (!isOrigin(origin))
      faults.push([
        'cors',
        'cors-invalid',
        origin === '*'
          ? `'*' is not an origin. For every origin, set cors: 'any'.`
          : `'${String(origin)}' is not an origin: a scheme and a host, such as 'https://shop.example'.`,
      ])
  if (synchronous !== undefined && synchronous !== 'FULL' && synchronous !== 'NORMAL')
    faults.push(['synchronous', 'synchronous-invalid', `'${String(synchronous)}' is neither FULL nor NORMAL.`])
  if (table_prefix !== undefined && !/^\w{0,40}$/.test(table_prefix))
    faults.push([
      'table_prefix',
      'table-prefix-invalid',
      `'${table_prefix}' must be letters, digits and underscores, such as 'wp_'.`,
    ])
  if (rest_default_capability === '')
    faults.push([
      'rest_default_capability',
      'default-capability-empty',
      `it is empty. Name a capability, or give null for any logged-in user.`,
    ])
  if (unhandled_rejections !== undefined && unhandled_rejections !== 'log' && unhandled_rejections !== 'exit')
    faults.push([
      'unhandled_rejections',
      'unhandled-rejections-invalid',
      `'${String(unhandled_rejections)}' is neither log nor exit.`,
    ])
  return faults
}

/** Whether a value has the form in which browsers send an origin: no path, no trailing slash, no default port. */
function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(origin)) return origin === 'null'
  return !/^https?:/.test(origin) || (URL.canParse(origin) && new URL(origin).origin === origin)
}

function describe(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value)
  if (isMap(value)) return describeMap(value)
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a value of type ${typeof value}`
}

/** The keys and the types of the values, which may be secret themselves. */
function describeMap(map: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(map).map(([key, value]) => `${key} (${value === null ? 'null' : typeof value})`)
  if (entries.length === 0) return 'an empty object'
  return `an object with ${entries.slice(0, 5).join(', ')}${entries.length > 5 ? ', …' : ''}`
}

function isSiteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === ''
}
