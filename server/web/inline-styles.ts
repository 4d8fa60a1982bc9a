import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The text of the given style sheets of the build, for pages that carry their styles in themselves. */
export type InlineStyles = (hrefs: readonly string[]) => string

export function createInlineStyles(folder: string): InlineStyles {
  const texts = new Map<string, string>()
  const textOf = (href: string) => {
    let text = texts.get(href)
    if (text === undefined) {
      const file = path.join(folder, href)
      text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
      texts.set(href, text)
    }
    return text
  }
  return (hrefs) => hrefs.map(textOf).join('')
}
