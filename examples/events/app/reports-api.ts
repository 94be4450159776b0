import { AsRestRoute, currentUserCan, inject, RecordStore, RestResponse } from 'as-rest-route'

export class ReportsApi {
  constructor(private readonly records = inject(RecordStore)) {}

  /** Streamed record by record, no faster than the client reads. */
  @AsRestRoute({ namespace: 'events/v1', route: '/tickets\\.csv', permission: 'mayReport' })
  csv() {
    const headers = {
      'Content-Type': 'text/csv; charset=UTF-8',
      'Content-Disposition': 'attachment; filename="tickets.csv"',
    }
    return new RestResponse(this.lines(), 200, headers)
  }

  mayReport() {
    return currentUserCan('edit_others_posts')
  }

  private async *lines() {
    yield 'id,event,email,seats,status\r\n'
    const tickets = this.records.each({ type: 'ticket', status: ['publish', 'paid', 'cancelled'] })
    for await (const { id, parent, status, meta } of tickets)
      yield `${[id, parent, quoted(meta.email ?? ''), meta.seats, status].join(',')}\r\n`
  }
}

/** A leading `=`, `+`, `-` or `@` would be a formula in a spreadsheet. */
function quoted(text: string): string {
  return `"${(/^[=+\-@]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
