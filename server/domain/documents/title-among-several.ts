import { shownText } from '#server/domain/text/shown-text.ts'
import { LONGEST_TITLE } from './document.ts'
import { LONGEST_FILE_NAME } from './file-name.ts'

/** Limit for the file name, so that the title keeps some room. */
const MOST_OF_NAME = 120
const BETWEEN = ' · '

/**
 * The title of a document that was uploaded with others under one title, `Crédito Núñez · poder`, or under
 * none: `poder`.
 */
export const titleAmongSeveral = (title: string | null, fileName: string): string =>
  joined(title, fileName, { whole: LONGEST_TITLE, name: MOST_OF_NAME })

/** Whether that title lacks a part of the title or of the file name. */
export const isShortenedAmongSeveral = (title: string | null, fileName: string): boolean =>
  [...fileName].length === LONGEST_FILE_NAME ||
  titleAmongSeveral(title, fileName) !==
    joined(title, fileName, { whole: Number.POSITIVE_INFINITY, name: Number.POSITIVE_INFINITY })

function joined(title: string | null, fileName: string, most: { whole: number; name: number }) {
  const withoutEnding = fileName.replace(/\.pdf$/i, '')
  if (title === null) return shownText(withoutEnding || fileName, most.whole)
  const name = shownText(withoutEnding, most.name)
  return name === ''
    ? title
    : shownText(title, most.whole - BETWEEN.length - name.length) + BETWEEN + name
}
