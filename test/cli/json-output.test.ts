import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { emptyFolder, endAll, removeFolders, serve, serveInTerminal } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

function application(options: string): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default { ${options} }`)
  writeFileSync(
    join(folder, 'api.ts'),
    `import { endpoint } from 'as-rest-route'
    export const hello = endpoint({ namespace: 'own/v1', route: '/hello', permission: 'public' }, () => 'hello')`,
  )
  return folder
}

interface Line {
  readonly level: string
  readonly time: string
  readonly msg: string
  readonly url?: string
  readonly file?: string
}

test('in production every line is JSON, from the first one on, and passwords are in a file only', async () => {
  const cwd = application('request_log: true')
  const service = await serve([cwd, '--port', '0'], { cwd })
  assert.equal((await fetch(`${service.url}/wp-json/own/v1/hello`)).status, 200)
  assert.equal(await service.end('SIGTERM'), 0)
  const lines = service
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  assert.equal(lines[0]?.msg, 'This start created a new database and an administrator.')
  assert.ok(lines.every(({ level, time }) => level === 'info' && !Number.isNaN(Date.parse(time))))
  assert.equal(lines.find(({ msg }) => msg.startsWith('1 route at '))?.url, `${service.url}/`)
  assert.ok(lines.some(({ msg }) => msg === 'answered'))
  const passwords = readFileSync(lines.find(({ file }) => file !== undefined)?.file ?? '', 'utf8')
  const [, password = 'none'] = /^password=(.*)$/m.exec(passwords) ?? []
  assert.ok(password.length >= 20 && !service.output().includes(password))
})

test('in production a start on an existing database is JSON too, also in a terminal with NODE_ENV=production', async () => {
  const cwd = application('')
  await (await serve([cwd, '--port', '0'], { cwd })).end('SIGTERM')
  for (const start of [serve, serveInTerminal]) {
    const service = await start([cwd, '--port', '0'], { cwd, env: { NODE_ENV: 'production' } })
    const [first = ''] = service.output().split(/\r?\n/)
    const { msg, url } = JSON.parse(first) as Line
    assert.deepEqual([msg, url], [`1 route at ${service.url}/`, `${service.url}/`])
    await service.end('SIGTERM')
  }
})

test('in development the first lines are for people', async () => {
  const cwd = application(`environment: 'development'`)
  const service = await serve([cwd, '--port', '0'], { cwd })
  await service.end('SIGTERM')
  assert.match(service.output(), /^This start created a new database and an administrator\.\n {2}The passwords are in /)
  assert.match(service.output(), new RegExp(`^1 route at ${service.url}/$`, 'm'))
})
