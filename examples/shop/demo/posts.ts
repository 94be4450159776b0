import type { Post } from './post.js'
import { firstYear } from './posts/first-year.js'
import { secondYear } from './posts/second-year.js'

/** Every story, oldest first. */
export const posts: readonly Post[] = [...firstYear, ...secondYear]
