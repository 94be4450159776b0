import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { schemaCallbacks } from '../validation/callbacks.js'
import { secretNames } from '../auth/secrets.js'
import type { Contract } from '../container/container.js'
import { namesFolder } from './configuration.js'
import { aroundReason } from './around-reason.js'
import { suggestion } from '../base/nearest.js'
import type { DiagnosticCode } from '../base/startup-errors.js'
import { roleDiagnostics } from '../auth/declared-roles.js'
import { jobFaults } from '../content/job-faults.js'
import { recordTypeDiagnostics, userMetaDiagnostics, valueDiagnostics } from '../content/record-type-faults.js'
import { isTimeZone } from '../content/time-zone.js'
import type { Provider } from './provider.js'
import type { BootOptions } from './options.js'

/** A fault of an option or of a part of it, such as `site.timezone`. */
export type FaultyValue = readonly [option: string, code: DiagnosticCode, message: string]

const siteKeys: Readonly<Record<keyof NonNullable<BootOptions['site']>, true>> = {
  name: true,
  description: true,
  timezone: true,
  permalink_structure: true,
}

const secretConstants = secretNames.map((name) => name.toUpperCase())

/** The faults inside options that are maps, lists or folders. Their own types were checked before. */
export function faultsInside({
  site,
  secrets,
  provide,
  services,
  around,
  sanitizers,
  record_types,
  jobs,
  user_meta,
  term_meta,
  site_options,
  roles,
  views,
  public: files,
}: BootOptions): readonly FaultyValue[] {
  return [
    ...faultsOfTexts('site', site, Object.keys(siteKeys)),
    ...timeZoneFaults(site?.timezone),
    ...faultsOfTexts('secrets', withoutEnvironment(secrets), secretConstants),
    ...faultsOfProvisions(provide),
    ...faultsOfServices(services),
    ...faultsOfAround(around),
    ...Object.entries(sanitizers ?? {}).flatMap(([name, sanitizer]) => sanitizerFaults(name, sanitizer)),
    ...recordTypeDiagnostics(record_types),
    ...jobFaults(jobs),
    ...userMetaDiagnostics(user_meta),
    ...valueDiagnostics('term_meta', term_meta),
    ...valueDiagnostics('site_options', site_options),
    ...roleDiagnostics(roles),
    ...folderFaults('views', views),
    ...folderFaults('public', files),
  ]
}

/** The path that an option names. @throws TypeError for a URL that is not a file URL. */
export function pathOf(option: string | URL): string {
  return option instanceof URL ? fileURLToPath(option) : resolve(option)
}

/** Whether an entry is a pair of a contract and an implementation. */
export function isProvider(entry: unknown): entry is Provider {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'function' && (entry[1] ?? null) !== null
}

function faultsOfTexts(option: string, map: object | undefined, validKeys: readonly string[]): FaultyValue[] {
  return Object.entries(map ?? {}).flatMap(([key, value]): FaultyValue[] => {
    const name = `${option}.${key}`
    if (!validKeys.includes(key))
      return [[name, 'option-unknown', `it is not a key of '${option}'.${suggestion(key, validKeys)}`]]
    const fits = value === undefined || typeof value === 'string'
    return fits ? [] : [[name, 'option-type-invalid', 'it must be text.']]
  })
}

/** The secrets that differ from the environment. `process.env` may be passed as `secrets`; its other variables are not faults. */
function withoutEnvironment(secrets: BootOptions['secrets'] = {}): BootOptions['secrets'] {
  return Object.fromEntries(Object.entries(secrets).filter(([name, value]) => process.env[name] !== value))
}

function timeZoneFaults(name: unknown): FaultyValue[] {
  return typeof name === 'string' && !isTimeZone(name)
    ? [
        [
          'site.timezone',
          'time-zone-invalid',
          `'${name}' is not a time zone. Name one such as 'Europe/Berlin', or 'UTC'.`,
        ],
      ]
    : []
}

function sanitizerFaults(name: string, sanitizer: unknown): FaultyValue[] {
  const option = `sanitizers.${name}`
  if (typeof sanitizer !== 'function')
    return [[option, 'sanitizer-invalid', 'it must be a function that takes a value and returns it cleaned.']]
  return Object.values<string>(schemaCallbacks).includes(name)
    ? [
        [
          option,
          'sanitizer-name-reserved',
          'this name is reserved for the validation of an argument by its rules. Give your sanitizer another name.',
        ],
      ]
    : []
}

function faultsOfProvisions(provide: readonly unknown[] = []): FaultyValue[] {
  return provide.flatMap((entry, index): FaultyValue[] => {
    if (isProvider(entry)) return []
    const [contract, implementation] = Array.isArray(entry) ? (entry as readonly unknown[]) : []
    const name = typeof contract === 'function' ? (contract as Contract<unknown>).name : null
    const message =
      name !== null && (implementation ?? null) === null
        ? `${name} has no implementation. Write a pair: [${name}, YourClass].`
        : 'it must be a pair of a contract and its implementation: [Mailer, SmtpMailer].'
    return [[`provide[${index}]`, 'provider-invalid', message]]
  })
}

function faultsOfServices(services: readonly unknown[] = []): FaultyValue[] {
  return services.flatMap((entry, index): FaultyValue[] =>
    typeof entry === 'function' ? [] : [[`services[${index}]`, 'option-type-invalid', 'it must be a class.']],
  )
}

function faultsOfAround(around: readonly unknown[] = []): FaultyValue[] {
  return around.flatMap((entry, index): FaultyValue[] => {
    const reason = aroundReason(entry)
    return reason === null ? [] : [[`around[${index}]`, 'around-invalid', `it ${reason}`]]
  })
}

function folderFaults(option: string, folder: string | URL | undefined): FaultyValue[] {
  if (folder === undefined) return []
  if (folder === '') return [[option, 'folder-invalid', 'it is empty. Give the path of a folder.']]
  if (!namesFolder(folder))
    return [
      [
        option,
        'folder-invalid',
        `'${String(folder)}' is not a folder of this machine. Give a path, or a URL that begins with file:.`,
      ],
    ]
  const path = pathOf(folder)
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? []
    : [[option, 'folder-missing', `there is no folder ${path}. Correct the path, or make the folder.`]]
}
