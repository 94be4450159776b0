/** A variable of the environment; one that is set to nothing, as docker-compose does with what it does not know, is none. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name] || undefined
}
