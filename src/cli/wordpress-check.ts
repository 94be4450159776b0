import { checkWordPress, StorageError, WordPressConfigError, type WordPressReport } from '../app/wordpress-check.js'
import { CommandError } from './command-error.js'
import { counted, type Output } from './output.js'

export interface WordPressCheckOptions {
  readonly wordpress?: string
  readonly json?: boolean
}

/**
 * Prints what a WordPress site is, what a service shares with it, and what does not work. Changes nothing.
 * @throws CommandError when wp-config.php or the database cannot be read, or the site cannot be served.
 */
export async function checkSite({ wordpress, json }: WordPressCheckOptions, output: Output): Promise<void> {
  const path = siteConfigPath(wordpress)
  const report = await ofSite(() => checkWordPress(path, process.env))
  if (json === true) output.json(jsonOf(report))
  else print(report, output)
  const fatal = report.problems.filter(({ isFatal }) => isFatal).length
  if (fatal > 0)
    throw new CommandError('wordpress-unusable', `The site cannot be served: ${counted(fatal, 'problem')}.`)
}

/** The path of wp-config.php. @throws CommandError when none is named. */
export function siteConfigPath(option: string | undefined): string {
  const path = option ?? process.env['WORDPRESS_CONFIG']
  if (path !== undefined && path !== '') return path
  throw new CommandError(
    'wordpress-config-missing',
    'Name the configuration of the site: --wordpress /path/to/wp-config.php, or WORDPRESS_CONFIG.',
  )
}

/** Runs work on a site. @throws CommandError for what is wrong with its configuration or database. */
export async function ofSite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WordPressConfigError)
      throw new CommandError('wordpress-config-unreadable', error.message, { cause: error })
    if (error instanceof StorageError)
      throw new CommandError('wordpress-database-unreadable', error.message, { cause: error })
    throw error
  }
}

const jsonOf = ({ files, facts, shared, notShared, problems }: WordPressReport): object => ({
  files,
  found: Object.fromEntries(facts),
  shared,
  not_shared: notShared,
  problems: problems.map(({ isFatal, message }) => ({ severity: isFatal ? 'error' : 'warning', message })),
})

function print({ files, facts, shared, notShared, problems }: WordPressReport, output: Output): void {
  for (const file of files) output.line(file)
  output.line()
  const width = Math.max(...facts.map(([name]) => name.length))
  for (const [name, value] of facts) output.line(`${name.padEnd(width)}  ${value}`)
  for (const [title, sentences] of [
    ['Shared with WordPress', shared],
    ['Not shared', notShared],
  ] as const) {
    output.line(`\n${title}:`)
    for (const sentence of sentences) output.line(`  ${sentence}`)
  }
  output.line(problems.length === 0 ? '\nNo problem was found.' : '\nProblems:')
  for (const { isFatal, message } of problems) output.line(`  ${isFatal ? 'error' : 'warning'}: ${message}`)
}
