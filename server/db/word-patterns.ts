import { searchable } from '#server/domain/identity/text.ts'

/** One LIKE pattern per word of a search, for columns of `searchable` text; escapes wildcards in the input. */
export function wordPatterns(text: string): string[] {
  const words = searchable(text).split(/\s+/).filter(Boolean)
  return words.map((word) => `%${word.replace(/[%_\\]/g, '\\$&')}%`)
}
