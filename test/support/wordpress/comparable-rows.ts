import { isMap } from '../../../src/php/array-shape.js'
import { unserialize } from '../../../src/php/serialize.js'
import type { DatabaseDump, DumpedRow } from './database-dump.js'

/** Options that only PHP writes, because what they are for runs in PHP only; and one with the time of the installation. */
const onlyOfPhp = /^(?:admin_email_lifespan|_(?:site_)?transient_.*|rewrite_rules)$/

/** Tasks for records. All others are of PHP itself. */
const tasksOfRecords = ['publish_future_post', 'do_pings']

/** Seconds around now that a time of this run may have. */
const maxRunSeconds = 600

/**
 * All rows of a site, with one text for each time of this run, random value and address of the site. Two databases in which
 * the same was done are equal.
 * @param url of the site, without a trailing slash.
 * @param ids columns of ids that do not count.
 */
export function comparableRows(
  { tables }: DatabaseDump,
  url: string,
  ids: readonly string[] = [],
): Record<string, readonly string[]> {
  const rows = Object.entries(tables).map(([table, all]): [string, string[]] => {
    const own = all
      .filter((row) => !table.endsWith('options') || !onlyOfPhp.test(row['option_name'] ?? ''))
      // PHP takes ids for options that it creates and deletes by itself.
      .map((row) =>
        Object.entries(withTasks(row)).filter(([column]) => column !== 'option_id' && !ids.includes(column)),
      )
      .map((columns) => JSON.stringify(columns.map(([column, value]) => [column, textOf(value, url)])))
    return [table, table.endsWith('options') ? own.sort() : own]
  })
  return Object.fromEntries(rows)
}

/** The rows that only one of two sites has, by table. Empty for equal sites. */
export function differingRows(
  ours: Record<string, readonly string[]>,
  theirs: Record<string, readonly string[]>,
): readonly { readonly table: string; readonly ours: readonly string[]; readonly theirs: readonly string[] }[] {
  const only = (left: readonly string[] = [], right: readonly string[] = []) =>
    left.filter((row) => !right.includes(row))
  const tables = Object.keys({ ...ours, ...theirs }).filter(
    (table) => JSON.stringify(ours[table]) !== JSON.stringify(theirs[table]),
  )
  return tables.map((table) => ({
    table,
    ours: only(ours[table], theirs[table]),
    theirs: only(theirs[table], ours[table]),
  }))
}

const isNow = (seconds: number): boolean => Math.abs(seconds - Date.now() / 1000) < maxRunSeconds

function textOf(value: string | null, url: string): string | null {
  if (value === null) return null
  return value
    .replaceAll(url, 'http://the.site')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, (date) =>
      isNow(Date.parse(`${date.replace(' ', 'T')}Z`) / 1000) ? '<now>' : date,
    )
    .replaceAll(/\b\d{10}\b/g, (seconds) => (isNow(Number(seconds)) ? '<time>' : seconds))
    .replaceAll(/\$P\$B[./A-Za-z0-9]{30}/g, '<portable hash>')
    .replaceAll(/\$wp\$2y\$\d\d\$[./A-Za-z0-9]{53}/g, '<hash>')
    .replaceAll(/\$generic\$[\w-]{40}/g, '<generic hash>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<verifier>')
    .replaceAll(/(expiration";i:)(?:\d{10}|<time>)/g, '$1<end>')
}

/** The tasks for records one by one: those of one second are together in one site and apart in the other. */
function withTasks(row: DumpedRow): DumpedRow {
  if (row['option_name'] !== 'cron') return row
  const tasks = unserialize(row['option_value'] ?? '')
  const lines: string[] = []
  for (const [time, hooks] of Object.entries(isMap(tasks) ? tasks : {}))
    for (const [hook, ofHook] of Object.entries(isMap(hooks) ? hooks : {}))
      if (tasksOfRecords.includes(hook))
        for (const [key, task] of Object.entries(ofHook as object))
          lines.push(`${time} ${hook} ${key} ${JSON.stringify(task)}`)
  return { ...row, option_value: lines.sort().join('\n') }
}
