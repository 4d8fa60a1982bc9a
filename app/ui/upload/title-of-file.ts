import { titleTooLong } from '#server/words/documents.ts'

/**
 * The title of a document that is named after its file: whole, even if it is longer than a title may be. The server takes out
 * what cannot be seen.
 */
export function titleOfFile(name: string): string {
  const file = name.normalize('NFC').replace(/\s+/g, ' ').trim()
  return file.replace(/\.pdf$/i, '').trim() || file
}

/** The same for one of several files, which share what was typed. */
export const titleAmong = (typed: string, name: string): string =>
  typed === '' ? titleOfFile(name) : `${typed} · ${titleOfFile(name)}`

/** What is wrong with a title, es-MX; undefined if nothing is. */
export function faultOfTitle(title: string, longest: number): string | undefined {
  const { length } = title.trim()
  if (length === 0) return 'Escriba el título del documento.'
  return length > longest ? titleTooLong(length, longest) : undefined
}
