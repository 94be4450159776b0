import { fault, type Fault } from '../base/fault.js'
import type { BootOptions } from './options.js'
import type { FaultyValue } from './option-values.js'
import { databaseFault } from './stores.js'

type FaultOf<Option extends keyof BootOptions> = (value: BootOptions[Option] & {}) => Fault | null | readonly Fault[]

const environments = ['production', 'staging', 'development', 'local']

/** What is invalid in a value of the right type. Options that the environment names as well are checked by the same functions. */
export const valueFaults = {
  redis_url: redisFault,
  smtp_url: smtpFault,
  mail_from: senderFault,
  rest_prefix: (prefix) =>
    /^[\w-]+(?:\/[\w-]+)*$/.test(prefix)
      ? null
      : fault(
          'rest-prefix-invalid',
          `'${prefix}' must be path segments such as 'wp-json', without slashes around them.`,
        ),
  base_url: (url) =>
    isSiteUrl(url)
      ? null
      : fault(
          'base-url-invalid',
          `'${url}' must be an absolute http or https address without query, such as 'https://shop.example'.`,
        ),
  http: (http) =>
    http === 'fast' || http === 'node' ? null : fault('http-unknown', `'${String(http)}' is neither fast nor node.`),
  environment: (name) =>
    environments.includes(name)
      ? null
      : fault('environment-unknown', `'${name}' is not one of ${environments.join(', ')}.`),
  database: databaseFault,
  service_database: databaseFault,
  cors: corsFaults,
  synchronous: (mode) =>
    mode === 'FULL' || mode === 'NORMAL'
      ? null
      : fault('synchronous-invalid', `'${String(mode)}' is neither FULL nor NORMAL.`),
  table_prefix: (prefix) =>
    /^\w{0,40}$/.test(prefix)
      ? null
      : fault('table-prefix-invalid', `'${prefix}' must be letters, digits and underscores, such as 'wp_'.`),
  rest_default_capability: (capability) =>
    capability === ''
      ? fault('default-capability-empty', `it is empty. Name a capability, or give null for any logged-in user.`)
      : null,
  unhandled_rejections: (mode) =>
    mode === 'log' || mode === 'exit'
      ? null
      : fault('unhandled-rejections-invalid', `'${String(mode)}' is neither log nor exit.`),
} satisfies { readonly [Option in keyof BootOptions]?: FaultOf<Option> }

/** Values of the right type that are invalid. Those of `trusted_proxies` are checked where addresses are parsed. */
export function faultyValues(options: BootOptions): FaultyValue[] {
  return Object.entries(valueFaults).flatMap(([option, faultsOf]): FaultyValue[] => {
    const value = options[option as keyof typeof valueFaults]
    if (value == null) return []
    const faults = (faultsOf as (value: unknown) => Fault | null | readonly Fault[])(value)
    return [faults ?? []].flat().map(({ code, message }) => [option, code, message])
  })
}

function corsFaults(cors: BootOptions['cors'] & {}): readonly Fault[] {
  if (typeof cors === 'string')
    return cors === 'any'
      ? []
      : [
          fault(
            'cors-invalid',
            `'${String(cors)}' must be 'any', or a list of origins such as ['https://shop.example'].`,
          ),
        ]
  return (cors as readonly unknown[])
    .filter((origin) => !isOrigin(origin))
    .map((origin) =>
      fault(
        'cors-invalid',
        origin === '*'
          ? `'*' is not an origin. For every origin, set cors: 'any'.`
          : `'${String(origin)}' is not an origin: a scheme and a host, such as 'https://shop.example'.`,
      ),
    )
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

/** Whether a value has the form in which browsers send an origin: no path, no trailing slash, no default port. */
function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(origin)) return origin === 'null'
  return !/^https?:/.test(origin) || (URL.canParse(origin) && new URL(origin).origin === origin)
}

function isSiteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === ''
}
