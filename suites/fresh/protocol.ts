/** The address of the site, which the names of its cookies depend on. All processes serve it. */
export const siteUrl = 'http://fresh.example'

export interface Started {
  readonly port: number
}

/** A write over HTTP. */
export interface Change {
  readonly what: 'record' | 'user'
  readonly id: number
  readonly value: string
}
