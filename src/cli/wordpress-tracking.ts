import { createInterface } from 'node:readline/promises'
import { changeTracking, type TrackingChange } from '../app/wordpress-tracking.js'
import { CommandError } from './command-error.js'
import type { Output } from './output.js'
import { ofSite, siteConfigPath } from './wordpress-check.js'

export interface TrackingOptions {
  readonly wordpress?: string
  /** Whether to run the statements without a question. */
  readonly yes?: boolean
}

/**
 * Prints the SQL that installs or removes the triggers and the table that count the writes to the tables of a WordPress site,
 * and runs it when it is confirmed.
 * @throws CommandError when wp-config.php or the database cannot be read, a right is missing, or the confirmation is refused.
 */
export async function changeSiteTracking(
  change: 'install' | 'remove',
  { wordpress, yes = false }: TrackingOptions,
  output: Output,
): Promise<void> {
  const path = siteConfigPath(wordpress)
  await ofSite(() =>
    changeTracking(path, process.env, change, async ({ mode, statements, run }: TrackingChange) => {
      if (statements.length === 0) return output.line('Nothing is installed.')
      for (const statement of statements) output.line(`${statement};\n`)
      if (change === 'install' && mode === 'on')
        output.line('All triggers are in place. The statement makes running services read everything again.\n')
      if (!yes && !(await isConfirmed(output))) throw unconfirmed()
      await run()
      output.line(results[change])
    }),
  )
}

const results = {
  install:
    'Each write to the tables is counted, also those of PHP. Restart the service: it keeps rows and responses until a write.',
  remove: 'Everything is removed. A running service keeps nothing of the tables from now on.',
} as const

/** Asks on a terminal. Without one, nothing is confirmed. */
async function isConfirmed({ isTerminal }: Output): Promise<boolean> {
  if (!isTerminal || !process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(?:es)?$/i.test((await terminal.question('Run these statements? [y/N] ')).trim())
  } finally {
    terminal.close()
  }
}

const unconfirmed = (): CommandError =>
  new CommandError('wordpress-tracking-unconfirmed', 'Nothing was changed. Confirm the statements: --yes.')
