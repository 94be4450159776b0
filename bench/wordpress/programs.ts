import { existsSync, readdirSync } from 'node:fs'

export interface Programs {
  readonly php: string
  readonly phpFpm: string
  readonly nginx: string
  readonly mariadb: string
  readonly mariadbInstall: string
}

export const howToInstall =
  'apt-get install --no-install-recommends wordpress php-fpm php-mysql php-opcache nginx-light mariadb-server ' +
  '(Debian; nothing of it needs to be running)'

const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin']

/** Where everything that WordPress needs is installed; null when a part of it is not. */
export function installedPrograms(): Programs | null {
  const programs = {
    php: find(/^php$/),
    phpFpm: find(/^php-fpm[\d.]*$/),
    nginx: find(/^nginx$/),
    mariadb: find(/^mariadbd$/),
    mariadbInstall: find(/^mariadb-install-db$/),
  }
  const isComplete = existsSync('/usr/share/wordpress/wp-settings.php') && Object.values(programs).every((path) => path)
  return isComplete ? programs : null
}

/** Absolute path; empty when there is none. */
function find(name: RegExp): string {
  for (const folder of folders.filter((each) => existsSync(each))) {
    const file = readdirSync(folder).find((each) => name.test(each))
    if (file !== undefined) return `${folder}/${file}`
  }
  return ''
}
