import {
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core'
import { breakpoints } from './breakpoints.ts'

/** Colors by meaning; theme.css defines text, background and border of each in both schemes. */
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

/** Names only: theme.css holds all values, so that no page needs generated styles. */
export const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 6 },
  breakpoints,
  variantColorResolver: toneColors,
})
