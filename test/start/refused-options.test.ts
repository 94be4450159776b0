import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AsRestRoute, boot, RecordStore, RestResponse, ViewEngineInterface } from 'as-rest-route'
import { diagnosticText } from '../../src/app/startup-error.js'
import { optionShapes } from '../../src/app/option-shapes.js'
import type { BootOptions } from '../../src/app/options.js'
import { refusalOf } from './refusal.js'
import { temporaryDatabase } from '../support/test-database.js'

class Sound {
  @AsRestRoute({ namespace: 'shop/v1', route: '/sound', permission: 'public' })
  read() {
    return new RestResponse(null)
  }
}

abstract class Mailer {
  abstract send(): void
}

class NotAView {
  render() {
    return ''
  }
}

/** The methods are fields, which only an instance has. */
class Views {
  render = async () => ''
  renderFirst = async () => ''
  exists = () => false
  share = () => {}
}

const refused: [options: object, fault: string][] = [
  [
    { port: 80 },
    'option port: it is not a boot option. Give it to service.listen({ port }), or to the command line: --port, or PORT in the environment.',
  ],
  [
    { host: '::' },
    'option host: it is not a boot option. Give it to service.listen({ host }), or to the command line: --host, or HOST in the environment.',
  ],
  [{ cache_bytes: -1 }, 'option cache_bytes: it must be 0 or a positive number, not -1.'],
  [
    { database_keep_alive: 0.5 },
    'option database_keep_alive: it must be a whole number of seconds from 0 to 86,400, not 0.5.',
  ],
  [
    { database_lifetime: -1 },
    'option database_lifetime: it must be 0 or a positive number of seconds, at most 86,400, not -1.',
  ],
  [{ body_limit: NaN }, 'option body_limit: it must be a positive number, not NaN.'],
  [
    { log: (line: string) => line },
    'option log: it must be an object with the functions info, warn and error, such as console, not a value of type function.',
  ],
  [
    { log: { info() {} } },
    'option log: it must be an object with the functions info, warn and error, such as console, not an object with info (function).',
  ],
  [
    { site: { timezone: 'Mars/Olympus' } },
    "option site.timezone: 'Mars/Olympus' is not a time zone. Name one such as 'Europe/Berlin', or 'UTC'.",
  ],
  [
    { site: { titel: 'Shop' } },
    "option site.titel: it is not a key of 'site'. Use one of: name, description, timezone, permalink_structure.",
  ],
  [{ site: { timezon: 'UTC' } }, "option site.timezon: it is not a key of 'site'. Did you mean 'timezone'?"],
  [{ site: { name: 5 } }, 'option site.name: it must be text.'],
  [{ secrets: { AUTH_KY: 'x' } }, "option secrets.AUTH_KY: it is not a key of 'secrets'. Did you mean 'AUTH_KEY'?"],
  [{ secrets: { NONCE_SALT: 5 } }, 'option secrets.NONCE_SALT: it must be text.'],
  [
    { views: '/nowhere/views' },
    'option views: there is no folder /nowhere/views. Correct the path, or make the folder.',
  ],
  [{ views: '' }, 'option views: it is empty. Give the path of a folder.'],
  [{ public: '' }, 'option public: it is empty. Give the path of a folder.'],
  [
    { public: new URL('file:///nowhere') },
    'option public: there is no folder /nowhere. Correct the path, or make the folder.',
  ],
  [
    { views: new URL('https://shop.test/') },
    "option views: 'https://shop.test/' is not a folder of this machine. Give a path, or a URL that begins with file:.",
  ],
  [
    { public: new URL('file://elsewhere/shop') },
    "option public: 'file://elsewhere/shop' is not a folder of this machine. Give a path, or a URL that begins with file:.",
  ],
  [{ provide: { Mailer } }, 'option provide: it must be a list, not an object with Mailer (function).'],
  [
    { provide: [Mailer] },
    'option provide[0]: it must be a pair of a contract and its implementation: [Mailer, SmtpMailer].',
  ],
  [{ provide: [[Mailer]] }, 'option provide[0]: Mailer has no implementation. Write a pair: [Mailer, YourClass].'],
  [
    {
      provide: [
        [Mailer, {}],
        [Mailer, undefined],
      ],
    },
    'option provide[1]: Mailer has no implementation. Write a pair: [Mailer, YourClass].',
  ],
  [
    { provide: [[ViewEngineInterface, NotAView]] },
    'option provide: the implementation of ViewEngineInterface, an object of NotAView, lacks the methods renderFirst, exists, share. Add them. The compiler finds missing methods in a class that extends ViewEngineInterface.',
  ],
  [
    { provide: [[RecordStore, 42]] },
    'option provide: the implementation of RecordStore, a number, lacks the methods get, list, count, page, each, insert, update, delete, transaction, enqueue. Add them. The compiler finds missing methods in a class that extends RecordStore.',
  ],
  [
    { record_types: { book: { permalink: '/b/' } } },
    'option record_types.book.permalink: it must be false or path segments of a-z, 0-9, _ and -, without slashes at the ends.',
  ],
  [
    { roles: { librarian: { capabilities: 'read' } } },
    'option roles.librarian: it must have capabilities, a list of names such as edit_books.',
  ],
  [
    { sanitizers: { rest_parse_request_arg: (value: unknown) => value } },
    'option sanitizers.rest_parse_request_arg: this name is reserved for the validation of an argument by its rules. Give your sanitizer another name.',
  ],
  [{ cors: ['*'] }, "option cors: '*' is not an origin. For every origin, set cors: 'any'."],
  [{ jobs: ['send'] }, 'option jobs[0]: it must be what job({ name, run }) returns.'],
  [{ jobs: [{ name: 'send' }] }, 'option jobs[0]: send has no function run(payload).'],
  [
    { jobs: [{ name: 'Send it', run: () => null }] },
    "option jobs[0]: its name must be 1 to 100 characters of a-z, 0-9, _, . and -, such as 'send-ticket'.",
  ],
  [
    { jobs: [{ name: 'send', run: () => null, attempts: 0 }] },
    'option jobs[0]: send: attempts must be a whole number from 1 to 100.',
  ],
  [
    { jobs: [{ name: 'send', run: () => null, retries: 3 }] },
    'option jobs[0]: send has the unknown key retries; the keys are name, attempts, retry_delay, timeout, run.',
  ],
  [
    {
      jobs: [
        { name: 'send', run: () => null },
        { name: 'send', run: () => null },
      ],
    },
    "option jobs[1]: another job has the name 'send'. Name each differently.",
  ],
  [
    { record_types: { book: { after_commit: { insert: () => null } } } },
    'option record_types.book.after_commit: it must map inserted, updated and deleted to functions; insert is none of them, but inserted is.',
  ],
  [
    { record_types: { book: { after_commit: { updated: 'send' } } } },
    'option record_types.book.after_commit: it must map inserted, updated and deleted to functions; updated is not a function.',
  ],
  [
    { sanitizers: { clean: 'trim' } },
    'option sanitizers.clean: it must be a function that takes a value and returns it cleaned.',
  ],
]
for (const [options, fault] of refused)
  test(`a start is refused: ${fault}`, async () => {
    const { diagnostics } = await refusalOf([Sound], options)
    assert.deepEqual(
      diagnostics.map(({ subject, message }) => `${subject}: ${message}`),
      [fault],
    )
  })

const accepted: [what: string, options: BootOptions][] = [
  ['the environment as secrets', { secrets: process.env }],
  ['secrets on top of the environment', { secrets: { ...process.env, AUTH_KEY: 'a long text that nobody guesses' } }],
  ['a time zone that is an offset', { site: { timezone: '+05:30' } }],
  ['a console as the log', { log: { ...console, info() {} } }],
  ['a view engine whose methods are fields', { provide: [[ViewEngineInterface, Views]] }],
  ['an object as the implementation of a contract', { provide: [[Mailer, { send() {} }]] }],
]
for (const [what, options] of accepted)
  test(`${what} is accepted`, async () => {
    const service = await boot([Sound], { database: options.database ?? (await temporaryDatabase()), ...options })
    await service.close()
  })

const invalidSources: [what: string, source: unknown, expected: RegExp][] = [
  ['undefined', undefined, /^it was given undefined\. Give it the folder/],
  ['a class without a list', Sound, /^it was given a function\. .* or a list of classes and endpoints\.$/],
  ['an empty path', '', /^it was given an empty path\. Give it the folder/],
  ['a URL of another machine', new URL('https://shop.test/'), /^it was given https:\/\/shop\.test\/\./],
]
for (const [what, source, expected] of invalidSources)
  test(`boot refuses ${what} instead of a folder`, async () => {
    const { diagnostics } = await refusalOf(source as never)
    assert.match(diagnostics[0]?.message ?? '', expected)
    assert.equal(diagnostics.length, 1)
  })

for (const value of [0, '', ' ', true, null, [null], [[]], { a: null }, Symbol('x')])
  test(`each option may be ${typeof value === 'symbol' ? 'a symbol' : JSON.stringify(value)} without another error than a StartupError`, async () => {
    for (const name of Object.keys(optionShapes)) {
      await boot([Sound], { database: await temporaryDatabase(), [name]: value }).then(
        (service) => service.close(),
        (error: Error) => assert.equal(error.name, 'StartupError', `${name}: ${error.stack}`),
      )
    }
  })

test('an implementation of a contract that cannot be constructed is refused', async () => {
  class Smtp extends Mailer {
    constructor(readonly host: string) {
      super()
    }
    send() {}
  }
  const { diagnostics } = await refusalOf([Sound], { provide: [[RecordStore, Smtp as never]] })
  assert.match(
    diagnostics[0]?.message ?? '',
    /^its class cannot be built\. Smtp: parameter 1 of its constructor has no default/,
  )
})

test('uploads inside the public folder, and the other way round, are refused', async (context) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'public-uploads-')))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const pathTo = (name: string): string => join(folder, name)
  for (const [files, uploads] of [
    ['public', 'public'],
    ['public', 'public/files'],
    ['data/public', 'data'],
  ] as const) {
    mkdirSync(pathTo(files), { recursive: true })
    const options = { public: pathTo(files), uploads: { folder: pathTo(uploads) } }
    assert.deepEqual((await refusalOf([Sound], options)).diagnostics.map(diagnosticText), [
      `option uploads: ${pathTo(uploads)} and the folder ${pathTo(files)} of the option public are the same, or one contains the other: everybody could read the uploads. Keep them apart. [uploads-public]`,
    ])
  }
  const service = await boot([Sound], {
    database: 'sqlite::memory:',
    public: pathTo('public'),
    uploads: { folder: pathTo('public-uploads') },
  })
  await service.close()
})

test('a database inside the public folder is refused, also by a symbolic link; one beside the folder is accepted', async (context) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'public-')))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const files = join(folder, 'public')
  for (const path of [files, join(folder, 'public-data')]) mkdirSync(path)
  symlinkSync(files, join(folder, 'link'), 'dir')
  for (const path of ['public/site.sqlite', 'public/data/site.sqlite', 'link/site.sqlite'].map((name) =>
    join(folder, name),
  ))
    assert.deepEqual(
      (await refusalOf([Sound], { public: files, database: `sqlite:${path}` })).diagnostics.map(diagnosticText),
      [
        `option public: the database ${path} lies in it, and would be given to everybody. Keep data in another folder. [database-public]`,
      ],
    )
  const service = { public: files, service_database: `sqlite:${join(files, 'service.sqlite')}` }
  assert.match(
    (await refusalOf([Sound], service)).diagnostics.map(diagnosticText).join('\n'),
    /option public: the database \S+service\.sqlite lies in it/,
  )
  for (const name of ['site.sqlite', 'public-data/site.sqlite']) {
    const service = await boot([Sound], { public: files, database: `sqlite:${join(folder, name)}` })
    await service.close()
  }
})

test('an option wordpress of the configuration file is checked whole', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'companion-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, entry] of [
    ['address', "companion: 'ftp://shop.example'"],
    ['misspelt', 'companian: false'],
  ] as const) {
    const project = join(folder, name)
    mkdirSync(project)
    const options = `{ wordpress: { config: './wp-config.php', ${entry} } }`
    writeFileSync(join(project, 'as-rest-route.config.mjs'), `export default ${options}`)
    assert.match((await refusalOf(project)).message, /option wordpress: it must be a map with the path/)
  }
})
