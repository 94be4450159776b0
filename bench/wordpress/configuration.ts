/** Workers of PHP: one waits for the database while another computes. */
const workers = 4

export interface Paths {
  /** Absolute, with a slash at its end; holds everything that the servers write. */
  readonly folder: string
  /** Absolute path of `index.php`. */
  readonly index: string
  /** Whether the benchmark is run by root, who must be named to be allowed. */
  readonly root: boolean
}

/** A fixed set of workers, which keep their connection to nginx; the code is compiled once and never looked at again. */
export function phpFpmConfiguration({ folder, root }: Paths, environment: Readonly<Record<string, string>>): string {
  return [
    '[global]',
    'daemonize = no',
    `error_log = ${folder}php-fpm.log`,
    '[www]',
    `listen = ${folder}php.sock`,
    ...(root ? ['user = root', 'group = root'] : []),
    'pm = static',
    `pm.max_children = ${workers}`,
    'php_admin_value[opcache.enable] = 1',
    'php_admin_value[opcache.validate_timestamps] = 0',
    'php_admin_value[error_log] = /dev/stderr',
    ...Object.entries(environment).map(([name, value]) => `env[${name}] = "${value}"`),
    '',
  ].join('\n')
}

/**
 * Two servers before the same PHP: one without, one with a page cache. What `/etc/nginx/nginx.conf` of Debian sets is set
 * here as well, but nothing is logged, as by the other servers.
 */
export function nginxConfiguration({ folder, index, root }: Paths, port: number, cachedPort: number): string {
  return `daemon off;
${root ? 'user root;' : ''}
worker_processes 1;
pid ${folder}nginx.pid;
error_log ${folder}nginx.log;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  gzip on;
  keepalive_requests 1000000000;
  client_body_temp_path ${folder}bodies;
  proxy_temp_path ${folder}proxied;
  fastcgi_temp_path ${folder}answers;
  uwsgi_temp_path ${folder}uwsgi;
  scgi_temp_path ${folder}scgi;
  fastcgi_cache_path ${folder}pages levels=1:2 keys_zone=pages:10m;
  fastcgi_cache_key "$request_method$host$request_uri";
  fastcgi_param REQUEST_METHOD $request_method;
  fastcgi_param REQUEST_URI $request_uri;
  fastcgi_param QUERY_STRING $query_string;
  fastcgi_param CONTENT_TYPE $content_type;
  fastcgi_param CONTENT_LENGTH $content_length;
  fastcgi_param SERVER_PROTOCOL $server_protocol;
  fastcgi_param SERVER_NAME $host;
  fastcgi_param SERVER_PORT $server_port;
  fastcgi_param REMOTE_ADDR $remote_addr;
  fastcgi_param HTTP_AUTHORIZATION $http_authorization;
  fastcgi_param SCRIPT_NAME /index.php;
  fastcgi_param SCRIPT_FILENAME ${index};
  fastcgi_keep_conn on;
  upstream php { server unix:${folder}php.sock; keepalive ${workers}; }
  server {
    listen 127.0.0.1:${port};
    location / { fastcgi_pass php; }
  }
  server {
    listen 127.0.0.1:${cachedPort};
    location / {
      fastcgi_pass php;
      fastcgi_cache pages;
      fastcgi_cache_valid 200 60s;
      fastcgi_cache_lock on;
    }
  }
}
`
}
