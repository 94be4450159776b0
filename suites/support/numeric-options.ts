import { parseArgs } from 'node:util'

/**
 * Options of the command line that are whole numbers: `--seed 7 --count=1000`.
 * @param defaults every option with the value that it has when it is left out.
 * @param args words of the command line.
 */
export function numericOptions<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  args: readonly string[] = process.argv.slice(2),
): Readonly<Record<Name, number>> {
  const names = Object.keys(defaults) as Name[]
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  })
  const options: Record<Name, number> = { ...defaults }
  for (const name of names) {
    const text = values[name]
    if (text === undefined) continue
    const number = Number(text)
    if (!Number.isSafeInteger(number) || number < 0)
      throw new RangeError(`--${name} is ${String(text)}: give a number.`)
    options[name] = number
  }
  return options
}
