import { shownText } from '#server/domain/text/shown-text.ts'

const MOST = 200
/** Limit for the file name, so that the title keeps some room. */
const MOST_OF_NAME = 120
const BETWEEN = ' · '

/**
 * The title of a document that was uploaded with others under one title, `Crédito Núñez · poder`, or under
 * none: `poder`.
 */
export function titleAmongSeveral(title: string | null, fileName: string): string {
  const withoutEnding = fileName.replace(/\.pdf$/i, '')
  if (title === null) return shownText(withoutEnding || fileName, MOST)
  const name = shownText(withoutEnding, MOST_OF_NAME)
  return name === ''
    ? title
    : shownText(title, MOST - BETWEEN.length - name.length) + BETWEEN + name
}
