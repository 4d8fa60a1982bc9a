import { expect, test } from 'vitest'
import type { DocumentKind } from '#server/domain/documents/document.ts'
import { appliesTo } from '#server/domain/obligations/applies-to.ts'

const TERM = { kinds: ['will'] as DocumentKind[], acts: ['Donación', 'Dación en pago'] }

test.each<[string, DocumentKind, string[], boolean]>([
  ['a kind of its own', 'will', [], true],
  ['an act, without accent and case', 'deed', ['DONACION'], true],
  ['one act of several', 'deed', ['Poder', 'Hipoteca y dación, en  pago'], true],
  ['no other act', 'deed', ['Compraventa'], false],
  ['no part of a word', 'deed', ['Condonación de deuda'], false],
  ['no copy that cites the act', 'testimony', ['Donación'], false],
  ['no document without acts', 'deed', [], false],
])('obligation: applies to %s', (_, kind, acts, expected) => {
  expect(appliesTo(TERM, { kind, acts })).toBe(expected)
})

test('obligation: an act of signs alone applies to nothing', () => {
  expect(appliesTo({ kinds: [], acts: ['—'] }, { kind: 'deed', acts: ['— · —', ''] })).toBe(false)
})
