import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Seal } from '#app/ui/seal.tsx'
import { SEAL_SIZE, sealDrawing } from '#server/domain/signing/seal.ts'

const pathsOf = (svg: string) => [...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path)
const drawing = sealDrawing()
const markup = renderToStaticMarkup(createElement(Seal, { size: 40 }))
const favicon = readFileSync(new URL('../../../../public/favicon.svg', import.meta.url), 'utf8')

test.each([
  ['screen', markup],
  ['favicon', favicon],
])('the seal of the %s is the seal on paper', (_, svg) => {
  expect(pathsOf(svg)).toEqual([drawing.guilloche, drawing.disc])
  expect(svg).toContain(`stroke-width="${drawing.guillocheWidth}"`)
  expect(svg).toContain(`viewBox="0 0 ${SEAL_SIZE} ${SEAL_SIZE}"`)
  expect(svg.length).toBeLessThan(2048)
})

test('the seal is silent for screen readers', () => {
  expect(markup).toContain('aria-hidden="true"')
})
