import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The formats of `recorded/http/README.md`. */
export interface HttpCase {
  readonly id: string
  readonly rule: string
  readonly as: CaseCaller
  readonly method: string
  readonly path: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: CaseBody
  readonly scenario?: string
  readonly save?: Readonly<Record<string, string>>
  readonly keep?: {
    readonly routes?: readonly string[]
    readonly namespaces?: readonly string[]
    readonly links?: readonly string[]
  }
  readonly quirk?: string
  readonly expect: ExpectedResponse
  readonly alternatives?: readonly ExpectedResponse[]
}

export interface CaseCaller {
  readonly kind: 'anonymous' | 'cookie' | 'app-password' | 'account-password' | 'basic' | 'authorization'
  readonly user?: string
  readonly nonce?: string
  readonly of?: string
  readonly cookie?: 'tampered'
  readonly index?: number
  readonly spaced?: boolean
  readonly by?: 'email' | 'upper'
  readonly revoked?: boolean
  readonly pair?: string
  readonly value?: string
}

export interface CaseBody {
  readonly type: 'json' | 'form' | 'multipart' | 'raw'
  readonly value: unknown
  readonly contentType?: string
  readonly repeat?: readonly [text: string, times: number]
}

export interface ExpectedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly empty?: boolean
  readonly text?: string
  readonly jsonp?: string
}

export interface CaseFile {
  readonly name: string
  readonly area: string
  readonly mutates: boolean | null
  /** `rest_default_capability=manage_options` */
  readonly boot?: string | null
  readonly cases: readonly HttpCase[]
}

/** The case files of a folder, by name. */
export function readCaseFiles(folder: string): CaseFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      name: name.slice(0, -5),
      ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Omit<CaseFile, 'name'>),
    }))
    .filter((file) => Array.isArray(file.cases))
}
