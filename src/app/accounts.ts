import { ApplicationPasswords } from '../auth/application-passwords.js'
import type { StoredRoles } from '../auth/roles.js'
import type { Users } from '../content/users.js'
import { WrittenRowsStorage } from '../cache/written-rows.js'
import { DryRunStorage } from '../explain/dry-run-storage.js'
import { loadSiteSecrets } from '../auth/secrets.js'
import { phpWithoutCompanion } from './authentication.js'
import { CompanionMessages } from './companion-messages.js'
import { CompanionOutbox } from './companion-outbox.js'
import { createContent } from './content.js'
import type { ResolvedOptions } from './options.js'
import { silent } from '../log/log.js'
import { readSite } from './site-watch.js'
import { openStorage } from './stores.js'

/** The users, roles and application passwords of a database that a command has opened without serving it. */
export interface OpenedAccounts {
  readonly users: Users
  readonly roles: StoredRoles
  readonly applicationPasswords: ApplicationPasswords
  close(): Promise<void>
}

/** Milliseconds that `close` may take to send all notices to the companion plugin of a WordPress site. */
const noticesTimeLimit = 10_000

/**
 * Opens the database of the options for a command that reads or changes accounts.
 * @param purpose `read`: nothing is written into the database, not even missing roles.
 * @param onUnsentNotice called with the reason when the companion plugin of a WordPress site could not be told what was written.
 * @throws StorageError
 */
export async function openAccounts(
  options: ResolvedOptions,
  purpose: 'read' | 'change',
  onUnsentNotice: (reason: unknown) => void = () => {},
): Promise<OpenedAccounts> {
  const opened = await openStorage(options, purpose)
  const content = createContent(options, options.record_types)
  const { storage, users, roles, hasher } = content
  const { companion, wordpressConfig } = options
  const messages = companion && new CompanionMessages(companion.address)
  // Read when the first message is sent: a site may have no secrets, and nothing else here needs them.
  const start = async (): Promise<CompanionMessages | null> => {
    if (messages === null || wordpressConfig === null) return null
    messages.start({ secrets: await loadSiteSecrets(opened, wordpressConfig.secrets), home: () => content.site.home })
    return messages
  }
  const outbox = messages && outboxOf(start, onUnsentNotice)
  const changed = outbox === null ? opened : new WrittenRowsStorage(opened, (rows) => outbox.add(rows))
  storage.opened(purpose === 'read' ? new DryRunStorage(opened) : changed)
  const close = async () => {
    await outbox?.close(noticesTimeLimit)
    await hasher.close()
    await opened.close()
  }
  try {
    await roles.ensure()
    await readSite(content, options, silent)
    const applicationPasswords = new ApplicationPasswords(storage, options.clock, {
      hashOf: (password) => hasher.hashOfRandomText(password),
      otherPrograms: wordpressConfig && {
        obeyLimits: false,
        askForLimits: async () => ((await start()) ?? phpWithoutCompanion).askForLimits(),
      },
    })
    return { users, roles, applicationPasswords, close }
  } catch (error) {
    await close()
    throw error
  }
}

function outboxOf(
  start: () => Promise<CompanionMessages | null>,
  onUnsentNotice: (reason: unknown) => void,
): CompanionOutbox {
  let reason: unknown = null
  return new CompanionOutbox({
    send: async (notices) => (await start())?.send(notices),
    isReachable: async () => (await start())?.isReachable() ?? false,
    onFailure: (error) => (reason = error),
    onLost: () => onUnsentNotice(reason),
  })
}
