import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import mantine from 'postcss-preset-mantine'

const DARK = /\[data-mantine-color-scheme=(["']?)dark\1\]/g
const LIGHT = /\[data-mantine-color-scheme=(["']?)light\1\]/g

/**
 * Gives the scheme `auto` both looks by `prefers-color-scheme`, so that the theme "Sistema" works before
 * any script runs and without one. Mantine itself resolves `auto` in the browser only.
 */
const followSystemScheme = () => ({
  postcssPlugin: 'follow-system-scheme',
  OnceExit(root, { AtRule }) {
    const schemes = [
      [DARK, 'dark'],
      [LIGHT, 'light'],
    ]
    for (const [pattern, scheme] of schemes) {
      root.walkRules((rule) => {
        if (rule.followsSystem || !rule.selector.match(pattern)) return
        const copy = rule.clone({
          selector: rule.selector.replaceAll(pattern, '[data-mantine-color-scheme=auto]'),
        })
        copy.followsSystem = true
        const media = new AtRule({
          name: 'media',
          params: `(prefers-color-scheme: ${scheme})`,
        })
        media.append(copy)
        rule.after(media)
      })
    }
  },
})
followSystemScheme.postcss = true

/** Hues of Mantine to which no other variable of Mantine refers. */
const HUES = ['pink', 'grape', 'violet', 'indigo', 'cyan', 'lime', 'yellow', 'orange']

/**
 * Leaves out the shades of hues that the application never names: public pages carry their styles in
 * themselves, and these are a fifth of them.
 */
const dropUnnamedHues = () => ({
  postcssPlugin: 'drop-unnamed-hues',
  Declaration(declaration) {
    const [, hue] = /^--mantine-color-([a-z]+)-/.exec(declaration.prop) ?? []
    if (HUES.includes(hue) && !namedInApp().has(hue)) declaration.remove()
  },
})
dropUnnamedHues.postcss = true

let named
function namedInApp() {
  named ??= new Set(
    readdirSync(path.join(import.meta.dirname, 'app'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:tsx?|css)$/.test(entry.name))
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
      .flatMap((text) => HUES.filter((hue) => new RegExp(`\\b${hue}\\b`).test(text))),
  )
  return named
}

export default { plugins: [mantine(), followSystemScheme(), dropUnnamedHues()] }
