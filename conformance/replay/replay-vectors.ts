import { emptyDatabases } from '../empty-databases.js'
import type { CaseResult } from '../result.js'
import { basenameOf, type VectorFile } from '../vectors.js'
import { replayGrants, replayMeta, replayOddTargets, replayPosts, replayRoles, replayUsers } from './capabilities.js'
import { replayCookieChecks } from './cookie-check.js'
import {
  replayCookies,
  replayHashes,
  replayNonces,
  replayPasswords,
  replaySessions,
  replayTamperedCookies,
  replayWrongNonces,
} from './credentials.js'
import { replayFunctions } from './functions.js'
import { replayApplicationPasswords, replayLogins } from './logins.js'
import { replayRecords } from './records.js'
import { allFailed, type ReplayFile } from './replay-cases.js'
import { replayRequestParameters } from './request-parameters.js'
import { replayRegistrations, replayRoutes, replayShapes, replayUrls } from './routes.js'
import { replaySchemas } from './schemas.js'

/** By name of the file, without its folder. */
const replays: ReadonlyMap<string, ReplayFile> = new Map([
  ['request-params', replayRequestParameters],
  ['routes', replayRoutes],
  ['routes-register', replayRegistrations],
  ['routes-url', replayUrls],
  ['routes-wordpress-shapes', replayShapes],
  ['auth-cookies', replayCookies],
  ['auth-cookies-tampered', replayTamperedCookies],
  ['auth-cookie-check', replayCookieChecks],
  ['auth-nonces', replayNonces],
  ['auth-nonces-wrong', replayWrongNonces],
  ['auth-sessions', replaySessions],
  ['auth-hashes', replayHashes],
  ['auth-passwords', replayPasswords],
  ['auth-login', replayLogins],
  ['auth-application-passwords', replayApplicationPasswords],
  ['caps-roles', replayRoles],
  ['caps-posts', replayPosts],
  ['caps-odd-targets', replayOddTargets],
  ['caps-users', replayUsers],
  ['caps-meta', replayMeta],
  ['caps-grants', replayGrants],
])

/**
 * Replays a file of vectors against this product. A file that is not known fails with all its cases, and so does one
 * whose setup cannot be used.
 * @param databases default: in memory.
 */
export async function replayVectors(
  file: VectorFile,
  databases = emptyDatabases('sqlite::memory:'),
): Promise<CaseResult[]> {
  const replay = replayOf(file)
  if (replay === null) return allFailed(file, `no replay knows a file of this name and shape: ${file.name}`)
  try {
    return await replay(file, databases)
  } catch (error) {
    return allFailed(file, `the file cannot be replayed: ${String(error)}`)
  }
}

function replayOf(file: VectorFile): ReplayFile | null {
  const name = basenameOf(file.name)
  const replay = replays.get(name)
  if (replay) return replay
  if (name.startsWith('records-')) return replayRecords
  const [first] = file.cases
  if (first && 'schema' in first && 'value' in first) return replaySchemas
  if (first && Array.isArray(first['args']) && typeof file.function === 'string') return replayFunctions
  return null
}
