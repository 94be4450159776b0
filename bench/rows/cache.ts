import { execFileSync } from 'node:child_process'
import { root } from '../places.js'
import type { Check } from '../report/check.js'

/** Whether the product's declarations know `cache`. */
export function knowsCache(node: string): boolean {
  const question = `import('./dist/route/declaration.js')
    .then(({ declarationKeys }) => process.stdout.write(String(declarationKeys.includes('cache'))))`
  return execFileSync(node, ['--input-type=module', '-e', question], { cwd: root, encoding: 'utf8' }) === 'true'
}

/** The rows that wait for it. */
export const cacheChecks: readonly Check[] = [
  ['list', 4.5],
  ['partial', 4.4],
].map(([name, target]) => ({
  id: `cached-${name}`,
  title: `${name} served from the response cache`,
  target: `≥ ${Number(target).toFixed(2)} × Fastify`,
  measured: '–',
  met: 'not built',
}))
