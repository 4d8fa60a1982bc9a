import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isName,
  isNamed,
  isRef,
  isStream,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { changedBelow } from './filled-appearance.ts'
import { hasColours, type PaintedLook, paintedLook } from './painted-look.ts'
import { plain, shownText } from './shown-text.ts'

/**
 * Whether a check box or a radio button shows its value: the state that its widgets name is that of the
 * value, and each state looks as it did when the document was signed, or as programs draw a box.
 *
 * @see ISO 32000-2:2020, 12.7.5.2
 */
export function showsItsState(
  comparison: Comparison,
  field: FormField,
): 'same' | 'different' | 'unknown' {
  const { before, after, isSame } = comparison
  const widgets = field.widgets.map(({ number }) => number)
  if (!widgets.every((number) => hasHonestLooks(comparison, number))) return 'different'
  const states = widgets.map((number) => stateIn(after, number))
  const changed = widgets.filter((number, at) => !isSame(stateIn(before, number), states[at]))
  if (changed.some((number) => saysMoreThanASign(after, number))) return 'different'
  if (changed.length === 0 || states.includes(null)) return 'unknown'
  const value = after.resolve(field.value)
  const isOn = isName(value) && value.value !== 'Off'
  const areRight = states.every((state) => isNamed(state, 'Off') || (isOn && isSame(state, value)))
  return areRight && isOn === states.some((state) => !isNamed(state, 'Off')) ? 'same' : 'different'
}

const stateIn = (document: PdfDocument, number: number) =>
  document.resolve(entriesOf(document.object(number)?.value).get('AS'))

/** Ticking a box chooses among its looks. Programs that draw them anew draw a sign in a box. */
function hasHonestLooks(comparison: Comparison, widget: number): boolean {
  const { before, after, changed, isSame } = comparison
  const [old, now] = [looksIn(before, widget), looksIn(after, widget)]
  const isKept = (state: string, look: PdfObject) =>
    isSame(old.get(state), look) &&
    !(isRef(look) && changed.has(look.number)) &&
    changedBelow(comparison, [look]).length === 0
  const redrawn = [...now].filter(([state, look]) => !isKept(state, look))
  const isComplete = [...old.keys()].every((state) => now.has(state))
  return (
    isComplete &&
    (redrawn.length === 0 || redrawn.every(isSignIn(comparison, widget, { old, now })))
  )
}

type Looks = ReadonlyMap<string, PdfObject>

/**
 * Whether a redrawn look says no more than that the box is ticked or not: at most one sign, no area where there was
 * none, and of the state that is shown now, a mark in the box or none.
 */
function isSignIn(
  { before, after }: Comparison,
  widget: number,
  { old, now }: { old: Looks; now: Looks },
): (entry: [string, PdfObject]) => boolean {
  const hadArea =
    old.size === 0
      ? hasColours(before, entriesOf(before.object(widget)?.value))
      : [...old.values()].some((look) => paintedIn(before, look)?.covers)
  const empty = paintedIn(before, old.get('N Off'))?.strokes ?? (hadArea ? BOX : 0)
  const state = stateIn(after, widget)
  const shown = isName(state) ? `N ${state.value}` : undefined
  return ([name]) => {
    const look = after.resolve(now.get(name))
    const painted = paintedIn(after, look)
    const text = isStream(look) ? shownText(after, look) : undefined
    if (!painted || text === undefined || plain(text).length > 1) return false
    if (painted.covers && !hadArea) return false
    const isMarked = plain(text) !== '' || painted.strokes > empty
    return name !== shown || isMarked === (name !== 'N Off')
  }
}

/** A background and its border. */
const BOX = 2

function paintedIn(document: PdfDocument, written: PdfObject | undefined): PaintedLook | undefined {
  const look = document.resolve(written)
  return isStream(look) ? paintedLook(document, look) : undefined
}

/** Letters that a tick may consist of: a cross, a word as short as "Sí". */
const LONGEST_SIGN = 3
/** Of the shorter side of what is still a box, in points. */
const LARGEST_BOX = 100

/** What a box shows since it was ticked, although it was signed: a text that lay hidden below it, a page of its own. */
function saysMoreThanASign(document: PdfDocument, widget: number): boolean {
  const state = stateIn(document, widget)
  const written = isName(state) ? looksIn(document, widget).get(`N ${state.value}`) : undefined
  const look = document.resolve(written)
  if (!isStream(look)) return false
  if (plain(shownText(document, look) ?? '').length > LONGEST_SIGN) return true
  const rectangle = entriesOf(document.object(widget)?.value).get('Rect')
  return isLarge(document, rectangle) && paintedLook(document, look)?.covers !== false
}

function isLarge(document: PdfDocument, written: PdfObject | undefined): boolean {
  const rectangle = document.resolve(written)
  const [left, bottom, right, top] = isArray(rectangle) ? rectangle.items.map(document.resolve) : []
  const isLong = (a: PdfObject | undefined, b: PdfObject | undefined) =>
    typeof a !== 'number' || typeof b !== 'number' || Math.abs(a - b) > LARGEST_BOX
  return isLong(left, right) && isLong(bottom, top)
}

/** Of each state, for each of the three appearances. */
function looksIn(document: PdfDocument, widget: number): Looks {
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
