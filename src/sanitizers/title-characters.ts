// The characters that a slug replaces or removes in the context `save` of `sanitizeTitle`. The title is percent-encoded
// before, so these expressions match percent-encoded characters.

/** Replaced by a dash: dashes, the slash, and spaces outside ASCII. */
export const replacedByDash: RegExp = anyOf(
  '\u00a0\u2011\u2013\u2014\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f',
  ['&nbsp;', '&#160;', '&#8209;', '&ndash;', '&#8211;', '&mdash;', '&#8212;', '/'],
)

/** Removed: quotation marks, bullets, symbols such as `©`, standalone accents and invisible characters. */
export const removedFromSlug: RegExp = anyOf(
  '\u00ad\u00a1\u00bf\u00ab\u00bb\u2039\u203a\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2022\u00a9\u00ae\u00b0' +
    '\u2026\u2122\u00b4\u02ca\u0300\u0301\u0304\u030c\u0341\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e' +
    '\ufeff\ufffc',
)

/** Matches the percent-encoded form of each character, and each text as it is. */
function anyOf(characters: string, texts: readonly string[] = []): RegExp {
  const encoded = Array.from(characters, (character) => encodeURIComponent(character).toLowerCase())
  return new RegExp([...encoded, ...texts].join('|'), 'g')
}
