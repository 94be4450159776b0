import type { PostRow, Storage } from '../database/storage.js'
import { lockName } from '../database/lock-name.js'
import { entriesOf } from '../php/array-shape.js'
import { toText } from '../php/cast.js'
import { maybeUnserialize, serialize } from '../php/serialize.js'
import { CronTasks, type CronTask } from './cron-tasks.js'
import { millisecondsOf, utcFromLocal } from './dates.js'
import { addToMenus, deleteMenuItems } from './menu-items.js'
import type { WriteContext } from './write-context.js'

/** The tables of a WordPress site: the rows that a write of a record adds there, and the limits of the columns. */
export interface SharedTables extends RecordTasks {
  /** Columns that store at most three bytes per character, such as `posts.post_title`. Available once the database is open. */
  readonly narrowColumns: ReadonlySet<string>
}

/**
 * Writes the rows that WordPress writes with a record beside it: scheduled tasks, items of menus and site options. Runs in the
 * transaction of the write.
 */
export interface RecordTasks {
  /** @param old the row before the write; null for a new record. */
  saved(row: PostRow, old: PostRow | null, context: WriteContext): Promise<void>
  /** After a record was deleted for good. */
  deleted(row: PostRow, context: WriteContext): Promise<void>
}

/** @param columns tells the narrow columns. It is called when a record is written, while the database is open. */
export function sharedTables(columns: () => ReadonlySet<string>): SharedTables {
  return {
    ...wordpressTasks,
    get narrowColumns() {
      return columns()
    },
  }
}

/**
 * What WordPress writes into its options and metadata for a record that was saved or deleted: the task that publishes a
 * scheduled record, the task that sends pings, items of menus, and the options that depend on published posts.
 */
const wordpressTasks: RecordTasks = {
  async saved(row, old, context) {
    const { storage, clock } = context
    if (old !== null) await moveComments(row, old, storage)
    const isPublishedPost = row.post_type === 'post' && row.post_status === 'publish'
    if (isPublishedPost && row.to_ping.trim() !== '') await storage.posts.meta.add(row.ID, '_trackbackme', '1')
    await changeTasks(storage, {
      isNeeded: isPublishedPost || row.post_status === 'future' || old?.post_status === 'future',
      change(tasks) {
        const wasScheduled = old?.post_status === 'future' && tasks.remove(publicationOf(row))
        const sendsPings = isPublishedPost && !tasks.has(pings)
        if (sendsPings) tasks.add(pings, Math.floor(clock.now / 1000))
        if (row.post_status !== 'future') return wasScheduled || sendsPings
        tasks.remove(publicationOf(row))
        const seconds = millisecondsOf(utcFromLocal(row.post_date, clock.zone)) / 1000
        // WordPress accepts no task for a time before 1970.
        if (seconds > 0) tasks.add(publicationOf(row), seconds)
        return true
      },
    })
    await addToMenus(row, old, context)
    await updateSiteOptions(row, old, context)
  },
  async deleted(row, context) {
    const { storage } = context
    await deleteMenuItems(row, context)
    if (row.post_type === 'attachment') await removeThumbnails(row.ID, storage)
    await changeTasks(storage, {
      isNeeded: row.post_status === 'future',
      change: (tasks) => tasks.remove(publicationOf(row)),
    })
    // WordPress counts the published posts while the deleted row still exists, so the option stays true even for the last post.
    if (row.post_type === 'post' && row.post_status === 'publish') await setCalendar(true, storage)
  },
}

/** The statuses of comments from before their post was moved to the trash. */
const commentStatusesKey = '_wp_trash_meta_comments_status'

/** Hides the comments of a record that is moved to the trash, and shows those of a restored record again. */
async function moveComments({ ID: id, post_status }: PostRow, old: PostRow, { posts }: Storage): Promise<void> {
  const isInTrash = post_status === 'trash'
  if (isInTrash === (old.post_status === 'trash')) return
  if (isInTrash) {
    const statuses = await posts.hideComments(id)
    if (statuses.size > 0) await posts.meta.add(id, commentStatusesKey, serialize(Object.fromEntries(statuses)))
    return
  }
  const [text = null] = await posts.meta.read(id, commentStatusesKey)
  const statuses = maybeUnserialize(text)
  if (typeof statuses !== 'object' || statuses === null) return
  // Where a comment was hidden already, its status is not known any more.
  const shown = entriesOf(statuses).map(
    ([comment, status]) => [Number(comment), status === 'post-trashed' ? '0' : toText(status)] as const,
  )
  await posts.showComments(new Map(shown))
  await posts.meta.remove(id, commentStatusesKey)
}

const thumbnailKey = '_thumbnail_id'
/** Number of records per query. Their metadata are removed, so the next query finds others. */
const batchSize = 100

/** Removes a deleted attachment as the image of all records. */
async function removeThumbnails(id: number, { posts }: Storage): Promise<void> {
  for (;;) {
    const owners = await posts.meta.ownersOf(thumbnailKey, String(id), batchSize)
    if (owners.length === 0) return
    for (const owner of owners) await posts.meta.remove(owner, thumbnailKey)
  }
}

const pings: CronTask = { hook: 'do_pings', args: [] }

const publicationOf = ({ ID }: PostRow): CronTask => ({ hook: 'publish_future_post', args: [ID] })

interface TaskChange {
  readonly isNeeded: boolean
  /** @returns whether anything is to be written. */
  readonly change: (tasks: CronTasks) => boolean
}

/** A list of tasks that cannot be read stays as it is. */
async function changeTasks(storage: Storage, { isNeeded, change }: TaskChange): Promise<void> {
  if (!isNeeded) return
  await storage.lock([lockName('option', 'cron')])
  const tasks = CronTasks.read(await storage.options.read('cron'))
  if (tasks !== null && change(tasks)) await storage.options.write('cron', tasks.toString())
}

const calendarOption = 'wp_calendar_block_has_published_posts'

/** The `db_version` of WordPress 5.9, the first that has the option of the calendar. */
const firstWithCalendar = 51_917

async function updateSiteOptions(row: PostRow, old: PostRow | null, { storage }: WriteContext): Promise<void> {
  const { post_type: type, post_status: status } = row
  if (type !== 'post' && type !== 'page') return
  if (status === 'publish' && (await storage.options.readMany(['fresh_site'])).get('fresh_site') !== '0')
    await storage.options.write('fresh_site', '0')
  const before = old?.post_status ?? 'new'
  if (type !== 'post' || before === status || (status !== 'publish' && before !== 'publish')) return
  await setCalendar(status === 'publish' || (await hasPublishedPost(storage)), storage)
}

async function hasPublishedPost({ posts }: Storage): Promise<boolean> {
  const order = [{ by: 'id', direction: 'desc' }] as const
  const query = { types: ['post'], statuses: ['publish'], order, limit: 1, offset: 0 }
  return (await posts.list(query, { columns: ['ID'], metaKeys: [] })).rows.length > 0
}

/** Stores whether the site has a published post, which WordPress's calendar block reads. */
async function setCalendar(hasPosts: boolean, { options }: Storage): Promise<void> {
  const stored = await options.readMany([calendarOption, 'db_version'])
  const value = hasPosts ? '1' : ''
  const before = stored.get(calendarOption)
  if (before === value || Number(stored.get('db_version')) < firstWithCalendar) return
  if (before !== undefined || hasPosts) await options.write(calendarOption, value)
}
