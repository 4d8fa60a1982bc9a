import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isDictionary, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { exclusiveObjects } from './exclusive-objects.ts'

/** The objects of a field: itself and its widgets. */
export function objectsOf({ ref, widgets }: FormField): number[] {
  // Field and widget of most fields are one object.
  if (ref && widgets.length === 1 && widgets[0]!.number === ref.number) return [ref.number]
  return [...new Set([ref, ...widgets].flatMap((one) => (one ? [one.number] : [])))]
}

/** Where the field says what it holds and how it looks. */
export function openValues(document: PdfDocument, field: FormField): (PdfObject | undefined)[] {
  return objectsOf(field).flatMap((number) => {
    const entries = entriesOf(document.object(number)?.value)
    return [entries.get('V'), entries.get('AP')]
  })
}

/**
 * Whether an appearance of the field, before or after, is also used elsewhere: filling the field in would change
 * that place too ("sneaky sharing").
 */
export function hasSharedAppearance(comparison: Comparison, field: FormField): boolean {
  return [comparison.before, comparison.after].some((document) =>
    objectsOf(field).some((number) => {
      const entries = entriesOf(document.object(number)?.value)
      return appearanceObjects(document, entries.get('AP')).some(
        (object) => comparison.isShared(object) && comparison.reachBefore.roles.has(object),
      )
    }),
  )
}

/** Objects of the signed document that the values lead to, then or now, and that mean something else now. */
export function changedBelow(comparison: Comparison, values: readonly PdfObject[]): number[] {
  const below = exclusiveObjects(comparison, () => values)
  return [...below].filter((number) => comparison.changed.has(number))
}

/** The appearance dictionary, its appearances and their states, as far as they are objects of their own. */
function appearanceObjects(document: PdfDocument, appearance: PdfObject | undefined): number[] {
  const own = isRef(appearance) ? [appearance.number] : []
  const dictionary = document.resolve(appearance)
  if (!isDictionary(dictionary)) return own
  return [
    ...own,
    ...[...dictionary.entries.values()].flatMap((item) => {
      const states = document.resolve(item)
      const stateRefs = isDictionary(states) ? [...states.entries.values()].filter(isRef) : []
      return [...(isRef(item) ? [item] : []), ...stateRefs].map((ref) => ref.number)
    }),
  ]
}
