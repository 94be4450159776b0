import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SystemUser } from '../servers/server-program.js'
import type { WordPressPrograms } from './wordpress-programs.js'

/** PHP-FPM and nginx of one site. */
export interface SiteProcesses {
  /** The end of what the programs have said. */
  output(): string
  /**
   * Makes nginx read its configuration again. When the workers with the one before have ended, the file `reloaded` in the
   * folder of the site has this version.
   */
  reload(version: string): void
  /** Ends PHP-FPM, or starts it again. */
  php(order: 'stop' | 'start'): void
  /** Ends both and removes the folder. */
  end(): Promise<void>
}

/**
 * A shell owns the programs and the folder: it ends when its standard input does, which is when the test ends, however
 * that happens.
 */
const script = `
start_php() { "$1" --nodaemonize --fpm-config "$3/fpm.conf" -c "$3/php.ini" </dev/null & fpm=$!; }
start_php "$@"
"$2" -p "$3" -e "$3/nginx.log" -c "$3/nginx.conf" </dev/null & nginx=$!
while read -r version; do
  case $version in
    stop) kill -TERM $fpm; wait $fpm; continue ;;
    start) start_php "$@"; continue ;;
  esac
  old=$(cat /proc/$nginx/task/$nginx/children)
  kill -HUP $nginx
  left=500
  while [ $left -gt 0 ] && kill -0 $old 2>/dev/null; do sleep 0.02; left=$((left - 1)); done
  echo "$version" >"$3/reloaded"
done
kill -TERM $fpm $nginx 2>/dev/null
wait
rm -rf "$3"
`

/** @param user null for the user of this process. */
export function startProcesses(programs: WordPressPrograms, folder: string, user: SystemUser | null): SiteProcesses {
  const shell = spawn('/bin/sh', ['-c', script, 'wordpress-site', programs.fpm, programs.nginx, folder], {
    cwd: folder,
    // Ctrl-C in a terminal must not end it before it has removed the folder.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    ...user,
  })
  let output = ''
  shell.stderr.on('data', (bytes: Buffer) => {
    output = `${output}${String(bytes)}`.slice(-4000)
  })
  const ended = once(shell, 'exit')
  letProcessEnd(shell)
  return {
    output: () => output,
    reload: (version) => void shell.stdin.write(`${version}\n`),
    php: (order) => void shell.stdin.write(`${order}\n`),
    async end() {
      shell.ref()
      shell.stdin.end()
      await ended
    },
  }
}

/** A test that forgets its site ends all the same. */
function letProcessEnd(shell: ChildProcess): void {
  shell.unref()
  for (const stream of [shell.stdin, shell.stderr]) (stream as unknown as { unref?: () => void } | null)?.unref?.()
}

/** The log of PHP, of nginx and of PHP-FPM. */
export const logFiles = (folder: string): string[] =>
  ['php.log', 'nginx.log', 'fpm.log'].map((name) => join(folder, name))
