import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Seal } from '#app/ui/frame/seal.tsx'
import { SEAL_SIZE, sealDrawing } from '#server/domain/signing/seal.ts'

const pathsOf = (svg: string) => [...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path)
const drawing = sealDrawing()
const markup = renderToStaticMarkup(createElement(Seal, { size: 40 }))
const favicon = readFileSync(new URL('../../../../public/favicon.svg', import.meta.url), 'utf8')

test('the seal on the screen is the seal on paper', () => {
  expect(pathsOf(markup)).toEqual([drawing.guilloche, drawing.disc])
  expect(markup).toContain(`stroke-width="${drawing.guillocheWidth}"`)
  expect(markup).toContain(`viewBox="0 0 ${SEAL_SIZE} ${SEAL_SIZE}"`)
  expect(markup.length).toBeLessThan(2048)
})

// Sixteen pixels wide the fine lines would be a grey ring: it has fewer and stronger ones.
test('the seal of the favicon carries the same letter', () => {
  const [letter, ...more] = pathsOf(favicon)
  expect(more).toEqual([])
  expect(letter?.length).toBeGreaterThan(100)
  expect(drawing.disc.endsWith(letter ?? '-')).toBe(true)
  expect(favicon).toContain(`viewBox="0 0 ${SEAL_SIZE} ${SEAL_SIZE}"`)
  expect(favicon.length).toBeLessThan(2048)
})

test('the seal is silent for screen readers', () => {
  expect(markup).toContain('aria-hidden="true"')
})
