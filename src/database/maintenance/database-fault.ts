/** Something that is wrong with a database. */
export interface DatabaseFault {
  readonly sentence: string
  readonly remedy: string
}
