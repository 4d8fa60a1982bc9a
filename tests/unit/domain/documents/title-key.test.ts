import { expect, test } from 'vitest'
import { titleKey } from '#server/domain/documents/title-key.ts'

const sorted = (titles: string[]) =>
  titles.toSorted((one, other) =>
    Buffer.compare(Buffer.from(titleKey(one)), Buffer.from(titleKey(other))),
  )

test('title keys: sort numbers by their value', () => {
  expect(sorted(['Acta 10', 'Acta 9', 'Acta 1,000', 'Acta 100'])).toEqual([
    ...['Acta 9', 'Acta 10', 'Acta 100', 'Acta 1,000'],
  ])
})

test('title keys: ignore accents, case and punctuation', () => {
  expect(titleKey('  «Núm. 4,521», ÁVALÚO')).toBe('num 000000004521 avaluo')
  expect(sorted(['zeta', 'Árbol', 'beta', 'acta'])).toEqual(['acta', 'Árbol', 'beta', 'zeta'])
})

test('title keys: are short, however long a title or a number is', () => {
  expect(titleKey('a1'.repeat(100))).toHaveLength(100)
  expect(titleKey('9'.repeat(200))).toHaveLength(100)
  expect(titleKey('—')).toBe('')
})
