import { describe, expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import { dictionary, type PdfObject, reference } from '#server/domain/pdf/object.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import {
  hasSharedAppearance,
  objectsOf,
} from '#server/domain/verification/changes/filled-appearance.ts'

const field = (ref: number | undefined, ...widgets: number[]) =>
  ({
    ref: ref === undefined ? undefined : reference(ref),
    widgets: widgets.map((number) => reference(number)),
  }) as unknown as FormField

test.each([
  ['itself, where it is its own widget', field(5, 5), [5]],
  ['itself and its only widget', field(5, 6), [5, 6]],
  ['itself and its widgets', field(5, 6, 7), [5, 6, 7]],
  ['itself, where it has none', field(5), [5]],
  ['its widget, where it is no object', field(undefined, 6), [6]],
])('objects of a field: %s', (_, of, numbers) => {
  expect(objectsOf(of)).toEqual(numbers)
})

describe('look of a field', () => {
  /** The field 5, whose look leads to 9, which something else uses. */
  const isShared = (AP: PdfObject, objects: Record<number, PdfObject> = {}) => {
    const all: Record<number, PdfObject> = { ...objects, 5: dictionary({ AP }) }
    const document = {
      object: (number: number) => ({ value: all[number] ?? null }),
      resolve: (value?: PdfObject): PdfObject =>
        typeof value === 'object' && value?.kind === 'ref'
          ? (all[value.number] ?? null)
          : (value ?? null),
    } as unknown as PdfDocument
    const comparison = {
      ...{ before: document, after: document, isShared: (number: number) => number === 9 },
      reachBefore: { roles: new Map([[9, new Set()]]) },
    } as unknown as Comparison
    return hasSharedAppearance(comparison, field(5, 5))
  }

  test.each([
    ['as a whole', reference(9), {}],
    ['by one of its looks', dictionary({ N: reference(8), D: reference(9) }), {}],
    ['by the look of a state', dictionary({ N: dictionary({ On: reference(9) }) }), {}],
    [
      'by a state of looks that are an object',
      dictionary({ N: reference(7) }),
      { 7: dictionary({ On: reference(9) }) },
    ],
  ])('is shared %s', (_, AP, objects) => {
    expect(isShared(AP, objects)).toBe(true)
  })

  test('is its own where nothing else uses it', () => {
    expect(isShared(dictionary({ N: reference(8), D: dictionary({ On: reference(7) }) }))).toBe(
      false,
    )
    expect(isShared(null)).toBe(false)
  })
})
