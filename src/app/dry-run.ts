import { DryRunStorage } from '../explain/dry-run-storage.js'
import type { DryRunDependencies } from '../explain/dry-run-login.js'
import { silent } from '../log/log.js'
import type { Core } from '../pipeline/core.js'
import type { Pipeline } from '../pipeline/pipeline.js'
import type { RestService } from '../pipeline/rest.js'
import { compose } from './compose.js'
import type { Plan } from './plan.js'
import { openStorage } from './stores.js'

/** The service that `explain` uses. It reads its database and never changes it. */
export interface DryRun extends DryRunDependencies {
  readonly core: Core
  readonly rest: RestService
  readonly pipeline: Pipeline
  readonly restPrefix: string
  close(): Promise<void>
}

/** Composes the service of a plan over a storage that discards writes. @throws StorageError */
export async function openDryRun({ options, application, content, lifecycle }: Plan): Promise<DryRun> {
  const opened = await openStorage(options, 'read')
  const storage = new DryRunStorage(opened)
  content.storage.opened(storage)
  const close = async () => {
    await lifecycle.end()
    await content.hasher.close()
    await storage.close()
  }
  try {
    const composed = await compose({
      application,
      options,
      content,
      log: silent,
      created: false,
      storedResponses: opened.storedResponses,
    })
    const { authenticator, applicationPasswords, cookies } = composed.authentication
    const { service: rest, pipeline } = composed.rest
    const { roles, users } = content
    const { clock, table_prefix: prefix, rest_prefix: restPrefix } = options
    const accounts = { authenticator, applicationPasswords, roles, users }
    return {
      core: composed.core,
      rest,
      pipeline,
      storage,
      ...accounts,
      cookies,
      clock,
      prefix,
      restPrefix,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
