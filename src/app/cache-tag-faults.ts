import { suggestion } from '../base/nearest.js'
import { isMap } from '../php/array-shape.js'
import type { Diagnostic } from './startup-error.js'
import { subjectOf, type ServedRoute } from '../routing/handler-class.js'
import { sourceLocationOf } from '../routing/source-location.js'

const otherTags = ['terms', 'users', 'options']

/**
 * Reports the tags in `cache` that name no kind of row. No write would ever drop a response with such a tag before its
 * time is over.
 * @param types the names of all types of records.
 */
export function faultsOfCacheTags(routes: readonly ServedRoute[], types: readonly string[]): readonly Diagnostic[] {
  const validTags = [...types, ...otherTags]
  return routes.flatMap((route) =>
    tagsOf(route.declaration)
      .filter((tag) => !validTags.some((name) => name.toLowerCase() === tag.toLowerCase()))
      .map((tag) => {
        const message = `the tag '${tag}' of 'cache' is neither a record type of this application nor 'terms', 'users' or 'options'.${suggestion(tag, validTags)}`
        return { code: 'cache-tag-unknown', location: sourceLocationOf(route.site), subject: subjectOf(route), message }
      }),
  )
}

function tagsOf(declaration: unknown): readonly string[] {
  const cache = isMap(declaration) ? declaration['cache'] : undefined
  const tags = isMap(cache) ? cache['tags'] : undefined
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}
