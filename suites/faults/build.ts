import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = fileURLToPath(new URL('./dist/', import.meta.url))

/** The built command, and the folder of the built application. */
export const built = { command: `${folder}cli/main.js`, application: `${folder}application` } as const

/** Builds the package with the application of this suite, which the kills start dozens of times: without tsx, in a third of the time. */
export async function buildApplication(): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: {
      'cli/main': 'src/cli/main.ts',
      'hash-worker': 'src/auth/hash-worker.ts',
      'application/faults-api': 'suites/faults/application/faults-api.ts',
      'application/as-rest-route.config': 'suites/faults/application/as-rest-route.config.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    // `as-rest-route` is this package, by the paths of tsconfig.json.
    external: ['as-rest-route/package.json'],
    packages: 'external',
    plugins: [
      {
        name: 'self',
        setup: (context) => context.onResolve({ filter: /^as-rest-route$/ }, () => ({ path: `${root}src/index.ts` })),
      },
    ],
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  })
}
