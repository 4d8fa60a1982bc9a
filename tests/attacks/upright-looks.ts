import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Answer, type Attack, type Family, INVALID, valid } from './attack.ts'
import { type Deed, edited, FREE, revised } from './deed.ts'
import { afterSignature, deedOf, SETTINGS } from './settings.ts'
import { certifying, signDeed } from './sign-deed.ts'

/*
 * Looks that stay upright on a turned page: PDFium, Poppler and MuPDF turn them back about their upper left corner, so
 * that they stand beside the place that they name. Poppler does so with every note.
 */

type Turn = 0 | 90 | 180 | 270
type Place = readonly [left: number, bottom: number, right: number, top: number]
const turned = (turn: Turn) => (deed: Deed) =>
  edited(deed, 10, '/MediaBox', `/Rotate ${turn}/MediaBox`)
const white = (side: number) =>
  streamBody(
    `1 g 0 0 ${side} ${side} re f`,
    `/Type/XObject/Subtype/Form/BBox[0 0 ${side} ${side}]/Resources<<>>`,
  )

/** Squares in blank places, which are turned onto the text of page 1. */
const ASIDE: readonly (readonly [Turn, Place])[] = [
  [90, [30, 100, 69, 139]],
  [180, [110, 100, 149, 139]],
  [270, [125, 160, 164, 199]],
]

const PRINTED = 4
const NO_ROTATE = 16

const note = (
  name: string,
  [turn, place]: (typeof ASIDE)[number],
  flags: number,
  answer = INVALID,
) =>
  afterSignature(
    `${name}, turned by ${turn}`,
    (deed) => ({
      ...edited(deed, 10, ']/Contents', ` ${FREE} 0 R]/Contents`),
      [FREE]: `<</Type/Annot/Subtype/Text/Contents(nota)/F ${flags}/Rect[${place.join(' ')}]/AP<</N ${FREE + 1} 0 R>>>>`,
      [FREE + 1]: white(39),
    }),
    answer,
    { changes: turned(turn), entries: certifying(3) },
  )

const signature = (
  name: string,
  [turn, place]: (typeof ASIDE)[number],
  flags: number,
  answer: Attack['answer'],
): Attack => ({
  name: `${name}, turned by ${turn}`,
  make: async () => {
    const deed = await deedOf(SETTINGS[0]!, { changes: turned(turn) })
    const withLook = revised(deed, { [FREE]: white(39) })
    const field = `/AP<</N ${FREE} 0 R>>`
    const rectangle = `[${place.join(' ')}]`
    return (await signDeed(withLook, { number: 70, rectangle, field, flags })).file
  },
  answer,
})

/** A field in a blank place that is filled. */
const field = (name: string, turn: Turn, flags: number, answer: Attack['answer']) => {
  const written = (value: string) =>
    `<</FT/Tx/T(Precio)/V(${value})/Type/Annot/Subtype/Widget/Rect[110 120 150 139]/F ${flags}/P 10 0 R/AP<</N 7 0 R>>>>`
  const look = (value: string) =>
    streamBody(
      `BT /F1 14 Tf 0 5 Td (${value}) Tj ET`,
      '/Type/XObject/Subtype/Form/BBox[0 0 40 19]/Resources<</Font<</F1 3 0 R>>>>',
    )
  return afterSignature(
    `a field ${name}, turned by ${turn}`,
    () => ({ 5: written('888'), 7: look('888') }),
    answer,
    { changes: (deed) => ({ ...turned(turn)(deed), 5: written(''), 7: look('') }) },
  )
}
const WRITTEN_OVER = {
  verdict: ['INDETERMINATE'],
  says: 'field-writes-over-content',
} as const satisfies Answer

/** A signed stamp of a 3, which readers turn back to its upper side, where a later field is filled. */
const stamped = (name: string, flags: number, answer: Attack['answer']) => {
  const written = (value: string) =>
    `<</FT/Tx/T(Precio)/V(${value})/Type/Annot/Subtype/Widget/Rect[30 130 60 160]/F ${PRINTED}/P 10 0 R/AP<</N 7 0 R>>>>`
  const look = (value: string) =>
    streamBody(
      `BT /F1 24 Tf 5 5 Td (${value}) Tj ET`,
      '/Type/XObject/Subtype/Form/BBox[0 0 30 30]/Resources<</Font<</F1 3 0 R>>>>',
    )
  return afterSignature(
    `a field above a stamp ${name}`,
    () => ({ 5: written('8'), 7: look('8') }),
    answer,
    {
      changes: (deed) => ({
        10: turned(90)(deed)[10]!.replace(']/Contents', ` ${FREE} 0 R]/Contents`),
        11: streamBody(''),
        ...{ 5: written(''), 7: look('') },
        [FREE]: `<</Type/Annot/Subtype/Stamp/Rect[30 100 60 130]/F ${flags}/P 10 0 R/AP<</N ${FREE + 1} 0 R>>>>`,
        [FREE + 1]: look('3'),
      }),
    },
  )
}

/** How a look or a page is turned so that it is upright on a turned page of 300 points. */
const MATRICES: Record<Turn, string> = {
  0: '1 0 0 1 0 0',
  90: '0 1 -1 0 300 0',
  180: '-1 0 0 -1 300 300',
  270: '0 -1 1 0 0 300',
}

/** A form in landscape with a label, 30 points from the left and 150 from below, and a field beside or over it. */
const landscape = (
  name: string,
  turn: Turn,
  { label, gap }: { label: string; gap: number },
  answer: Attack['answer'],
) => {
  const [left, bottom, right, top] = [30 + gap, 145, 90 + gap, 175]
  const places: Record<Turn, Place> = {
    0: [left, bottom, right, top],
    90: [300 - top, left, 300 - bottom, right],
    180: [300 - right, 300 - top, 300 - left, 300 - bottom],
    270: [bottom, 300 - right, top, 300 - left],
  }
  const written = (value: string) =>
    `<</FT/Tx/T(Precio)/V(${value})/MK<</R ${turn}>>/Type/Annot/Subtype/Widget/Rect[${places[turn].join(' ')}]/F 4/P 10 0 R/AP<</N 7 0 R>>>>`
  const look = (value: string) =>
    streamBody(
      `BT /F1 24 Tf 0 5 Td (${value}) Tj ET`,
      `/Type/XObject/Subtype/Form/BBox[0 0 60 30]/Matrix[${MATRICES[turn]}]/Resources<</Font<</F1 3 0 R>>>>`,
    )
  return afterSignature(
    `a field ${name}, on a page in landscape, turned by ${turn}`,
    () => ({ 5: written('8'), 7: look('8') }),
    answer,
    {
      changes: (deed) => ({
        ...{ ...turned(turn)(deed), 5: written(''), 7: look('') },
        11: streamBody(`${MATRICES[turn]} cm BT /F1 24 Tf 30 150 Td (${label}) Tj ET`),
      }),
    },
  )
}
const TURNS: readonly Turn[] = [0, 90, 180, 270]

/** A later signature around the beginning of the text of page 1, whose look is turned by a quarter. */
const turnedSignature = (name: string, area: string, answer: Attack['answer']): Attack => ({
  name: `a signature with a turned look, with an area ${name}`,
  make: async () => {
    const look = streamBody(
      `1 g ${area} re f`,
      '/Type/XObject/Subtype/Form/BBox[0 0 60 60]/Matrix[0 1 -1 0 60 0]/Resources<<>>',
    )
    const withLook = revised(await deedOf(SETTINGS[0]!), { [FREE]: look })
    const field = `/AP<</N ${FREE} 0 R>>`
    return (await signDeed(withLook, { number: 70, rectangle: '[20 140 80 200]', field })).file
  },
  answer,
})

export const UPRIGHT_LOOKS: Family = {
  name: 'looks that stay upright on a turned page',
  attacks: [
    ...ASIDE.map((aside) => note('a note', aside, PRINTED)),
    ...ASIDE.map((aside) => note('a note that says so', aside, PRINTED | NO_ROTATE)),
    ...ASIDE.map((aside) =>
      signature('a signature that says so', aside, PRINTED | NO_ROTATE, INVALID),
    ),
    ...ASIDE.map((aside) =>
      signature('a signature that does not', aside, PRINTED, valid('FORM_FILLING')),
    ),
    field('that says so', 180, PRINTED | NO_ROTATE, WRITTEN_OVER),
    field('that does not', 180, PRINTED, valid('FORM_FILLING')),
    stamped('that stays upright', PRINTED | NO_ROTATE, WRITTEN_OVER),
    stamped('that does not', PRINTED, valid('FORM_FILLING')),
    ...TURNS.flatMap((turn) => [
      landscape('that touches its label', turn, { label: 'Precio:', gap: 80 }, valid()),
      landscape('over a digit', turn, { label: '3000', gap: 0 }, WRITTEN_OVER),
      landscape('over the last of some digits', turn, { label: '3000', gap: 40 }, WRITTEN_OVER),
      landscape('behind some digits', turn, { label: '3000', gap: 70 }, valid()),
    ]),
    turnedSignature('over its first letter', '8 45 20 13', INVALID),
    turnedSignature('above it', '35 5 20 50', valid('FORM_FILLING')),
    signature(
      'a signature that says so',
      [0, [30, 100, 69, 139]],
      PRINTED | NO_ROTATE,
      valid('FORM_FILLING'),
    ),
    signature(
      'a signature far from the text',
      [90, [30, 200, 69, 239]],
      PRINTED | NO_ROTATE,
      valid('FORM_FILLING'),
    ),
  ],
}
