import {
  AsRestRoute,
  inject,
  job,
  RecordStore,
  SiteOptions,
  type JobContext,
  type RestRequest,
} from '../../src/index.js'

/** What the jobs of a test have done, in order. */
export const done: string[] = []
/** Called by each attempt. */
export const onAttempt: { work: (name: string, context: JobContext) => unknown } = { work: () => undefined }

const attempted = async (name: string, context: JobContext): Promise<void> => {
  await onAttempt.work(name, context)
  done.push(name)
}

export const print = job({
  name: 'print',
  attempts: 3,
  retry_delay: 1,
  run: ({ title }: { title: string }, context) => attempted(title, context),
})

/** Enqueues another job. */
export const bind = job({
  name: 'bind',
  async run({ title }: { title: string }, context) {
    const records = inject(RecordStore)
    await attempted(title, context)
    await records.enqueue(print, { title: `page of ${title}` })
  },
})

export const brief = job({
  name: 'brief',
  timeout: 0.1,
  attempts: 1,
  run: (_: null, context) => attempted('brief', context),
})

/** Throws a value that cannot be converted to text. */
export const blank = job({ name: 'blank', attempts: 1, run: () => Promise.reject(Object.create(null)) })

/** No service lists it. */
export const unlisted = job({ name: 'unlisted', run: () => undefined })

export class PressApi {
  static opened: PressApi | null = null

  constructor(
    readonly records = inject(RecordStore),
    readonly options = inject(SiteOptions),
  ) {
    PressApi.opened = this
  }

  @AsRestRoute({
    namespace: 'press/v1',
    route: '/books',
    method: 'POST',
    permission: 'public',
    args: { title: { type: 'string', required: true } },
  })
  async add(request: RestRequest<{ title: string }>) {
    const title = request.get_param('title')
    const id = await this.records.transaction(async (records) => {
      await records.insert({ type: 'book', status: 'publish', title })
      return records.enqueue(print, { title })
    })
    return { id }
  }
}
