import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Data } from '../data/data.js'
import { root, workFolder } from '../places.js'
import { startChild, stopChild, type Child } from '../servers/child.js'
import { secrets, siteUrl } from '../servers/commands.js'
import { firstResponse, freePort } from '../servers/first-response.js'
import { cpuSecondsOfAll, memoryMegabytes } from '../servers/processes.js'
import type { RunningServer } from '../servers/server.js'
import { nginxConfiguration, phpFpmConfiguration } from './configuration.js'
import type { Programs } from './programs.js'

export interface WordPress {
  /** As its requests come: nginx, PHP, MariaDB. */
  readonly server: RunningServer
  /** The same with nginx's page cache before PHP. */
  readonly cached: RunningServer
  /** As `server`, with the CPU time of nginx and PHP only. */
  readonly pages: RunningServer
  /** CPU time of MariaDB up to now. */
  readonly databaseCpuSeconds: () => number
  /** A wp-config.php whose constants are texts. */
  readonly configPath: string
  readonly about: {
    readonly version: string
    readonly php: string
    readonly database: string
    /** Of its application password. */
    readonly authorization: string
    /** Of a session of the same user. */
    readonly cookie: string
    readonly nonce: string
  }
  readonly stop: () => Promise<void>
}

const folder = `${workFolder}wordpress/`
const socket = `${folder}database.sock`
const own = `${root}bench/wordpress/`
const configPath = `${folder}wp-config.php`
const readyPath = '/wp-json/bench/v1/hello'

/**
 * Makes a site with the rows of a database and starts it: MariaDB, php-fpm and nginx as children of this process, on free
 * ports and from configuration below `data/bench`; what the system has running or configured is not touched.
 */
export async function startWordPress(programs: Programs, data: Data): Promise<WordPress> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(`${folder}content`, { recursive: true })
  const environment = {
    ...secrets,
    BENCH_DATABASE_USER: 'root',
    BENCH_DATABASE_SOCKET: socket,
    BENCH_SITE_URL: siteUrl,
    BENCH_CONTENT: `${folder}content`,
  }
  const children: Child[] = []
  const stop = async () => {
    for (const child of children.reverse()) await stopChild(child.process)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    children.push(await startDatabase(programs))
    importRows(programs, data, environment)
    writeFileSync(configPath, configText())
    const about = JSON.parse(readFileSync(`${folder}about.json`, 'utf8')) as WordPress['about']
    const servers = await startPages(programs, environment, children)
    return { ...servers, configPath, about, stop }
  } catch (error) {
    await stop()
    const printed = children.map((child) => child.printed()).join('')
    throw new Error(`WordPress did not start. ${(error as Error).message}\n${printed}`, { cause: error })
  }
}

/** Adds the table and the triggers with which the product notices the writes of PHP. */
export function installTracking({ configPath: config }: WordPress, node: string): void {
  const words = ['dist/cli/main.js', 'wordpress', 'install-tracking', '--wordpress', config, '--yes']
  execFileSync(node, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** What `site/wp-config.php` takes from the environment, as an owner writes it. */
function configText(): string {
  const constants = {
    DB_NAME: 'wordpress',
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: 'utf8mb4',
    WP_HOME: siteUrl,
    WP_SITEURL: siteUrl,
    ...secrets,
  }
  const lines = Object.entries(constants).map(([name, value]) => `define( '${name}', '${value}' );`)
  return ['<?php', ...lines, "$table_prefix = 'wp_';", ''].join('\n')
}

/** InnoDB's defaults: a commit is on disk before it is answered. */
async function startDatabase({ mariadb, mariadbInstall }: Programs): Promise<Child> {
  const options = ['--no-defaults', `--user=${userInfo().username}`, `--datadir=${folder}database`]
  execFileSync(mariadbInstall, [...options, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    stdio: 'ignore',
  })
  const child = startChild(
    [mariadb, ...options, `--socket=${socket}`, `--pid-file=${folder}database.pid`, '--skip-networking'],
    {},
  )
  const create = `--execute=CREATE DATABASE wordpress`
  for (let attempt = 0; attempt < 300 && child.process.exitCode === null; attempt += 1) {
    if (spawnSync('mariadb', ['--no-defaults', '--user=root', `--socket=${socket}`, create]).status === 0) return child
    await sleep(100)
  }
  await stopChild(child.process)
  throw new Error(`MariaDB did not start.\n${child.printed()}`)
}

function importRows({ php }: Programs, { file }: Data, environment: Readonly<Record<string, string>>): void {
  const rows = `${folder}rows.json`
  execFileSync(process.execPath, ['bench/data/export.mjs', file, rows], { cwd: root, stdio: 'inherit' })
  execFileSync(php, [`${own}import.php`, rows, `${folder}about.json`], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function startPages(programs: Programs, environment: Readonly<Record<string, string>>, children: Child[]) {
  const [port, cachedPort] = [await freePort(), await freePort()]
  const isRoot = userInfo().uid === 0
  const paths = { folder, index: `${own}site/index.php`, root: isRoot }
  writeFileSync(`${folder}php-fpm.conf`, phpFpmConfiguration(paths, environment))
  writeFileSync(`${folder}nginx.conf`, nginxConfiguration(paths, port, cachedPort))
  const begin = performance.now()
  children.push(
    startChild([programs.phpFpm, '--fpm-config', `${folder}php-fpm.conf`, ...(isRoot ? ['-R'] : [])], environment),
    startChild([programs.nginx, '-e', `${folder}nginx.log`, '-c', `${folder}nginx.conf`, '-p', folder], {}),
  )
  const processes = children.map((child) => child.process)
  await firstResponse(processes, port, readyPath)
  const startMilliseconds = performance.now() - begin
  const [database, ...others] = processes
  const serverAt = (name: string, itsPort: number, counted = processes): RunningServer => {
    const sum = (of: (pid: number) => number) => counted.reduce((total, { pid }) => total + of(pid ?? 0), 0)
    return {
      name,
      port: itsPort,
      startMilliseconds,
      cpuSeconds: () => sum(cpuSecondsOfAll),
      memoryMegabytes: () => sum(memoryMegabytes),
      stop: async () => undefined,
    }
  }
  return {
    server: serverAt('wordpress', port),
    cached: serverAt('wordpress, page cache', cachedPort),
    pages: serverAt('wordpress', port, others),
    databaseCpuSeconds: () => cpuSecondsOfAll(database?.pid ?? 0),
  }
}
