/** A variable of the environment. An empty one counts as absent: docker-compose sets unknown variables to nothing. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name] || undefined
}
