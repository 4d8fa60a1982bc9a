import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/*
 * A page without hydration carries only styles for classes, keyframes and variables that its markup names
 * (server/web/page-styles.ts), so an island must work with what the server wrote, as in a <template>.
 */

const ISLANDS = path.resolve(import.meta.dirname, '../../../../app/islands')
const ADDS_STYLES =
  /\bclassName\b|\bclassList\b|['"]class['"]|\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\b|\bsetHTML|\.style\b|\bcssText\b|\.animate\(|\badoptedStyleSheets\b|['"`]style['"`]/

/** Shows a whole page of the server, with that page's styles. */
const SHOWS_PAGES = 'show-answer.ts'

const islands = readdirSync(ISLANDS, { recursive: true, encoding: 'utf8' })

test.each(islands.filter((file) => file !== SHOWS_PAGES))(
  '%s names no class and no style',
  (file) => {
    expect(readFileSync(path.join(ISLANDS, file), 'utf8')).not.toMatch(ADDS_STYLES)
  },
)
