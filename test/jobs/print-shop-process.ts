import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { typescriptArguments } from '../support/typescript.js'

const program = fileURLToPath(new URL('./print-shop.ts', import.meta.url))

/** Starts a process that does jobs. */
export async function openShop(database: string): Promise<ChildProcess> {
  const child = fork(program, [database], { execArgv: typescriptArguments })
  await once(child, 'message')
  return child
}

/** Kills a process, unless it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
