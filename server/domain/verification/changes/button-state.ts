import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isDictionary,
  isName,
  isNamed,
  isRef,
  isStream,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { type Frame, frameOf } from '#server/domain/verification/looks/frame.ts'
import { piecesOf, runsOf } from '#server/domain/verification/looks/marks.ts'
import { showsASign } from '#server/domain/verification/looks/seen-sign.ts'
import { addsOnlyASign } from '#server/domain/verification/looks/sign-look.ts'
import type { Comparison } from './comparison.ts'
import { FLAGS } from './field-flags.ts'
import { changedBelow } from './filled-appearance.ts'
import { knownFonts } from './known-fonts.ts'
import { hasColours } from './painted-look.ts'
import { isVisible } from './signature-field-rule.ts'
import type { WidgetPlaces } from './widget-places.ts'

/**
 * Whether a check box or a radio button shows its value: the state that its widgets name is that of the
 * value, and what they show since then is a sign in a small box.
 *
 * @see ISO 32000-2:2020, 12.7.5.2
 */
export function showsItsState(
  comparison: Comparison,
  field: FormField,
  places: WidgetPlaces,
): boolean {
  const { after, isSame } = comparison
  if (field.flags & FLAGS.pushButton) return false
  const value = after.resolve(field.value)
  const isOn = isName(value) && value.value !== 'Off'
  if (value !== null && !isName(value)) return false
  const states = field.widgets.map(({ number }) => stateIn(after, number) ?? NOTHING)
  const areRight = states.every((state) => isOff(state) || (isOn && isSame(state, value)))
  if (!areRight || isOn !== states.some((state) => !isOff(state))) return false
  return field.widgets.every(({ number }) => showsOnlyASign(comparison, number, places))
}

const NOTHING: PdfObject = null
const isOff = (state: PdfObject) => state === null || isNamed(state, 'Off')

const stateIn = (document: PdfDocument, number: number) =>
  document.resolve(entriesOf(document.object(number)?.value).get('AS'))

/** Of each look: its appearance dictionary's key and its state, as in `N Off`. */
type Looks = ReadonlyMap<string, PdfObject>

function showsOnlyASign(comparison: Comparison, number: number, places: WidgetPlaces): boolean {
  const { before, after } = comparison
  const [old, now] = [looksIn(before, number), looksIn(after, number)]
  // Readers draw a button without looks themselves; a look for all states could say anything.
  if (old.size === 0 && now.size === 0) return !hasAnyLook(after, number)
  const [shownBefore, shown] = [shownLook(before, number), shownLook(after, number)]
  const isComplete = [...old.keys()].every((state) => now.has(state))
  if (!isComplete || (shown !== NO_TICK && !now.has(shown))) return false
  const redrawn = new Set(
    [...now].filter((entry) => isRedrawn(comparison, entry, old)).map(([state]) => state),
  )
  const judged = new Set(redrawn)
  if (shown !== shownBefore && now.has(shown) && isSeen(after, number)) judged.add(shown)
  if (judged.size > 0 && !places.isSmall(number)) return false
  const colours = hasColours(before, entriesOf(before.object(number)?.value))
  const signed = frameIn(before, number, old.get(shownBefore))
  const empty = frameIn(before, number, old.get(NO_TICK))
  for (const one of [signed, empty]) spendOnInk(comparison, one)
  const spend = (steps: number) => comparison.spend(steps / STEPS_OF_MARKS)
  const emptiest = marksIn(empty) || (colours ? BOX : 0)
  const isKnown = comparison.once(knownFonts)
  return [...judged].every((state) => {
    const frame = frameIn(after, number, now.get(state))
    spendOnInk(comparison, frame)
    const hasSign = hasLetters(frame) || marksIn(frame) > emptiest
    const isTicked = state.startsWith('N ') && state !== NO_TICK
    return (
      frame !== undefined &&
      (state !== NO_TICK || !hasSign) &&
      // The signs that are added are few: what they show is computed only then.
      addsOnlyASign(frame, {
        ...{ shown: signed, hasColours: colours, isSigned: !redrawn.has(state) },
        ...{ isKnown, spend },
      }) &&
      (!isTicked || (hasSign && showsASign(frame, empty, spend)))
    )
  })
}

/** A step of a comparison is as much work as so many of marks. */
const STEPS_OF_MARKS = 50
const PIECES_OF_INK = 5

const spendOnInk = (comparison: Comparison, frame: Frame | undefined) =>
  comparison.spend(piecesOf(frame?.ink.marks ?? []) / PIECES_OF_INK)

const NO_TICK = 'N Off'
/** A background and its border. */
const BOX = 2

const marksIn = (frame: Frame | undefined) => frame?.ink.marks.length ?? 0

const hasLetters = (frame: Frame | undefined) =>
  frame !== undefined && runsOf(frame.ink).some(({ text }) => text?.trim() !== '')

const hasAnyLook = (document: PdfDocument, number: number) =>
  [...appearancesIn(document, number).values()].some((look) => isStream(document.resolve(look)))

const appearancesIn = (document: PdfDocument, widget: number) =>
  entriesOf(document.resolve(entriesOf(document.object(widget)?.value).get('AP')))

function isSeen(document: PdfDocument, number: number): boolean {
  const widget = document.object(number)?.value
  return isDictionary(widget) && isVisible(document, widget)
}

function shownLook(document: PdfDocument, number: number): string {
  const state = stateIn(document, number)
  return isName(state) ? `N ${state.value}` : NO_TICK
}

function isRedrawn(
  comparison: Comparison,
  [state, look]: readonly [string, PdfObject],
  old: Looks,
): boolean {
  const isSame = comparison.isSame(old.get(state), look)
  const isChanged = isRef(look) && comparison.changed.has(look.number)
  return !isSame || isChanged || changedBelow(comparison, [look]).length > 0
}

function frameIn(
  document: PdfDocument,
  number: number,
  written: PdfObject | undefined,
): Frame | undefined {
  const look = document.resolve(written)
  if (!isStream(look)) return undefined
  return frameOf(document, entriesOf(document.object(number)?.value), look)
}

/** Of each state, for each of the three appearances. */
function looksIn(document: PdfDocument, widget: number): Looks {
  const looks = new Map<string, PdfObject>()
  for (const [kind, written] of appearancesIn(document, widget)) {
    const states = document.resolve(written)
    if (!isDictionary(states)) continue
    for (const [state, look] of states.entries) looks.set(`${kind} ${state}`, look)
  }
  return looks
}
