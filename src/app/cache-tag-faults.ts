import { suggestion } from '../base/nearest.js'
import { isMap } from '../php/array-shape.js'
import type { StartFault } from './startup-error.js'
import { subjectOf, type FoundRoute } from '../routing/handler-class.js'
import { placeOf } from '../routing/source-location.js'

const otherTags = ['terms', 'users', 'options']

/**
 * Tags of cached routes that no write ever touches: answers would stay for their whole time.
 * @param types the names of all types of records.
 */
export function faultsOfCacheTags(routes: readonly FoundRoute[], types: readonly string[]): readonly StartFault[] {
  const known = [...types, ...otherTags]
  return routes.flatMap((found) =>
    tagsOf(found.declaration)
      .filter((tag) => !known.some((name) => name.toLowerCase() === tag.toLowerCase()))
      .map((tag) => {
        const sentence = `the tag '${tag}' of 'cache' is no type of record that this application has.${suggestion(tag, known)}`
        return { place: placeOf(found.site), subject: subjectOf(found), sentence }
      }),
  )
}

function tagsOf(declaration: unknown): readonly string[] {
  const cache = isMap(declaration) ? declaration['cache'] : undefined
  const tags = isMap(cache) ? cache['tags'] : undefined
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}
