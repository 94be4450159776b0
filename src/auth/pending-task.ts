import type { HashTask } from './hash-task.js'

/** A task in the queue or in progress, with the functions that settle its promise. */
export interface PendingTask {
  readonly task: HashTask
  readonly resolve: (result: boolean | string) => void
  readonly reject: (reason: unknown) => void
}
