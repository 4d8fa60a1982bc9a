import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLeastRecentlyUsed } from '#server/domain/least-recently-used.ts'
import { matchingStyles, traitsOf } from './matching-styles.ts'
import { type Traits, traitsIn } from './page-traits.ts'
import { parseStyleSheet, type StyleSheet } from './style-sheet.ts'

/**
 * The styles that can have an effect on a page.
 *
 * @param hrefs the style sheets of the page, as the build names them
 * @param html the page without them
 */
export type StylesFor<T> = (hrefs: readonly string[], html: string) => T

/** So many results are kept; one public page has a handful of shapes. */
const KEPT = 64

/**
 * Reads each style sheet of the build once, and makes the styles of pages with the same traits once.
 *
 * @param folder of the built files
 * @param finish what is done with the text before it is kept
 */
export function createPageStyles<T extends object>(
  folder: string,
  finish: (css: string) => T,
): StylesFor<T> {
  const sheets = new Map<string, { sheet: StyleSheet; known: Traits }>()
  const results = createLeastRecentlyUsed<T>(KEPT)
  return (hrefs, html) => {
    const names = hrefs.join(' ')
    const { sheet, known } = sheets.get(names) ?? readSheet(folder, hrefs)
    sheets.set(names, { sheet, known })
    const traits = traitsIn(html, known)
    const key = `${names} ${[...traits].sort().join(' ')}`
    return results.find(key) ?? results.keep(key, finish(matchingStyles(sheet, traits)))
  }
}

function readSheet(folder: string, hrefs: readonly string[]) {
  const texts = hrefs.map((href) => {
    const file = path.join(folder, href)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  })
  const sheet = parseStyleSheet(texts.join(''))
  return { sheet, known: traitsOf(sheet) }
}
