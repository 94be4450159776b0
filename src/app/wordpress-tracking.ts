import { changeWordPressTracking, type TrackingChange } from '../database/mysql/change-wordpress-tracking.js'
import { addressOfDatabase, readWordPressConfig, type Environment } from '../wordpress/wordpress-config.js'

export type { TrackingChange }

/**
 * Prepares to install or to remove the triggers that count the writes to the tables of a site. `decide` sees the change,
 * and may run it.
 * @throws WordPressConfigError when wp-config.php cannot be read. @throws StorageError
 */
export function changeTracking(
  configPath: string,
  environment: Environment,
  change: 'install' | 'remove',
  decide: (change: TrackingChange) => Promise<void>,
): Promise<void> {
  const { database, prefix, userTable, userMetaTable } = readWordPressConfig(configPath, environment)
  const tables = { prefix, users: userTable, usermeta: userMetaTable }
  return changeWordPressTracking(addressOfDatabase(database), tables, change, decide)
}
