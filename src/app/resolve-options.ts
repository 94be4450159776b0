import { defaultDatabase } from './database-addresses.js'
import { fault, type Fault } from '../base/fault.js'
import { suggestion } from '../base/nearest.js'
import type { FoundConfiguration } from './configuration.js'
import type { Diagnostic } from './startup-error.js'
import { optionLocation } from './option-location.js'
import { isMap } from '../php/array-shape.js'
import { environmentVariable } from './environment-variable.js'
import { optionShapes } from './option-shapes.js'
import { faultsInside, pathOf, type FaultyValue } from './option-values.js'
import { faultyValues, valueFaults } from './option-value-faults.js'
import type { BootOptions, ResolvedOptions } from './options.js'
import { siteOfWordPress } from './wordpress-site.js'

/** Options of `listen`, which `boot` does not have. */
const listenOptions = new Set(['port', 'host'])

/** The environment variables of options. They win over the configuration. */
const variables = {
  database: 'DATABASE_URL',
  service_database: 'SERVICE_DATABASE_URL',
  http: 'AS_REST_ROUTE_HTTP',
  redis_url: 'REDIS_URL',
  smtp_url: 'SMTP_URL',
  mail_from: 'MAIL_FROM',
} as const satisfies Partial<Record<keyof BootOptions, string>>

/**
 * The environment variable that sets an option; null when none does.
 * @param directOptions options of code or of the command line, which win over the environment; null without any.
 */
export function variableOf(option: keyof BootOptions, directOptions: BootOptions | null): string | null {
  const name = option in variables ? variables[option as keyof typeof variables] : null
  return name !== null && directOptions?.[option] === undefined && environmentVariable(name) !== undefined ? name : null
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
  const direct = checkedOptions(options, null)
  const environment = environmentOptions(direct.options)
  const data = dataOf([configured.options, environment.options, direct.options])
  const {
    public: publicFolder,
    uploads,
    ...others
  } = {
    ...configured.options,
    ...environment.options,
    ...direct.options,
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
      ...direct.faults,
      ...data.faults,
    ],
  }
}

/** Whether a configuration only passes on the variable of its option, whose fault is reported: `smtp_url: process.env.SMTP_URL`. */
function isFromEnvironment(
  { code, subject }: Diagnostic,
  configuration: BootOptions,
  environmentFaults: readonly Diagnostic[],
): boolean {
  const option = Object.keys(variables).find((name) => subject === `option ${name}`) as
    | keyof typeof variables
    | undefined
  if (option === undefined || configuration[option] !== environmentVariable(variables[option])) return false
  return environmentFaults.some((each) => each.code === code && each.subject === `environment ${variables[option]}`)
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

/** Options from the environment. @param directOptions options of code or of the command line, which win over the environment. */
function environmentOptions(directOptions: BootOptions): CheckedOptions {
  const faults: Diagnostic[] = []
  const read = (option: keyof typeof variables) => {
    const name = variableOf(option, directOptions)
    const value = name === null ? undefined : environmentVariable(name)
    const fault = value === undefined ? null : (valueFaults[option] as (value: string) => Fault | null)(value)
    if (fault) faults.push({ ...fault, location: null, subject: `environment ${name}` })
    return value === undefined || fault ? {} : { [option]: value }
  }
  const config = directOptions.wordpress === undefined ? environmentVariable('WORDPRESS_CONFIG') : undefined
  const options: BootOptions = {
    ...(config !== undefined && { wordpress: { config } }),
    ...read('database'),
    ...read('service_database'),
    ...read('http'),
    ...read('redis_url'),
    ...read('smtp_url'),
    ...read('mail_from'),
  }
  return { options, faults }
}

/** The options that are valid, and the faults that can be found before a database is opened. */
function checkedOptions(options: BootOptions, file: string | null): CheckedOptions {
  const locationOf = (option: string) => (file === null ? null : optionLocation(file, option))
  if (typeof options !== 'object' || options === null) {
    const message = `its options must be a map, such as { rest_prefix: 'api' }, not ${describe(options)}.`
    return { options: {}, faults: [{ code: 'options-invalid', location: null, subject: 'boot', message }] }
  }
  const typeFaults = faultyTypes(options)
  const readable = without(options, typeFaults)
  const faulty = [...faultyValues(readable), ...faultsInside(readable)]
  return {
    options: without(
      readable,
      faulty.filter(([name]) => !keptOptions.includes(optionOf(name))),
    ),
    faults: [...typeFaults, ...faulty].map(([name, code, message]) => {
      return { code, location: locationOf(optionOf(name)), subject: `option ${name}`, message }
    }),
  }
}

/**
 * Options that are kept although a part of them is faulty: without them, every declaration that refers to them would be
 * reported too.
 */
const keptOptions: readonly string[] = [
  'provide',
  'record_types',
  'user_meta',
  'term_meta',
  'site_options',
  'sanitizers',
]

/** Faults of these options name the wrong data. A command that went on would read another database. */
const dataSubjects = new Set(['option database', 'option table_prefix', 'option wordpress', 'environment DATABASE_URL'])

export function isAboutData({ subject }: Diagnostic): boolean {
  return dataSubjects.has(subject)
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
  if (listenOptions.has(name))
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
