import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isDictionary,
  isName,
  isNamed,
  isRef,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { changedBelow } from './filled-appearance.ts'

/**
 * Whether a check box or a radio button shows its value: the state that its widgets name is that of the
 * value, and each state looks as it did when the document was signed.
 *
 * @see ISO 32000-2:2020, 12.7.5.2
 */
export function showsItsState(
  comparison: Comparison,
  field: FormField,
): 'same' | 'different' | 'unknown' {
  const { before, after, isSame } = comparison
  const widgets = field.widgets.map(({ number }) => number)
  if (widgets.some((number) => !keepsItsLooks(comparison, number))) return 'different'
  const states = widgets.map((number) => stateIn(after, number))
  const hasChanged = widgets.some((number, at) => !isSame(stateIn(before, number), states[at]))
  if (!hasChanged || states.includes(null)) return 'unknown'
  const value = after.resolve(field.value)
  const isOn = isName(value) && value.value !== 'Off'
  const areRight = states.every((state) => isNamed(state, 'Off') || (isOn && isSame(state, value)))
  return areRight && isOn === states.some((state) => !isNamed(state, 'Off')) ? 'same' : 'different'
}

const stateIn = (document: PdfDocument, number: number) =>
  document.resolve(entriesOf(document.object(number)?.value).get('AS'))

/** Ticking a box chooses among its looks; it does not draw them anew. */
function keepsItsLooks(comparison: Comparison, widget: number): boolean {
  const { before, after, isSame } = comparison
  const [old, now] = [before, after].map((document) => looksIn(document, widget))
  if (old!.size === 0) return true
  return (
    [...old!].every(([state, look]) => isSame(look, now!.get(state))) &&
    [...old!.values()].every((look) => !isRef(look) || !comparison.changed.has(look.number)) &&
    changedBelow(comparison, [...old!.values()]).length === 0
  )
}

/** Of each state, for each of the three appearances. */
function looksIn(document: PdfDocument, widget: number): Map<string, PdfObject> {
  const looks = new Map<string, PdfObject>()
  const appearances = entriesOf(
    document.resolve(entriesOf(document.object(widget)?.value).get('AP')),
  )
  for (const [kind, written] of appearances) {
    const states = document.resolve(written)
    if (!isDictionary(states)) continue
    for (const [state, look] of states.entries) looks.set(`${kind} ${state}`, look)
  }
  return looks
}
