import { requestOf } from './build.js'
import { acceptedResponses } from './cached-routes.js'
import { Callers } from './caller.js'
import type { CaseFile, HttpCase } from './cases.js'
import { differences } from './compare.js'
import type { Fixtures } from './fixtures.js'
import { normalised } from './normalise.js'
import { send, type ReceivedResponse } from './send.js'
import type { CaseResult } from '../result.js'

/** A running service with freshly loaded fixtures. */
export interface RunningSite {
  readonly origin: string
  close(): Promise<void>
}

/**
 * Starts a site with boot options, each written `OPTION=VALUE`; every call gives an untouched one.
 * @param port of 127.0.0.1; default 0, which lets the system choose.
 */
export type StartSite = (boot: readonly string[], port?: number) => Promise<RunningSite>

/** Replays every case of a file. Cases of one scenario run in order on a site of their own. */
export async function replayFile(file: CaseFile, fixtures: Fixtures, start: StartSite): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const group of groupsOf(file.cases)) {
    const site = await start(file.boot == null ? [] : [file.boot])
    try {
      const callers = new Callers(site.origin, fixtures)
      const saved = new Map<string, string>()
      for (const httpCase of group) results.push(await replayCase(httpCase, site.origin, callers, saved))
    } finally {
      await site.close()
    }
  }
  return results
}

/** The cases without a scenario together, then each scenario. */
function groupsOf(cases: readonly HttpCase[]): (readonly HttpCase[])[] {
  const groups = new Map<string, HttpCase[]>()
  for (const httpCase of cases) {
    const key = httpCase.scenario ?? ''
    const group = groups.get(key)
    if (group) group.push(httpCase)
    else groups.set(key, [httpCase])
  }
  return [...groups.values()]
}

async function replayCase(
  httpCase: HttpCase,
  origin: string,
  callers: Callers,
  saved: Map<string, string>,
): Promise<CaseResult> {
  const base = { id: httpCase.id, rule: httpCase.rule, quirk: httpCase.quirk !== undefined }
  try {
    const raw = await send(origin, await requestOf(httpCase, callers, saved))
    keepSaved(httpCase, raw, saved)
    const response = normalised(raw, origin, saved, callers.nonces)
    const tried = acceptedResponses(httpCase).map((expected) => differences(expected, response, httpCase))
    const passed = tried.some((different) => different.length === 0)
    return {
      ...base,
      passed,
      differences: passed ? [] : (tried[0] ?? []),
      actual: { status: raw.status, headers: raw.headers, body: raw.text },
    }
  } catch (error) {
    return { ...base, passed: false, differences: [String(error)], actual: null }
  }
}

function keepSaved({ save }: HttpCase, response: ReceivedResponse, saved: Map<string, string>): void {
  for (const [name, path] of Object.entries(save ?? {})) {
    try {
      let value: unknown = JSON.parse(response.text)
      for (const key of path.split('.')) value = (value as Record<string, unknown> | null)?.[key]
      if (typeof value === 'number' || typeof value === 'string') saved.set(name, String(value))
    } catch {
      // A response without JSON has nothing to keep; the comparison reports it.
    }
  }
}
