/** The rights of a user on all tables of a database. */
export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'CREATE' | 'DROP' | 'TRIGGER'

const rights: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'TRIGGER']

/** @param grants lines of SHOW GRANTS. Rights on single tables or columns do not count. */
export function rightsIn(grants: readonly string[], database: string): ReadonlySet<Right> {
  const held = new Set<Right>()
  for (const grant of grants) {
    const [, words = '', scope = ''] = /^GRANT (.+?) ON (\*|`(?:[^`]|``)+`)\.\* TO /.exec(grant) ?? []
    if (scope !== '*' && !matches(scope, database)) continue
    const granted = words.split(',').map((word) => word.trim())
    for (const right of rights) if (granted.includes(right) || granted.includes('ALL PRIVILEGES')) held.add(right)
  }
  return held
}

/** The name of a database in a grant is a pattern: `_` is any character and `%` any text. */
function matches(scope: string, database: string): boolean {
  const pattern = scope.slice(1, -1).replaceAll('``', '`')
  const expression = pattern.replace(/\\([\\%_])|[%_]|[^\\%_]+|\\/g, (part, escaped?: string) => {
    if (escaped !== undefined) return escaped === '\\' ? '\\\\' : escaped
    if (part === '%') return '.*'
    return part === '_' ? '.' : part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  })
  return new RegExp(`^${expression}$`, 's').test(database)
}
