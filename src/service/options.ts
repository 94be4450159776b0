import { nearest } from '../errors/nearest.js'
import type { StartFault } from '../discovery/fault.js'
import type { Log } from './log.js'
import type { BootOptions } from './settings.js'

/** Every option `boot` takes. Written as a record, so that the compiler keeps it complete. */
const known: Readonly<Record<keyof BootOptions, string>> = {
  rest_prefix: 'text',
  rest_default_capability: 'text or null',
  base_url: 'text',
  database: 'text',
  synchronous: 'text',
  table_prefix: 'text',
  provide: 'list',
  sanitizers: 'map',
  record_types: 'map',
  roles: 'map',
  cors: 'text or list',
  trusted_proxies: 'list',
  environment: 'text',
  views: 'path',
  public: 'path',
  body_limit: 'number',
  cache_bytes: 'number',
  site: 'map',
  secrets: 'map',
  seed: 'function',
  clock: 'function',
  log: 'map',
}

const environments = ['production', 'staging', 'development', 'local']

/** What is wrong with the options, as far as it shows before anything is opened. */
export function faultsOfOptions(options: BootOptions, file: string | null): readonly StartFault[] {
  const fault = (subject: string, sentence: string): StartFault => ({
    place: file ? { file, line: 1 } : null,
    subject,
    sentence,
  })
  const faults = Object.entries(options).flatMap(([name, value]) => {
    const expected = Object.hasOwn(known, name) ? known[name as keyof BootOptions] : null
    if (expected === null) {
      const near = nearest(name, Object.keys(known))
      return [
        fault(
          `option ${name}`,
          `it is not a boot option.${near ? ` Did you mean '${near}'?` : ` Known are: ${Object.keys(known).join(', ')}.`}`,
        ),
      ]
    }
    return value === undefined || fits(value, expected)
      ? []
      : [fault(`option ${name}`, `it must be ${article(expected)}, not ${describe(value)}.`)]
  })
  const { rest_prefix, base_url, environment, database } = options
  if (typeof rest_prefix === 'string' && !/^[\w-]+(?:\/[\w-]+)*$/.test(rest_prefix)) {
    faults.push(
      fault(
        'option rest_prefix',
        `'${rest_prefix}' must be path segments such as 'wp-json', without slashes around them.`,
      ),
    )
  }
  if (typeof base_url === 'string' && !isSiteUrl(base_url)) {
    faults.push(
      fault(
        'option base_url',
        `'${base_url}' must be an absolute http or https address without query, such as 'https://shop.example'.`,
      ),
    )
  }
  if (typeof environment === 'string' && !environments.includes(environment)) {
    faults.push(fault('option environment', `'${environment}' is not one of ${environments.join(', ')}.`))
  }
  if (typeof database === 'string') {
    const sentence = databaseSentence(database)
    if (sentence) faults.push(fault('option database', sentence))
  }
  for (const [name, sentence] of faultyValues(options)) faults.push(fault(`option ${name}`, sentence))
  return faults
}

/** Values of the right type that mean nothing. Those of `trusted_proxies` are checked by who reads addresses. */
function faultyValues({
  cors,
  synchronous,
  table_prefix,
  rest_default_capability,
  log,
}: BootOptions): (readonly [option: string, sentence: string])[] {
  const faults: (readonly [string, string])[] = []
  if (typeof cors === 'string' && cors !== 'any')
    faults.push(['cors', `'${String(cors)}' must be 'any', or a list of origins such as ['https://shop.example'].`])
  for (const origin of Array.isArray(cors) ? (cors as readonly unknown[]) : [])
    if (!isOrigin(origin))
      faults.push([
        'cors',
        `'${String(origin)}' is not an origin: a scheme and a host, such as 'https://shop.example'.`,
      ])
  if (typeof synchronous === 'string' && synchronous !== 'FULL' && synchronous !== 'NORMAL')
    faults.push(['synchronous', `'${String(synchronous)}' is neither FULL nor NORMAL.`])
  if (typeof table_prefix === 'string' && !/^\w{0,40}$/.test(table_prefix))
    faults.push(['table_prefix', `'${table_prefix}' must be letters, digits and underscores, such as 'wp_'.`])
  if (rest_default_capability === '')
    faults.push(['rest_default_capability', `it is empty. Name a capability, or give null for any logged-in user.`])
  if (typeof log === 'object' && log !== null && !isLog(log))
    faults.push(['log', 'it must have the functions info, warn and error.'])
  return faults
}

/** As a browser writes it: no path, no slash at the end, no default port. Extensions have schemes of their own. */
function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(origin)) return origin === 'null'
  return !/^https?:/.test(origin) || (URL.canParse(origin) && new URL(origin).origin === origin)
}

function isLog(log: object): boolean {
  return (['info', 'warn', 'error'] as const).every((level) => typeof (log as Partial<Log>)[level] === 'function')
}

function fits(value: unknown, expected: string): boolean {
  return expected.split(' or ').some((kind) => {
    if (kind === 'text') return typeof value === 'string'
    if (kind === 'null') return value === null
    if (kind === 'list') return Array.isArray(value)
    if (kind === 'number') return typeof value === 'number' && Number.isFinite(value) && value > 0
    if (kind === 'function') return typeof value === 'function'
    if (kind === 'path') return typeof value === 'string' || value instanceof URL
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  })
}

function article(expected: string): string {
  return expected
    .split(' or ')
    .map((kind) =>
      kind === 'null' || kind === 'text'
        ? kind
        : kind === 'number'
          ? 'a positive number'
          : kind === 'path'
            ? 'a path or a URL'
            : `a ${kind}`,
    )
    .join(' or ')
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a value of type ${typeof value}`
}

function isSiteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === ''
}

/** Other databases come later; until then they are refused, never half there. */
function databaseSentence(url: string): string | null {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) return null
  if (/^(postgres(ql)?|mysql|mariadb):/.test(url)) {
    return `this version keeps its data in SQLite only; PostgreSQL and MySQL are not supported yet. Use 'sqlite:data/site.sqlite'.`
  }
  return `'${url.replace(/\/\/[^@]*@/, '//…@')}' is not a database address. Use 'sqlite:' and a path, or 'sqlite::memory:'.`
}
