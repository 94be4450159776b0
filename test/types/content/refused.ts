import { defineConfig, defineContent } from 'as-rest-route'
import type { AfterCommit, RecordStore, SeedTools, SiteOptions, StoredRecord, Terms, Users } from 'as-rest-route'

declare const records: RecordStore
declare const terms: Terms
declare const users: Users
declare const options: SiteOptions
declare const event: StoredRecord<'event'>

// @ts-expect-error a misspelt type in a list
export const type = records.list({ type: 'evnt' })
// @ts-expect-error a misspelt type among several
export const types = records.list({ type: ['event', 'tickt'] })
// @ts-expect-error a misspelt status
export const status = records.list({ type: 'event', status: 'publsh' })
// @ts-expect-error a status of another type
export const statusOfOther = records.count({ type: 'ticket', status: 'sold_out' })
// @ts-expect-error a misspelt key of metadata in a condition
export const where = records.list({ type: 'event', where: { capcity: 5 } })
// @ts-expect-error a misspelt key in a query in WordPress's words
export const metaQuery = records.list({ type: 'event', meta_query: { key: 'capcity', value: 5 } })
// @ts-expect-error a misspelt order
export const order = records.list({ type: 'event', orderby: 'titel' })
// @ts-expect-error an order by a misspelt key
export const metaOrder = records.list({ type: 'event', orderby: { meta: 'prise' } })
// @ts-expect-error a misspelt key among those to read
export const keys = records.list({ type: 'event', meta_keys: ['prise'] })
// @ts-expect-error a misspelt taxonomy
export const term = records.list({ type: 'event', term: { taxonomy: 'knd', slug: 'concert' } })
// @ts-expect-error a misspelt taxonomy in a query in WordPress's words
export const taxQuery = records.list({ type: 'event', tax_query: { taxonomy: 'knd', terms: 'concert' } })
// @ts-expect-error a misspelt order of one of several
export const laterOrder = records.list({ type: 'event', orderby: ['title', { by: { meta: 'prise' }, order: 'desc' }] })
// @ts-expect-error a misspelt direction
export const direction = records.list({ type: 'event', orderby: 'title', order: 'descending' })
// @ts-expect-error a misspelt field to read
export const field = records.list({ type: 'event', fields: ['titel'] })
// @ts-expect-error a misspelt type in a page
export const paged = records.page({ type: 'evnt' })
// @ts-expect-error a misspelt type of a new record
export const newType = records.insert({ type: 'evnt' })
// @ts-expect-error a misspelt status of a new record
export const newStatus = records.insert({ type: 'event', status: 'publsh' })
// @ts-expect-error a misspelt key of new metadata
export const newKey = records.insert({ type: 'event', meta: { capcity: 5 } })
// @ts-expect-error metadata of another type
export const newValue = records.insert({ type: 'event', meta: { capacity: 'many' } })
// @ts-expect-error metadata that is none of its enum
export const newMember = records.insert({ type: 'event', meta: { level: 'medium' } })
// @ts-expect-error a taxonomy that the type does not have
export const newTerm = records.insert({ type: 'event', terms: { post_tag: ['a'] } })
// @ts-expect-error a misspelt key in a change
export const change = records.update(5, { meta: { capcity: 5 } })
// @ts-expect-error a misspelt key to remove
export const removed = records.update(5, { remove_meta: ['capcity'] })
// @ts-expect-error a misspelt status in a condition
export const condition = records.delete(5, { if: { status: 'trahs' } })
// @ts-expect-error a misspelt type of a single record
export const single = records.get(5, { type: 'evnt' })
// @ts-expect-error a misspelt key of a record
export const read = event.meta.capcity
// @ts-expect-error a key that may be absent
export const absent: number = event.meta.price
// @ts-expect-error a misspelt taxonomy of terms
export const taxonomy = terms.list('knd')
// @ts-expect-error a misspelt taxonomy of a new term
export const newTermOf = terms.create({ name: 'Concert', taxonomy: 'knd' })
// @ts-expect-error a misspelt taxonomy of a term that is found or created
export const termOf = terms.findOrCreate({ name: 'Concert', taxonomy: 'knd' })
// @ts-expect-error a misspelt type in a change
export const typeOfChange = records.update(5, { type: 'evnt' })
// @ts-expect-error a misspelt type in a transaction
export const inside = records.transaction((some) => some.insert({ type: 'evnt' }))
// @ts-expect-error a misspelt type in a loop
export const all = records.each({ type: 'evnt' })
// @ts-expect-error an order of a loop, which goes by id
export const ordered = records.each({ type: 'event', orderby: 'title' })
// @ts-expect-error a misspelt type in a seed
export const seed = (tools: SeedTools) => tools.records.insert({ type: 'evnt' })
// @ts-expect-error a misspelt option
export const option = options.get('loan_day')
// @ts-expect-error an option of another type
export const optionValue = options.set('loan_days', 'many')
// @ts-expect-error a misspelt key of a user
export const userMeta = users.setMeta(1, { crad: '1' })
// @ts-expect-error a misspelt key of a term
export const termMeta = terms.setMeta(1, { color: '#ff0000' })
// @ts-expect-error a misspelt key of a record that was written
export const written: AfterCommit<'event'> = { inserted: ({ meta }) => meta.capcity }
// @ts-expect-error a misspelt type in the configuration
export const configured = defineConfig({ record_types: { evnt: {} } })
// @ts-expect-error functions in the declaration that their types follow from
export const early = defineContent({ record_types: { event: { after_commit: { inserted: () => 5 } } } })
