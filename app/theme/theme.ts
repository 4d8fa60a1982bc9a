import {
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core'
import { breakpoints } from './breakpoints.ts'

/** The colours of a state, by what it means; theme.css gives each a text, a ground and a line in both schemes. */
const TONES: readonly string[] = ['good', 'wait', 'bad', 'note', 'plain']

const toneColors: VariantColorsResolver = (input) => {
  const { color = '' } = input
  if (!TONES.includes(color)) return defaultVariantColorsResolver(input)
  const tone = `var(--${color})`
  return {
    background: `var(--${color}-ground)`,
    hover: `var(--${color}-ground)`,
    color: tone,
    border: `1px solid var(--${color}-line)`,
  }
}

/** Names only: every value stands in theme.css, so that no page carries generated styles. */
export const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 6 },
  breakpoints,
  variantColorResolver: toneColors,
})
