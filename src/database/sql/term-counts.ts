import type { SqlConnection } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/** Sets `count` to the number of published posts of each term that the condition picks. */
export function recountStatement(tables: TableNames, condition: string): string {
  const { term_taxonomy, term_relationships, posts } = tables
  return `UPDATE ${term_taxonomy} SET count = (SELECT COUNT(*) FROM ${term_relationships} o
    JOIN ${posts} p ON p.ID = o.object_id
    WHERE o.term_taxonomy_id = ${term_taxonomy}.term_taxonomy_id AND p.post_status = 'publish') WHERE ${condition}`
}

export async function recountTerms(
  connection: SqlConnection,
  tables: TableNames,
  dialect: SqlDialect,
  termTaxonomyIds: readonly number[],
): Promise<void> {
  if (termTaxonomyIds.length === 0) return
  const condition = dialect.isOneOf('term_taxonomy_id', termTaxonomyIds)
  await connection.execute(recountStatement(tables, condition.text), condition.values)
}
