import { chownSync, cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SystemUser } from '../servers/server-program.js'
import { wordpressFolder } from './wordpress-programs.js'

/** What the files of one site are made of. */
export interface SiteFiles {
  /** Below it is everything. Short: the path of a Unix socket has at most 107 bytes. */
  readonly folder: string
  readonly port: number
  /** The path of the site's address: '' or `/blog`. */
  readonly path: string
  /** The text of wp-config.php. */
  readonly config: string
  readonly phpProcesses: number
  readonly keepAlive: boolean
}

/** The folder that holds wp-config.php. */
export const siteFolder = ({ folder, path }: Pick<SiteFiles, 'folder' | 'path'>): string => join(folder, 'public', path)

/** The PHP files of ours that the command line runs. */
export const phpFile = (name: 'install' | 'run'): string => fileURLToPath(new URL(`${name}.php`, import.meta.url))

/** Writes everything that a site consists of. WordPress itself is linked. */
export function writeSite(files: SiteFiles): void {
  const { folder } = files
  const site = siteFolder(files)
  mkdirSync(site, { recursive: true })
  for (const name of readdirSync(wordpressFolder)) {
    if (name === 'wp-config.php' || name === 'wp-content' || name === '.htaccess') continue
    symlinkSync(join(wordpressFolder, name), join(site, name))
  }
  mkdirSync(join(folder, 'opcache'))
  cpSync(fileURLToPath(new URL('content', import.meta.url)), join(site, 'wp-content'), { recursive: true })
  writeFileSync(join(site, 'wp-config.php'), files.config)
  // Each file of WordPress would take the folder for its own that its link points to, and Debian's wp-config.php with it. WordPress
  // before 5.9 does not expect that mysqli throws, as it does from PHP 8.1 on.
  const prepended = `<?php define( 'ABSPATH', '${site.replace(/\/?$/, '/')}' ); mysqli_report( MYSQLI_REPORT_OFF );\n`
  writeFileSync(join(folder, 'prepend.php'), prepended)
  writeFileSync(join(folder, 'php.ini'), phpIni(folder))
  writeFileSync(join(folder, 'fpm.conf'), fpmConfig(files))
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(files))
  writeLocations(folder, '', 0)
}

/** @param version answered at /__configuration: tells which configuration nginx has loaded. */
export function writeLocations(folder: string, locations: string, version: number): void {
  const own = `location = /__configuration { access_log off; return 200 "${version}"; }\n`
  writeFileSync(join(folder, 'locations.conf'), own + locations)
}

/** Gives a folder and what is in it to the user that the programs run as. */
export function chownAll(path: string, user: SystemUser): void {
  if (lstatSync(path).isSymbolicLink()) return
  chownSync(path, user.uid, user.gid)
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) chownAll(join(path, name), user)
}

function phpIni(folder: string): string {
  return [
    `auto_prepend_file = ${join(folder, 'prepend.php')}`,
    `error_log = ${join(folder, 'php.log')}`,
    'display_errors = 0',
    'log_errors = 1',
    'memory_limit = 256M',
    'post_max_size = 16M',
    'opcache.enable = 1',
    'opcache.memory_consumption = 128',
    'opcache.max_accelerated_files = 10000',
    'opcache.enable_cli = 1',
    // Halves the time of each command in PHP.
    `opcache.file_cache = ${join(folder, 'opcache')}`,
    // A changed file counts with the next request.
    'opcache.revalidate_freq = 0',
    '',
  ].join('\n')
}

function fpmConfig({ folder, phpProcesses }: SiteFiles): string {
  return [
    '[global]',
    `error_log = ${join(folder, 'fpm.log')}`,
    'daemonize = no',
    '[www]',
    `listen = ${join(folder, 'fpm.sock')}`,
    'pm = static',
    `pm.max_children = ${phpProcesses}`,
    '',
  ].join('\n')
}

function nginxConfig({ folder, port, path, keepAlive }: SiteFiles): string {
  const temporary = ['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'].map(
    (name) => `  ${name}_temp_path ${join(folder, `nginx-${name}`)};`,
  )
  return `
daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'nginx.log')};
events { worker_connections 256; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  keepalive_timeout ${keepAlive ? 60 : 0};
${temporary.join('\n')}
  server {
    listen 127.0.0.1:${port};
    server_name 127.0.0.1;
    root ${join(folder, 'public')};
    index index.php;
    client_max_body_size 16m;
    include ${join(folder, 'locations.conf')};
    location ${path}/ {
      try_files $uri $uri/ ${path}/index.php?$args;
    }
    location ~ \\.php$ {
      include /etc/nginx/fastcgi_params;
      # Debian's file leaves out the port.
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_pass unix:${join(folder, 'fpm.sock')};
    }
  }
}
`
}
