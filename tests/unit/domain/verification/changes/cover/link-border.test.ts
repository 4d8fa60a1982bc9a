import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { array, dictionary, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { linkBorder } from '#server/domain/verification/changes/cover/link-border.ts'

const document = { resolve: (value?: PdfObject) => value ?? null } as PdfDocument
const BOX = { left: 10, bottom: 10, right: 50, top: 20 }
const borderOf = (entries: Record<string, PdfObject>) =>
  linkBorder(document, new Map(Object.entries(entries)), BOX)

test.each<[string, Record<string, PdfObject>, number | undefined]>([
  ['nothing is said', {}, 1],
  ['a list says so', { Border: array([0, 0, 3]) }, 3],
  ['a list says that there is none', { Border: array([0, 0, 0]) }, undefined],
  ['a style says so', { BS: dictionary({ W: 2 }), Border: array([0, 0, 0]) }, 2],
  ['a style says that there is none', { BS: dictionary({ W: 0 }) }, undefined],
  ['the width is negative', { Border: array([0, 0, -3]) }, undefined],
  ['the width is no number', { Border: array([0, 0, name('wide')]) }, 1],
])('border of a link: its width where %s', (_, entries, width) => {
  expect(borderOf(entries)?.lineWidth).toBe(width)
})

test('border of a link: goes around it', () => {
  expect(borderOf({ Border: array([0, 0, 2]) })).toMatchObject({
    ...{ kind: 'stroke', box: BOX, lightness: 0, segments: { length: 4 } },
    clip: { left: 8, bottom: 8, right: 52, top: 22 },
  })
})
