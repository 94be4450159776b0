import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../support/servers/start-server.js'
import { freePort, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'
import { typescriptArguments } from '../support/typescript.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The commands of one section of a page. */
function commandsOf(page: string, heading: string): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const section = text.slice(text.indexOf(`\n## ${heading}\n`)).slice(1)
  const end = section.indexOf('\n## ')
  return [...section.slice(0, end).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands).join('\n')
}

const logs = ['nginx.log', 'fpm.log', 'php.log']

/** Debian's WordPress looks for its configuration in /etc/wordpress only. */
const skip = skipWithoutWordPress() || (process.getuid?.() === 0 ? false : 'only root may write into /etc/wordpress')

describe('the page about WordPress, as it stands, on Debian', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-page-'))
  const site = `page-${process.pid}.localhost`
  let server: TestServer
  before(async () => {
    const started = await startServer('mariadb')
    assert.ok(started)
    server = started
  })
  after(async () => {
    await server?.drop()
    rmSync(`/etc/wordpress/config-${site}.php`, { force: true })
    rmSync(folder, { recursive: true, force: true })
  })

  /** Writes a program that the commands find before the one of the system. */
  const writeProgram = (name: string, lines: string) => {
    mkdirSync(join(folder, 'bin'), { recursive: true })
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${lines}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }

  /** Servers of this test instead of those of the system, and this package instead of the published one. */
  async function writePrograms(): Promise<Record<string, string>> {
    const { port, username, password } = new URL(server.url)
    const [[socket = ''] = []] = await foreignSql(server.url, 'SELECT @@socket')
    // PHP runs as another user.
    chmodSync(dirname(socket ?? ''), 0o755)
    writeFileSync(
      join(folder, '.my.cnf'),
      `[client]\nhost=127.0.0.1\nport=${port}\nuser=${username}\npassword=${decodeURIComponent(password)}\n`,
    )
    const sites = join(folder, 'sites')
    mkdirSync(sites)
    for (const name of logs) writeFileSync(join(folder, name), '')
    chmodSync(join(folder, 'php.log'), 0o666)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `user www-data;\nworker_processes 1;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\nhttp { access_log off; include /etc/nginx/mime.types; include ${sites}/*.conf; }\n`,
    )
    writeFileSync(
      join(folder, 'fpm.conf'),
      `[global]\npid = ${folder}/fpm.pid\nerror_log = ${folder}/fpm.log\ndaemonize = no\n[www]\nuser = www-data\ngroup = www-data\nlisten = ${folder}/fpm.sock\nlisten.owner = www-data\npm = static\npm.max_children = 2\nphp_admin_value[error_log] = ${folder}/php.log\nphp_admin_flag[log_errors] = on\n`,
    )
    chmodSync(folder, 0o755)
    // What the page installs must be what is installed here.
    writeProgram(
      'apt-get',
      '[[ $1 == update ]] || for name in "${@:2}"; do [[ $name == -* ]] || dpkg --status "$name" >/dev/null || exit; done',
    )
    writeProgram(
      'service',
      `case $1 in
        mariadb) ;;
        php*-fpm) "/usr/sbin/php-fpm\${1//[a-z-]/}" --nodaemonize --fpm-config "${folder}/fpm.conf" >&2 & until [[ -S ${folder}/fpm.sock ]]; do sleep 0.1; done ;;
        nginx) nginx -c "${folder}/nginx.conf" -e "${folder}/nginx.log" -g 'daemon off;' >&2 & until [[ -s ${folder}/nginx.pid ]]; do sleep 0.1; done ;;
        *) exit 1 ;;
      esac`,
    )
    writeProgram(
      'npm',
      `mkdir node_modules && ln -s "${root}" node_modules/as-rest-route && ln -s "${root}node_modules/mysql2" node_modules/`,
    )
    writeProgram(
      'npx',
      `shift; exec "${process.execPath}" ${typescriptArguments.join(' ')} "${root}src/cli/main.ts" "$@"`,
    )
    return {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}:/usr/sbin`,
      HOME: folder,
      SITE: site,
      PORT: String(await freePort()),
      API_PORT: String(await freePort()),
      ROOT: join(folder, 'shop'),
      DB_HOST: `localhost:${socket}`,
      NGINX_SITES: sites,
      PHP_FPM: join(folder, 'fpm.sock'),
    }
  }

  /** Ends the commands and all that they have started. PHP-FPM has a process group of its own. */
  const endAll = (commands: ChildProcess) => {
    for (const stream of [commands.stdout, commands.stderr]) stream?.destroy()
    const pids = ['fpm.pid', 'nginx.pid'].map((name) => join(folder, name)).filter((file) => existsSync(file))
    for (const pid of [...pids.map((file) => Number(readFileSync(file, 'utf8'))), -(commands.pid ?? 0)])
      try {
        if (pid !== 0) process.kill(pid, 'SIGTERM')
      } catch {
        // The process has ended already.
      }
  }

  it('leads to a namespace that is served here, with one login for both', async () => {
    const commands = commandsOf('wordpress.md', 'From nothing to both, on Debian')
    assert.ok(commands.includes('apt-get install'))
    const env = await writePrograms()
    const bash = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      env,
      // It ends with all that it has started.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    bash.stdout.on('data', (bytes) => (stdout += String(bytes)))
    bash.stderr.on('data', (bytes) => (stderr += String(bytes)))
    const timer = setTimeout(() => endAll(bash), 300_000)
    try {
      const [code] = (await once(bash, 'exit')) as [number | null]
      const said = logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
      assert.equal(code, 0, `${stdout}\n${stderr}\n${said}`)
      assert.match(stdout, /No problem was found\./)
      assert.ok(stdout.includes('{"slug":"admin"}'), `${stdout}\n${stderr}`)
      assert.ok(stdout.trimEnd().endsWith('{"login":"admin","roles":["administrator"]}'), `${stdout}\n${stderr}`)
      assert.ok(existsSync(`/etc/wordpress/config-${site}.php`))
    } finally {
      clearTimeout(timer)
      endAll(bash)
    }
  })
})
