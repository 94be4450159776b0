/**
 * Makes the compiler know what the application declares. Merge into it once, beside the declaration:
 * `declare module 'as-rest-route' { interface Register { content: typeof content } }`, where `content` is the result of
 * `defineContent`. `RecordStore` then takes the declared types, statuses, metadata and taxonomies and no others. While it
 * is empty, all names are texts.
 */
export interface Register {}
