import { createHash } from 'node:crypto'
import { isMap } from '../php/array-shape.js'
import { serialize, unserializeForChange } from '../php/serialize.js'

/** A task of WordPress: the hook that it runs, and the arguments of the hook. */
export interface CronTask {
  readonly hook: string
  readonly args: readonly number[]
}

/** The number of the format. It comes last. */
const version = 'version'

/** The tasks of a WordPress site, as its option `cron` has them: by time, then by hook, then by a hash of the arguments. */
export class CronTasks {
  readonly #tasks: Record<string, unknown>

  private constructor(tasks: Record<string, unknown>) {
    this.#tasks = tasks
  }

  /**
   * @param text the option; null without one.
   * @returns null for a text that cannot be changed without loss. To WordPress, what is no list or map is an empty list.
   */
  static read(text: string | null): CronTasks | null {
    if (text === null || !/^\s*[aCO]:/.test(text)) return new CronTasks(emptyMap())
    const tasks = unserializeForChange(text)
    if (Array.isArray(tasks)) return tasks.length === 0 ? new CronTasks(emptyMap()) : null
    return isMap(tasks) && tasks[version] === 2 ? new CronTasks(tasks) : null
  }

  /** Whether a task is there, at any time. */
  has(task: CronTask): boolean {
    return this.#timesOf(task).length > 0
  }

  /** Removes a task from all times. @returns whether it was there. */
  remove(task: CronTask): boolean {
    const times = this.#timesOf(task)
    for (const [time, hooks] of times) {
      const hookTasks = hooks[task.hook]
      if (isMap(hookTasks)) delete hookTasks[keyOf(task)]
      if (isMap(hookTasks) && Object.keys(hookTasks).length === 0) delete hooks[task.hook]
      if (Object.keys(hooks).length === 0) delete this.#tasks[time]
    }
    return times.length > 0
  }

  /** Adds a task that runs once. @param time unix seconds, from 1 on. */
  add(task: CronTask, time: number): void {
    const hooks = mapAt(this.#tasks, String(time))
    mapAt(hooks, task.hook)[keyOf(task)] = { schedule: false, args: task.args }
  }

  /** As WordPress writes it, the earliest task first. */
  toString(): string {
    const { [version]: _, ...tasks } = this.#tasks
    return serialize({ ...tasks, [version]: 2 })
  }

  #timesOf(task: CronTask): (readonly [time: string, hooks: Record<string, unknown>])[] {
    const key = keyOf(task)
    return Object.entries(this.#tasks).flatMap(([time, hooks]) => {
      const hookTasks = isMap(hooks) ? hooks[task.hook] : undefined
      return isMap(hooks) && isMap(hookTasks) && hookTasks[key] !== undefined ? [[time, hooks] as const] : []
    })
  }
}

const emptyMap = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

/** Returns the map under a key. Creates it if it is missing. */
function mapAt(map: Record<string, unknown>, key: string): Record<string, unknown> {
  const existing = map[key]
  if (isMap(existing)) return existing
  const created = emptyMap()
  map[key] = created
  return created
}

const keyOf = ({ args }: CronTask): string => createHash('md5').update(serialize(args)).digest('hex')
