import { oneLine } from '../one-line.ts'

const MOST = 200
/** Of the name of the file, so that something of the title is left before it. */
const MOST_OF_NAME = 120
const BETWEEN = ' · '

/** The title of a document that came with others under one title: `Crédito Núñez · poder`. */
export function titleAmongSeveral(title: string, fileName: string): string {
  const name = oneLine(fileName.replace(/\.pdf$/i, ''), MOST_OF_NAME)
  return name === '' ? title : oneLine(title, MOST - BETWEEN.length - name.length) + BETWEEN + name
}
