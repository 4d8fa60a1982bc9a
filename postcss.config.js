import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import mantine from 'postcss-preset-mantine'
import { breakpoints } from './app/theme/breakpoints.ts'

const DARK = /\[data-mantine-color-scheme=(["']?)dark\1\]/g
const LIGHT = /\[data-mantine-color-scheme=(["']?)light\1\]/g

/**
 * Resolves the scheme `auto` by `prefers-color-scheme`, so that the theme "Sistema" works before and
 * without scripts. Mantine resolves it in the browser only.
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

/**
 * Color shades. Other colors have a meaning, such as `default` or `error`, and Mantine's scripts use them
 * by name.
 */
const SHADE =
  /^--mantine-color-(?:dark|gray|red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-/
/** Mantine's scripts compose these names, for our theme's primary color. */
const COMPOSED = /^--mantine-color-green-/

/**
 * Drops Mantine's shades that no style sheet and no used variable refers to. Public pages inline their
 * styles, and unused shades were almost half of them.
 */
const dropUnusedShades = () => ({
  postcssPlugin: 'drop-unused-shades',
  OnceExit(root) {
    if (!root.source?.input.file?.endsWith('default-css-variables.css')) return
    const used = usedVariables(root)
    root.walkDecls(SHADE, (declaration) => {
      if (!used.has(declaration.prop)) declaration.remove()
    })
    root.walkRules((rule) => {
      if (rule.nodes.length === 0) rule.remove()
    })
  },
})
dropUnusedShades.postcss = true

function usedVariables(root) {
  const values = new Map()
  root.walkDecls(/^--/, ({ prop, value }) => {
    values.set(prop, `${values.get(prop) ?? ''} ${value}`)
  })
  const used = new Set(referredTo(textOfStyles()))
  for (const prop of values.keys()) if (COMPOSED.test(prop) || !SHADE.test(prop)) used.add(prop)
  // Iterating a set visits values added meanwhile: variables used by used variables count too.
  for (const prop of used) for (const other of referredTo(values.get(prop) ?? '')) used.add(other)
  return used
}

const referredTo = (text) => [...text.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name)

/** Returns the text of our style sheets and of the Mantine sheets that they import. */
function textOfStyles() {
  const own = readdirSync(path.join(import.meta.dirname, 'app'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|css)$/.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const imported = [...own.matchAll(/'(@mantine\/core\/styles\/[^']+\.css)'/g)]
    .map(([, file]) => path.join(import.meta.dirname, 'node_modules', file))
    .filter((file) => !file.endsWith('default-css-variables.css'))
  return [own, ...imported.map((file) => readFileSync(file, 'utf8'))].join('\n')
}

/**
 * Resolves Mantine's scale factor, which is 1 here; browsers would compute it for every rule and element.
 * The variable stays: components write it into `style` attributes.
 */
const resolveScale = () => ({
  postcssPlugin: 'resolve-scale',
  OnceExit(root) {
    root.walkDecls((declaration) => {
      declaration.value = declaration.value.replaceAll(' * var(--mantine-scale)', '')
    })
  },
})
resolveScale.postcss = true

/** A constant length of the theme: `--mantine-spacing-md: rem(16px)`. */
const MEASURE = /^\s*(--mantine-(?:spacing|font-size)-\w+): rem\((\d+)px\);/gm

const measures = new Map(
  [
    ...readFileSync(path.join(import.meta.dirname, 'app/theme/theme.css'), 'utf8').matchAll(
      MEASURE,
    ),
  ].map(([, name, pixels]) => [`var(${name})`, `${pixels / 16}rem`]),
)

/**
 * Replaces the theme's lengths with their values: public pages inline their styles, and the names are
 * longer. The variables stay: components write them into `style` attributes.
 */
const resolveMeasures = () => ({
  postcssPlugin: 'resolve-measures',
  OnceExit(root) {
    root.walkDecls((declaration) => {
      declaration.value = declaration.value.replace(
        /var\(--mantine-[\w-]+\)/g,
        (name) => measures.get(name) ?? name,
      )
    })
  },
})
resolveMeasures.postcss = true

/**
 * Defines the theme's custom media queries: `(--below-sm)` and `(--from-sm)` for each breakpoint, and
 * `(--touch)` where fingers press: a telephone's screen, or one without a mouse.
 */
const nameMedia = () => ({
  postcssPlugin: 'name-media',
  AtRule: {
    media(rule) {
      rule.params = rule.params
        .replace('(--touch)', '(--below-sm), (pointer: coarse)')
        .replace(/\(--(below|from)-(\w+)\)/g, (whole, side, name) => {
          if (!breakpoints[name]) throw rule.error(`the theme has no breakpoint for ${whole}`)
          return `(width ${side === 'below' ? '<' : '>='} ${breakpoints[name]})`
        })
    },
  },
})
nameMedia.postcss = true

/* In development any source may start to use a shade, and Vite would serve the old variables. */
const isDevelopment = process.env.NODE_ENV === 'development'

export default {
  plugins: [
    mantine(),
    nameMedia(),
    ...(isDevelopment ? [] : [dropUnusedShades()]),
    followSystemScheme(),
    resolveScale(),
    // In development a change of theme.css takes effect at once.
    ...(isDevelopment ? [] : [resolveMeasures()]),
  ],
}
