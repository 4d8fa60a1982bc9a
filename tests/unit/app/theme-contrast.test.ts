import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const css = readFileSync(path.resolve(import.meta.dirname, '../../../app/theme/theme.css'), 'utf8')

/** The colours of a scheme by name, of the shades and of what the scheme sets over them. */
function coloursOf(scheme: 'light' | 'dark'): Map<string, string> {
  const block = (selector: string) => css.split(`${selector} {`)[1]?.split('\n}')[0] ?? ''
  const declarations = block(':root') + block(`:root[data-mantine-color-scheme="${scheme}"]`)
  return new Map(
    [...declarations.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)].map((m) => [m[1]!, m[2]!]),
  )
}

/** @see WCAG 2.2, relative luminance and contrast ratio */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

const GROUNDS = ['paper', 'sheet', 'inset']
const TEXTS = ['ink', 'ink-soft', 'accent', 'bad']
const TONES = ['good', 'wait', 'bad', 'note']

const pairs = (['light', 'dark'] as const).flatMap((scheme) => [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [scheme, text, ground, 4.5] as const)),
  ...TONES.flatMap((tone) => [
    [scheme, tone, `${tone}-ground`, 4.5] as const,
    [scheme, 'ink', `${tone}-ground`, 4.5] as const,
  ]),
  [scheme, 'accent', 'good-ground', 4.5] as const,
  [scheme, 'line-control', 'sheet', 3] as const,
])

test.each(pairs)('%s: %s on %s reaches %d:1', (scheme, text, ground, least) => {
  const colours = coloursOf(scheme)
  expect(contrast(colours.get(text)!, colours.get(ground)!)).toBeGreaterThanOrEqual(least)
})

test.each([
  ['light', 'mantine-color-green-7'],
  ['dark', 'mantine-color-green-6'],
] as const)('%s: white on the buttons reaches 4.5:1', (scheme, fill) => {
  expect(contrast('#ffffff', coloursOf(scheme).get(fill)!)).toBeGreaterThanOrEqual(4.5)
})
