import { createHash } from 'node:crypto'

/** The names of the keys and salts, as wp-config-sample.php has them. */
const secretNames = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [`${name}_KEY`, `${name}_SALT`])

export interface SiteConfig {
  /** Address of the database: `mariadb://user:password@127.0.0.1:3306/name`. */
  readonly database: string
  readonly prefix: string
  readonly charset: string
  /** Lines of PHP before WordPress starts: `define( 'FORCE_SSL_ADMIN', true );`. A constant that they define stays. */
  readonly lines: readonly string[]
}

/** The text of a wp-config.php in the form of WordPress's sample. The secrets depend on the database's name alone. */
export function siteConfig({ database, prefix, charset, lines }: SiteConfig): string {
  const { username, password, hostname, port, pathname } = new URL(database)
  const name = decodeURIComponent(pathname.slice(1))
  const constants: Readonly<Record<string, string>> = {
    DB_NAME: name,
    DB_USER: decodeURIComponent(username),
    DB_PASSWORD: decodeURIComponent(password),
    DB_HOST: `${hostname}:${port}`,
    DB_CHARSET: charset,
    DB_COLLATE: '',
    ...Object.fromEntries(secretNames.map((secret) => [secret, secretText(`${name} ${secret}`)])),
  }
  const own = Object.entries(constants).filter(([constant]) => !lines.some((line) => line.includes(`'${constant}'`)))
  return [
    '<?php',
    ...lines,
    ...own.map(([constant, value]) => `define( '${constant}', '${value.replace(/[\\']/g, '\\$&')}' );`),
    '',
    `$table_prefix = '${prefix}';`,
    '',
    ...environmentLines(lines),
    "if ( ! defined( 'ABSPATH' ) ) {",
    "\tdefine( 'ABSPATH', __DIR__ . '/' );",
    '}',
    "require_once ABSPATH . 'wp-settings.php';",
    '',
  ].join('\n')
}

/** Without a network and without work of its own beside the requests. */
function environmentLines(lines: readonly string[]): string[] {
  const settings: Readonly<Record<string, string>> = {
    // Application passwords over plain HTTP.
    WP_ENVIRONMENT_TYPE: "'local'",
    DISABLE_WP_CRON: 'true',
    AUTOMATIC_UPDATER_DISABLED: 'true',
    WP_HTTP_BLOCK_EXTERNAL: 'true',
    WP_CONTENT_DIR: "__DIR__ . '/wp-content'",
  }
  return Object.entries(settings)
    .filter(([constant]) => !lines.some((line) => line.includes(`'${constant}'`)))
    .map(([constant, value]) => `define( '${constant}', ${value} );`)
}

/** In the alphabet of WordPress's own generator, quotes and backslashes left out as there. */
function secretText(seed: string): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*()-_ []{}<>~`+=,.;:/?|'
  const bytes = createHash('sha512').update(seed).digest()
  return [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')
}
