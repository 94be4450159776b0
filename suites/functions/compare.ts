import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { toJson } from '../../src/http/json.js'
import { parseJson } from '../../src/php/json-parser.js'
import { filterStyle } from '../../src/sanitizers/style.js'
import { wordpressFunctions } from '../../src/sanitizers/wordpress-functions.js'
import type { ArgumentRules } from '../../src/validation/rules.js'
import { compileSchema } from '../../src/validation/schema.js'
import { wordpressFolder } from '../../test/support/wordpress/wordpress-programs.js'
import { Random } from '../support/random.js'
import { schemaOf, valueOf } from './schemas.js'
import { styleOf, textOf } from './texts.js'

/** One call of a function of WordPress, and of the one here that stands for it. */
interface Call {
  /** The name and the argument in JSON, as the peer reads them. */
  readonly line: string
  /** @returns the result as JSON has it. */
  readonly ours: () => unknown
}

/** Functions of which every version of WordPress since 6.1 returns the same for the texts of this suite. */
const names = [
  ['esc_attr', 'esc_html', 'esc_url', 'esc_url_raw', 'is_email', 'rest_parse_date', 'rest_parse_hex_color'],
  ['sanitize_email', 'sanitize_hex_color', 'sanitize_html_class', 'sanitize_key', 'sanitize_mime_type'],
  [
    'sanitize_text_field',
    'sanitize_textarea_field',
    'sanitize_title',
    'sanitize_user',
    'wp_is_uuid',
    'wp_parse_id_list',
  ],
  ['wp_parse_list', 'wp_parse_slug_list', 'wp_strip_all_tags'],
].flat()

export const hasWordpress = (): boolean => existsSync(`${wordpressFolder}/wp-includes/rest-api.php`)

export interface Finding {
  readonly index: number
  readonly call: string
  readonly ours: string
  readonly theirs: string
}

/** Compares the calls `first` to `first + count - 1` of a seed. Calls at which PHP itself fails count for nothing. */
export async function findingsIn({ seed, first, count }: { seed: number; first: number; count: number }) {
  const calls = Array.from({ length: count }, (_, index) => callOf(new Random(seed, first + index)))
  const findings: Finding[] = []
  let failed = 0
  for (const [index, response] of (await askPhp(calls.map(({ line }) => line))).entries()) {
    const call = calls[index] as Call
    if (response === '-') {
      failed += 1
      continue
    }
    const [ours, theirs] = [comparable(resultOf(call)), comparable(JSON.parse(response))]
    if (ours !== theirs) findings.push({ index: first + index, call: call.line, ours, theirs })
  }
  return { findings, failed }
}

function callOf(random: Random): Call {
  return random.choose<Call>([
    [5, () => checkOf(random)],
    [2, () => textCall('safecss_filter_attr', styleOf(random), (text) => filterStyle(text))],
    [5, () => namedCall(random.pick(names), textOf(random))],
  ])
}

const namedCall = (name: string, text: string): Call =>
  textCall(name, text, (argument) => wordpressFunctions.get(name)?.(argument))

function textCall(name: string, text: string, work: (text: string) => unknown): Call {
  return { line: JSON.stringify([name, text]), ours: () => work(text) }
}

function checkOf(random: Random): Call {
  const rules = schemaOf(random)
  const text = valueOf(random)
  return {
    line: `["checked_by_schema",{"schema":${JSON.stringify(rules)},"value":${text}}]`,
    ours() {
      const schema = compileSchema(rules as ArgumentRules)
      const value = parseJson(text)
      const isFloat = typeof value === 'number' && Number.isInteger(value) && /[.eE]/.test(text)
      const invalid = schema.validate(value, 'p', isFloat)
      const { value: coerced, problem } = invalid
        ? { value: null, problem: invalid }
        : schema.sanitize(value, 'p', isFloat)
      if (problem !== null) return { code: problem.code, message: problem.message }
      return { value: (JSON.parse(toJson([coerced])) as readonly unknown[])[0] }
    },
  }
}

function resultOf({ ours }: Call): unknown {
  try {
    return ours()
  } catch (error) {
    return { thrown: String(error) }
  }
}

/** One text for equal values. The empty map is the empty list, and the order of keys does not matter. */
function comparable(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const entries = Object.entries(inner)
    return entries.length === 0 ? [] : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** @throws Error when there is no php, or it ends early. */
async function askPhp(lines: readonly string[]): Promise<string[]> {
  const peer = fileURLToPath(new URL('peer.php', import.meta.url))
  const php = spawn('php', ['-d', 'memory_limit=512M', peer, wordpressFolder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const failed = new Promise<never>((_, reject) => php.once('error', reject))
  php.stdin.on('error', () => undefined)
  php.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const responses: string[] = []
  const read = async (): Promise<void> => {
    for await (const line of createInterface({ input: php.stdout })) responses.push(line)
  }
  await Promise.race([read(), failed])
  if (responses.length !== lines.length) throw new Error(`php answered ${responses.length} of ${lines.length} times.`)
  return responses
}
