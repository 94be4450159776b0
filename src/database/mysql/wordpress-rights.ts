/** The rights of a user on all tables of a database. */
export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'CREATE' | 'DROP' | 'TRIGGER'

const rights: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'TRIGGER']

/** Rights that count where the user has them on each table. The others are needed for tables that do not exist yet. */
const rightsOnTables: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/**
 * The rights that a user has on all tables of a database.
 * @param grants lines of SHOW GRANTS. Rights on columns do not count.
 * @param tables the tables that are used. Rights on each of them count as rights on all. Default none: rights on tables do not count.
 */
export function rightsIn(
  grants: readonly string[],
  database: string,
  tables: readonly string[] = [],
): ReadonlySet<Right> {
  const held = new Set<Right>()
  const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``
  for (const right of tables.length === 0 ? [] : rightsOnTables)
    if (
      tables.every((table) =>
        grants.some((grant) => {
          const [, words = '', place = ''] = /^GRANT (.+?) ON (`.+`\.`.+`) TO /.exec(grant) ?? []
          // `SELECT (a, b), INSERT` has one right on columns and one on the table.
          const onTable = words.replaceAll(/[A-Z ]+\([^)]*\)/g, '')
          const granted = onTable.split(',').map((word) => word.trim())
          return (
            place === `${quoted(database)}.${quoted(table)}` &&
            (granted.includes(right) || granted.includes('ALL PRIVILEGES'))
          )
        }),
      )
    )
      held.add(right)
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
