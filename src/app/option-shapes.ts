import type { Log } from '../log/log.js'
import { isMap } from '../php/array-shape.js'
import { namesFolder } from './configuration.js'
import type { BootOptions } from './options.js'

/** The type that the value of an option must have. */
interface OptionShape {
  readonly fits: (value: unknown) => boolean
  /** Ends the sentence "it must be …". */
  readonly expected: string
}

const text: OptionShape = { fits: (value) => typeof value === 'string', expected: 'text' }
const nothing: OptionShape = { fits: (value) => value === null, expected: 'null' }
const list: OptionShape = { fits: Array.isArray, expected: 'a list' }
const map: OptionShape = { fits: isMap, expected: 'a map' }
const flag: OptionShape = { fits: (value) => typeof value === 'boolean', expected: 'a boolean' }
const callback: OptionShape = { fits: (value) => typeof value === 'function', expected: 'a function' }
const path: OptionShape = {
  fits: (value) => typeof value === 'string' || value instanceof URL,
  expected: 'a path or a URL',
}
const positive: OptionShape = {
  fits: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  expected: 'a positive number',
}
const zeroOrPositive: OptionShape = {
  fits: (value) => value === 0 || positive.fits(value),
  expected: '0 or a positive number',
}
/** Node's timers fire at once for a time of more than 2^31 milliseconds. */
const seconds: OptionShape = {
  fits: (value) => positive.fits(value) && Number(value) <= 86_400,
  expected: 'a positive number of seconds, at most 86,400',
}
const zeroOrSeconds: OptionShape = {
  fits: (value) => value === 0 || seconds.fits(value),
  expected: '0 or a positive number of seconds, at most 86,400',
}
const zeroOrWholeSeconds: OptionShape = {
  fits: (value) => zeroOrSeconds.fits(value) && Number.isInteger(value),
  expected: 'a whole number of seconds from 0 to 86,400',
}
const poolSize: OptionShape = {
  fits: (value) => Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 1000,
  expected: 'a whole number from 2 to 1000',
}
const logger: OptionShape = {
  fits: isLog,
  expected: 'an object with the functions info, warn and error, such as console',
}

const isHttpAddress = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

const wordpressSite: OptionShape = {
  fits: (value) =>
    isMap(value) &&
    path.fits(value['config']) &&
    value['config'] !== '' &&
    Object.keys(value).every((name) => name === 'config' || name === 'companion') &&
    (value['companion'] === undefined || value['companion'] === false || isHttpAddress(value['companion'])),
  expected:
    "a map with the path of the site's wp-config.php, and perhaps false or an http address as `companion`: { config: '/srv/www/wp-config.php' }",
}

const uploads: OptionShape = {
  fits: (value) => {
    if (!isMap(value) || !namesFolder(value['folder'])) return false
    const { folder: _folder, permission, ...others } = value
    const isPermission = permission === null || ['undefined', 'string', 'function'].includes(typeof permission)
    return isPermission && permission !== '' && Object.keys(others).length === 0
  },
  expected:
    "a map with a folder, and perhaps `permission`, which is 'public', a capability, null or a function: { folder: 'data/uploads', permission: 'public' }",
}

const either = (first: OptionShape, second: OptionShape): OptionShape => ({
  fits: (value) => first.fits(value) || second.fits(value),
  expected: `${first.expected} or ${second.expected}`,
})

/** Every option of `boot`. It is a record, so that the compiler finds a missing one. */
export const optionShapes: Readonly<Record<keyof BootOptions, OptionShape>> = {
  rest_prefix: text,
  rest_default_capability: either(text, nothing),
  base_url: text,
  database: text,
  wordpress: wordpressSite,
  synchronous: text,
  table_prefix: text,
  provide: list,
  services: list,
  around: list,
  sanitizers: map,
  record_types: map,
  jobs: list,
  user_meta: map,
  term_meta: map,
  site_options: map,
  roles: map,
  cors: either(text, list),
  trusted_proxies: list,
  environment: text,
  http: text,
  views: path,
  public: path,
  uploads,
  body_limit: positive,
  request_timeout: zeroOrSeconds,
  stream_timeout: seconds,
  database_pool: poolSize,
  database_wait: zeroOrSeconds,
  database_timeout: seconds,
  database_idle_in_transaction: zeroOrSeconds,
  database_keep_alive: zeroOrWholeSeconds,
  database_idle: zeroOrSeconds,
  database_lifetime: zeroOrSeconds,
  redis_url: text,
  service_database: text,
  cache_bytes: zeroOrPositive,
  site: map,
  secrets: map,
  seed: callback,
  clock: callback,
  smtp_url: text,
  mail_from: text,
  log: logger,
  request_log: flag,
  unhandled_rejections: text,
}

function isLog(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (['info', 'warn', 'error'] as const).every((level) => typeof (value as Partial<Log>)[level] === 'function')
}
