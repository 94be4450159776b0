import { openStorage } from '../app/stores.js'
import { optionsOf, requireDatabase, type DataOptions } from './application.js'
import { CommandError } from './command-error.js'
import { counted, type Output } from './output.js'

type JobRows = Awaited<ReturnType<typeof openStorage>>['jobs']
type JobRow = Awaited<ReturnType<JobRows['list']>>[number]

/** Maximum number of jobs that one call lists. */
const maxListed = 1_000
/** Maximum length of an error in the table, in characters. */
const maxErrorWidth = 80

export interface ListJobsOptions extends DataOptions {
  readonly failed?: boolean
  readonly after?: string
  readonly json?: boolean
}

/** `jobs list`: prints the waiting, running and failed jobs, or the failed ones only. */
export function listJobs({ failed = false, after = '0', ...options }: ListJobsOptions, output: Output): Promise<void> {
  const afterId = idOf(after)
  return withJobs(options, 'read', async (jobs) => {
    const state = failed ? 'failed' : null
    const rows = await jobs.list({ state, after: afterId, limit: maxListed + 1 })
    const listed = rows.slice(0, maxListed)
    if (options.json) return output.json(listed.map(jsonOf))
    output.table(
      ['ID', 'JOB', 'STATE', 'DUE', 'ATTEMPTS', 'REQUEST', 'ERROR'],
      listed.map((row) => [
        String(row.id),
        row.name,
        stateOf(row),
        timeText(row.due_at),
        String(row.attempts),
        row.request_id,
        row.error.slice(0, maxErrorWidth),
      ]),
    )
    if (rows.length > maxListed) output.line(`There are more. See: --after ${listed.at(-1)?.id ?? 0}`)
  })
}

export interface ChangeJobsOptions extends DataOptions {
  readonly failed?: boolean
}

export function retryJobs(id: string | undefined, options: ChangeJobsOptions, output: Output): Promise<void> {
  const chosen = chosenJob(id, options)
  return withJobs(options, 'change', async (jobs) => {
    const count = required(await jobs.retry(chosen, null), chosen)
    output.line(chosen === null ? `${counted(count, 'failed job')} will be tried again.` : `Job ${chosen} is due now.`)
  })
}

export function removeJobs(id: string | undefined, options: ChangeJobsOptions, output: Output): Promise<void> {
  const chosen = chosenJob(id, options)
  return withJobs(options, 'change', async (jobs) => {
    const count = required(await jobs.remove(chosen, null), chosen)
    output.line(chosen === null ? `Removed ${counted(count, 'failed job')}.` : `Removed job ${chosen}.`)
  })
}

async function withJobs(
  options: DataOptions,
  purpose: 'read' | 'change',
  work: (jobs: JobRows) => Promise<void>,
): Promise<void> {
  const resolved = await optionsOf(options)
  if (resolved.wordpressConfig !== null)
    throw new CommandError('jobs-without-table', 'The database of a WordPress site has no table of jobs.')
  await requireDatabase(resolved, options)
  const storage = await openStorage(resolved, purpose)
  try {
    await work(storage.jobs)
  } finally {
    await storage.close()
  }
}

/** @returns null for all that have failed. @throws CommandError */
function chosenJob(id: string | undefined, { failed = false }: ChangeJobsOptions): number | null {
  if ((id === undefined) !== failed)
    throw new CommandError('job-not-chosen', 'Give either the id of a job, or --failed for all that have failed.')
  return id === undefined ? null : idOf(id)
}

function idOf(text: string): number {
  const id = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(id))
    throw new CommandError('job-not-chosen', `'${text}' is not the id of a job. See: as-rest-route jobs list`)
  return id
}

/** @throws CommandError when there is no such job. */
function required(count: number, id: number | null): number {
  if (id !== null && count === 0)
    throw new CommandError(
      'job-missing',
      `There is no job ${id} that waits or has failed. One that a process is doing cannot be changed. See: as-rest-route jobs list`,
    )
  return count
}

const isRunning = ({ state, holder, due_at }: JobRow): boolean =>
  state === 'open' && holder !== '' && due_at > Date.now()

const stateOf = (row: JobRow): string => (isRunning(row) ? 'running' : row.state === 'failed' ? 'failed' : 'waiting')

const timeText = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, '')

function jsonOf(row: JobRow): object {
  const { id, name, payload, due_at, attempts, error, request_id, created_at } = row
  return {
    id,
    name,
    payload: jsonOr(payload),
    state: stateOf(row),
    due: timeText(due_at),
    attempts,
    error: error === '' ? null : error,
    request_id: request_id === '' ? null : request_id,
    created: timeText(created_at),
  }
}

/** The value of a payload; its text where another program wrote one that is not JSON. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
