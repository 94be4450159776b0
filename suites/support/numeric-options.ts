import { parseArgs } from 'node:util'

/**
 * Options of the command line that are whole numbers: `--seed 7 --count=1000`. `--help` prints them and ends the process;
 * so does a wrong one, with status 2.
 * @param defaults every option with the value that it has when it is left out.
 * @param args words of the command line.
 */
export function numericOptions<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  args: readonly string[] = process.argv.slice(2),
): Readonly<Record<Name, number>> {
  const names = Object.keys(defaults) as Name[]
  const usage = `Options, with their defaults: ${names.map((name) => `--${name} ${defaults[name]}`).join(' ')}\n`
  try {
    const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
    const { values } = parseArgs({
      args: [...args],
      options: { ...texts, help: { type: 'boolean' } } as Record<string, { readonly type: 'string' | 'boolean' }>,
    })
    if (values['help'] === true) end(usage, 0)
    const options: Record<Name, number> = { ...defaults }
    for (const name of names) {
      const text = values[name]
      if (text !== undefined) options[name] = wholeNumber(name, String(text))
    }
    return options
  } catch (error) {
    return end(`${(error as Error).message}\n${usage}`, 2)
  }
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`--${name} is '${text}': give a whole number.`)
  return number
}

function end(text: string, status: number): never {
  ;(status === 0 ? process.stdout : process.stderr).write(text)
  process.exit(status)
}
