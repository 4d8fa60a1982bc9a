import { expect, test, vi } from 'vitest'
import { namesOfPages } from '#server/domain/verification/looks/page-names.ts'
import { bodiesWithPages } from '#tests/support/pdf/pdf-builders.ts'
import { documentOf } from './drawn.ts'

const page = (resources: string) => `<</Type/Page/Parent 2 0 R/Resources ${resources}>>`

test('names of pages: are those of all pages, by their kind', () => {
  const document = documentOf({
    ...bodiesWithPages(3),
    10: page('<</XObject<</Fm 5 0 R>>/Font 6 0 R>>'),
    12: page('<</XObject<</Im 5 0 R>>/Font 6 0 R>>'),
    14: page('7 0 R'),
    5: 'null',
    6: '<</F1 3 0 R>>',
    // Names of one object mean something else for another kind.
    7: '<</Pattern 6 0 R>>',
  })
  const isNamed = namesOfPages(document)
  for (const [kind, name] of [
    ['XObject', 'Fm'],
    ['XObject', 'Im'],
    ['Font', 'F1'],
    ['Pattern', 'F1'],
  ] as const)
    expect(isNamed(kind, name)).toBe(true)
  expect(isNamed('XObject', 'F1')).toBe(false)
  expect(isNamed('Font', 'Fm')).toBe(false)
  expect(isNamed('Shading', 'Fm')).toBe(false)
})

test('names of pages: are read once where pages share them', () => {
  const names = Array.from({ length: 100 }, (_, at) => `/F${at} 3 0 R`).join('')
  const plain = bodiesWithPages(50, '', '/Resources 5 0 R')
  const bodies = Object.entries(plain).map(([number, body]) => [
    number,
    body.replace('/Resources<</Font<</F1 3 0 R>>>>', ''),
  ])
  const document = documentOf({
    ...Object.fromEntries(bodies),
    5: '<</Font 6 0 R>>',
    6: `<<${names}>>`,
  })
  const resolve = vi.spyOn(document, 'resolve')
  expect(namesOfPages(document)('Font', 'F99')).toBe(true)
  const read = resolve.mock.calls.flatMap(([value]) =>
    typeof value === 'object' && value?.kind === 'ref' ? [value.number] : [],
  )
  expect(read.filter((number) => number === 5 || number === 6)).toHaveLength(2)
})
