import type { SeedTools } from 'as-rest-route'

/** The first one is the site's default category: where a post goes that names none. */
export const categories = [
  { slug: 'stories', name: 'Stories', description: 'What happens on both sides of the counter.' },
  { slug: 'pantry', name: 'Pantry', description: 'Jars, loaves, sacks and bottles.' },
  { slug: 'kitchen', name: 'Kitchen', description: 'Tools that outlast the recipe.' },
  { slug: 'garden', name: 'Garden', description: 'For beds, balconies and window sills.' },
  { slug: 'paper-ink', name: 'Paper & Ink', description: 'Everything a letter needs except the courage.' },
] as const satisfies readonly Parameters<SeedTools['terms']['create']>[0][]
