import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { encodeText } from '../../src/php/text.js'

/** What PHP writes for a serialised value that it has read; null when it does not read it. */
export type PhpResult = Buffer | null

/** Asks one process of PHP about all texts. @throws Error when there is no php, or it ends early. */
export async function askPhp(texts: readonly string[]): Promise<PhpResult[]> {
  const php = spawn('php', ['-d', 'memory_limit=512M', fileURLToPath(new URL('peer.php', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const failed = new Promise<never>((_, reject) => php.once('error', reject))
  php.stdin.on('error', () => undefined)
  php.stdin.end(texts.map((text) => `${Buffer.from(encodeText(text)).toString('base64')}\n`).join(''))
  const responses: PhpResult[] = []
  const read = async (): Promise<void> => {
    for await (const line of createInterface({ input: php.stdout }))
      responses.push(line === '-' ? null : Buffer.from(line, 'base64'))
  }
  await Promise.race([read(), failed])
  if (responses.length !== texts.length) throw new Error(`php answered ${responses.length} of ${texts.length} times.`)
  return responses
}
