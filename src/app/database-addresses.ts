/** The database of a service whose options name none. */
export const defaultDatabase = 'sqlite:data/site.sqlite'

/** A database that ends with its service. */
export const temporaryDatabase = 'sqlite::memory:'
