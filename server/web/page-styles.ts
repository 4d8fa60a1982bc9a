import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLeastRecentlyUsed } from '#server/domain/least-recently-used.ts'
import { matchingStyles, traitsOf } from './matching-styles.ts'
import { type Traits, traitsIn } from './page-traits.ts'
import { parseStyleSheet, type StyleSheet } from './style-sheet.ts'

/**
 * The styles that can affect a page.
 *
 * @param hrefs the page's style sheets, as named by the build
 * @param html the page without its style sheets
 */
export type StylesFor<T> = (hrefs: readonly string[], html: string) => T

/** Cached results; a public page has a handful of shapes. */
const KEPT = 64

/**
 * Reads each built style sheet once, and computes the styles once per set of traits.
 *
 * @param folder of the built files
 * @param finish transforms the text before it is cached
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
