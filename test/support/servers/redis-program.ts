import type { ServerProgram } from './server-program.js'

/** It keeps nothing on disk. */
export const redisProgram: ServerProgram = {
  name: 'Redis',
  debianPackage: 'redis-server',
  variable: 'TEST_REDIS_URL',
  users: ['redis', 'nobody'],
  // There is nothing to initialise.
  initialise: 'redis-server',
  server: 'redis-server',
  folders: () => ['/usr/local/bin'],
  files: (password) => ({ 'redis.conf': `requirepass ${password}\nsave ""\nappendonly no\n` }),
  initialiseArguments: () => ['--version'],
  serverArguments: ({ folder, port }, settings) => [
    `${folder}/redis.conf`,
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
    ...settings.flatMap((setting) => {
      const [name = '', value = ''] = setting.split('=')
      return [`--${name}`, value]
    }),
  ],
  readyLine: /Ready to accept connections/,
  stopSignal: 'SIGTERM',
  dropSignal: 'SIGKILL',
  url: ({ port, password }) => `redis://:${password}@127.0.0.1:${port}`,
}
