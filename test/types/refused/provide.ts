import { boot, RecordStore, ViewEngineInterface, type Configuration } from 'as-rest-route'

abstract class Mailer {
  abstract send(text: string): void
}
class SmtpMailer extends Mailer {
  send() {}
}
class Pages extends ViewEngineInterface {
  constructor(readonly folder = 'pages') {
    super()
  }
  async render(template: string) {
    return template
  }
  async renderFirst() {
    return ''
  }
  exists() {
    return true
  }
  share() {}
}
class NotAView {
  render() {
    return ''
  }
}
declare const records: RecordStore

export const sound = {
  provide: [
    [ViewEngineInterface, Pages],
    [ViewEngineInterface, new Pages('elsewhere')],
    [RecordStore, records],
    [Mailer, SmtpMailer],
    [Mailer, { send() {} }],
  ],
} satisfies Configuration
export const started = () => boot([], sound)

export const notAView = {
  // @ts-expect-error a class that is no view engine
  provide: [[ViewEngineInterface, NotAView]],
} satisfies Configuration

export const number = {
  // @ts-expect-error a number for the record store
  provide: [[RecordStore, 42]],
} satisfies Configuration

export const text = {
  // @ts-expect-error a text for a contract of one's own
  provide: [[Mailer, 'smtp']],
} satisfies Configuration

// @ts-expect-error an object that is no view engine, given to boot
export const wrongEngine = () => boot([], { provide: [[ViewEngineInterface, new NotAView()]] })
