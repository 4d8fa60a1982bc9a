import { expect, test } from 'vitest'
import { changesBetween, type PageLines } from '#server/adapters/pdf-work/text-changes.ts'

/** Pages as texts, lines apart by `/`. */
const pages = (...texts: string[]): PageLines => texts.map((text) => text.split('/'))

const shown = (before: PageLines, after: PageLines) => {
  const comparison = changesBetween(before, after)
  if (comparison.kind !== 'compared') return comparison.kind
  return comparison.places.map(({ page, parts }) => {
    const text = parts.map(
      ({ kind, text }) => ({ same: text, added: `+${text}+`, removed: `-${text}-` })[kind],
    )
    return `${page.before}→${page.after}: ${text.join(' ')}`
  })
}

test('texts: a changed word is marked within its line, between its neighbours', () => {
  const before = pages('Primera.- Vende/el lote 12 de la manzana 3/Segunda.- Precio')
  const after = pages('Primera.- Vende/el lote 14 de la manzana 3/Segunda.- Precio')
  expect(shown(before, after)).toEqual([
    '1→1: Primera.- Vende el lote -12- +14+ de la manzana 3 Segunda.- Precio',
  ])
})

test('texts: words that only flow into other lines did not change', () => {
  const before = pages('uno dos tres/cuatro cinco seis')
  expect(shown(before, pages('uno dos/tres cuatro/cinco seis'))).toEqual([])
  expect(shown(before, pages('uno   dos tres /cuatro cinco seis'))).toEqual([])
  expect(shown(before, pages('uno dos nuevo/tres cuatro/cinco seis'))).toEqual([
    '1→1: uno dos +nuevo+ tres cuatro cinco seis',
  ])
})

test('texts: a page that was put in is one addition, and the pages behind it did not change', () => {
  const before = pages('carátula', 'cláusulas', 'firmas')
  const after = pages('carátula', 'antecedentes/registrales', 'cláusulas', 'firmas')
  expect(shown(before, after)).toEqual(['null→2: carátula +antecedentes registrales+ cláusulas'])
})

test('texts: places name the page before and after', () => {
  const before = pages('a', 'b', 'c viejo')
  const after = pages('nuevo', 'a', 'b', 'c nuevo')
  expect(shown(before, after)).toEqual(['null→1: +nuevo+ a', '3→4: b c -viejo- +nuevo+'])
})

test('texts: pages without text are named, also those with blanks alone', () => {
  const comparison = changesBetween([['uno'], []], [['uno'], ['  '], ['dos']])
  expect(comparison).toMatchObject({
    ...{ blank: { before: [2], after: [2] }, pages: { before: 2, after: 3 } },
  })
})

test('texts: two of 500 pages that have nothing in common are too different, within seconds', () => {
  const text = (word: string): PageLines =>
    Array.from({ length: 500 }, (_, page) =>
      Array.from({ length: 50 }, (_, line) => `${word} ${page} ${line} y otras palabras`),
    )
  const start = performance.now()
  expect(changesBetween(text('a'), text('b'))).toEqual({ kind: 'too-different' })
  expect(performance.now() - start).toBeLessThan(8_000)
})

test('texts: one line of 20,000 words that all changed is shown as removed and added', () => {
  const line = (word: string) =>
    Array.from({ length: 20_000 }, (_, index) => word + index).join(' ')
  const comparison = changesBetween([[line('a')]], [[line('b')]])
  expect(
    comparison.kind === 'compared' && comparison.places[0]?.parts.map(({ kind }) => kind),
  ).toEqual(['removed', 'added'])
})

test('texts: changes beyond what a page can show are cut, and it is said', () => {
  const text = (word: string): PageLines => [
    Array.from({ length: 2_000 }, (_, line) => (line % 2 ? `igual ${line}` : `${word} ${line}`)),
  ]
  const comparison = changesBetween(text('uno'), text('dos'))
  expect(comparison).toMatchObject({ kind: 'compared', isCut: true })
  expect(comparison.kind === 'compared' && comparison.places).toHaveLength(400)
})

test('texts: unchanged words within a long place are shortened', () => {
  const same = Array.from({ length: 500 }, (_, index) => `p${index}`).join(' ')
  const [place] = (() => {
    const comparison = changesBetween([[`viejo ${same} fin`]], [[`nuevo ${same} final`]])
    return comparison.kind === 'compared' ? comparison.places : []
  })()
  const [, , middle] = place?.parts ?? []
  expect(middle?.text.split(' ')).toHaveLength(81)
  expect(middle?.text).toContain('p39 … p460')
})
