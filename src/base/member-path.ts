/** One step of a path in a body: `[1]`, `.title`, `["two words"]`. */
export function memberStep(name: string | number): string {
  if (typeof name === 'number') return `[${name}]`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
