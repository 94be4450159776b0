import type { CommentStatuses } from '../storage.js'
import type { SqlTransaction } from './sql-connection.js'

/** The changes to other rows that a write makes where another program shares the tables. Each runs in the write's transaction. */
export interface RowEffects {
  /** Before a post is deleted. */
  deletingPost(connection: SqlTransaction, id: number): Promise<void>
  /** After a post was moved to the trash. @returns see `PostRows.hideComments`. */
  trashedPost(connection: SqlTransaction, id: number): Promise<CommentStatuses>
  /** After a post has left the trash. */
  restoredComments(connection: SqlTransaction, statuses: CommentStatuses): Promise<void>
  /** After a term of a taxonomy was inserted or deleted. */
  changedTerms(connection: SqlTransaction, taxonomy: string): Promise<void>
  /** Before a user is deleted whose records another user gets. */
  givingToUser(connection: SqlTransaction, from: number, to: number): Promise<void>
  /** After a user was deleted whose records no user gets. */
  deletedUser(connection: SqlTransaction, id: number): Promise<void>
  /** After a user was inserted or deleted. */
  changedUsers(connection: SqlTransaction): Promise<void>
  /** In place of an insert that overwrites. @param isAutoloaded of a new option. */
  writeOption(connection: SqlTransaction, name: string, value: string, isAutoloaded: boolean): Promise<void>
}
