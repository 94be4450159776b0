import { ApplicationPasswords, type OtherPrograms } from '../auth/application-passwords.js'
import type { StoredRoles } from '../auth/roles.js'
import type { Users } from '../content/users.js'
import { DryRunStorage } from '../explain/dry-run-storage.js'
import { loadSiteSecrets } from '../auth/secrets.js'
import { phpAlone } from './authentication.js'
import { CompanionMessages } from './companion-messages.js'
import { createContent, type Content } from './content.js'
import type { ResolvedOptions } from './options.js'
import { silent } from '../log/log.js'
import { readSite } from './site-watch.js'
import { openStorage } from './stores.js'

/** The users of a database, for commands that serve nothing. */
export interface OpenedAccounts {
  readonly users: Users
  readonly roles: StoredRoles
  readonly applicationPasswords: ApplicationPasswords
  close(): Promise<void>
}

/**
 * @param purpose `read`: nothing is written into the database, not even missing roles.
 * @throws StorageError
 */
export async function openAccounts(options: ResolvedOptions, purpose: 'read' | 'change'): Promise<OpenedAccounts> {
  const opened = await openStorage(options, purpose)
  const content = createContent(options, options.record_types)
  const { storage, users, roles, hasher } = content
  storage.opened(purpose === 'read' ? new DryRunStorage(opened) : opened)
  const close = async () => {
    await hasher.close()
    await opened.close()
  }
  try {
    await roles.ensure()
    await readSite(content, options, silent)
    const applicationPasswords = new ApplicationPasswords(storage, options.clock, {
      hashOf: (password) => hasher.hashOfRandomText(password),
      otherPrograms: otherProgramsOf(options, content),
    })
    return { users, roles, applicationPasswords, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** PHP, at a WordPress site; null for a database of our own. */
function otherProgramsOf(
  { wordpressConfig, companion }: ResolvedOptions,
  { storage, site }: Content,
): OtherPrograms | null {
  if (wordpressConfig === null) return null
  if (companion === null) return phpAlone
  const messages = new CompanionMessages(companion.address)
  return {
    obeyLimits: false,
    async askForLimits() {
      messages.start({ secrets: await loadSiteSecrets(storage, wordpressConfig.secrets), home: () => site.home })
      return messages.askForLimits()
    },
  }
}
