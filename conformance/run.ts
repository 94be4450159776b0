import { runCommand } from './command.js'

const write = (line: string): void => void process.stdout.write(`${line}\n`)
process.exitCode = await runCommand(process.argv.slice(2), write).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 2
})
