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

export default { plugins: [mantine(), followSystemScheme()] }
