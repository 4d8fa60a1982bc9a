import { type Attack, type Family, valid } from '#tests/attacks/attack.ts'
import { type Deed, deedBodies, edited, FREE, revised } from '#tests/attacks/deed.ts'
import { UNHARMED, WRITTEN_OVER } from '#tests/attacks/scanned-letters.ts'
import { afterSignature, deedOf, SETTINGS } from '#tests/attacks/settings.ts'
import { someSeal } from '#tests/attacks/sign-deed.ts'
import { sealedLater, waitingSignature } from '#tests/support/office/waiting-signatures.ts'
import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'

/* Grounds, borders and lines of fields: what they hide of the signed page, and what they no longer hide. */

type Rectangle = readonly [left: number, bottom: number, right: number, top: number]
const form = ([left, bottom, right, top]: Rectangle, content: string) =>
  streamBody(
    content,
    `/Type/XObject/Subtype/Form/BBox[0 0 ${right - left} ${top - bottom}]/Resources<</Font<</F1 3 0 R/ZaDb<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>>>`,
  )
const text = (codes: string, x = 30) => `BT /F1 24 Tf ${x} 150 Td (${codes}) Tj ET`
const widget = (rectangle: Rectangle, entries: string) =>
  `<<${entries}/Type/Annot/Subtype/Widget/Rect[${rectangle.join(' ')}]/F 4/P 10 0 R>>`

type Filled = {
  page?: string
  rectangle?: Rectangle
  /** What the field shows: as it was signed, and since it was filled. */
  signed?: string | undefined
  now?: string | undefined
  value?: string
  entries?: string
  more?: (deed: Deed) => Bodies
}

/** An empty text field that is filled. */
const filled = (
  name: string,
  answer: Attack['answer'],
  {
    page = text('9000'),
    rectangle = [25, 140, 200, 175],
    signed,
    now,
    value = ' ',
    entries = '',
    more = () => ({}),
  }: Filled,
): Attack => {
  const field = (written: string, look: number, content: string | undefined) => ({
    5: widget(
      rectangle,
      `/FT/Tx/T(Precio)/DA(/F1 12 Tf)${written}${entries}${content === undefined ? '' : `/AP<</N ${look} 0 R>>`}`,
    ),
    ...(content !== undefined && { [look]: form(rectangle, content) }),
  })
  return afterSignature(`a field ${name}`, () => field(`/V(${value})`, FREE, now), answer, {
    changes: (deed) => ({ ...more(deed), 11: streamBody(page), ...field('', 7, signed) }),
  })
}

const GROUND = '1 g 0 0 175 35 re f'
const EIGHT = '0 g BT /F1 12 Tf 150 5 Td (8) Tj ET'
const NARROW: Rectangle = [31, 145, 41, 172]
const drawnByReaders = (deed: Deed) =>
  edited(deed, 8, '/SigFlags 3', '/NeedAppearances true/SigFlags 3')

const grounds: Attack[] = [
  filled('that no longer hides a number', WRITTEN_OVER, { signed: GROUND, now: '' }),
  filled('that no longer hides a number beside its value', WRITTEN_OVER, {
    ...{ signed: GROUND, now: EIGHT, value: '8' },
  }),
  filled('that no longer hides a number, without a look', WRITTEN_OVER, {
    ...{ signed: GROUND, value: '', more: drawnByReaders },
  }),
  filled('that no longer hides a number with a slanted ground', WRITTEN_OVER, {
    ...{ signed: 'q 1 .01 0 1 0 0 cm 1 g 0 -5 175 45 re f Q', now: '' },
  }),
  filled('that no longer hides a line to write on', UNHARMED, {
    ...{ page: text('______'), signed: GROUND, now: EIGHT, value: '8' },
  }),
  filled('that hides a number as it did', UNHARMED, {
    ...{ signed: GROUND, now: `1 g .5 .5 174 34 re f ${EIGHT}`, value: '8' },
  }),
  filled('that hides a number with the ground that it declares', WRITTEN_OVER, {
    ...{ entries: '/MK<</BG[1]>>', now: `${GROUND} ${EIGHT}`, value: '8' },
  }),
  filled('with a frame around a sign of money', UNHARMED, {
    ...{
      page: text('$'),
      entries: '/MK<</BC[0]>>',
      now: `0 G 1 w .5 .5 174 34 re S ${EIGHT}`,
      value: '8',
    },
  }),
]

const borders: Attack[] = [
  filled('whose border hides a part of a digit', WRITTEN_OVER, {
    ...{ rectangle: NARROW, signed: '', now: '1 g 0 0 2.4 27 re f' },
  }),
  filled('whose border hides a minus', WRITTEN_OVER, {
    page: `${text('-')} ${text('5000', 80)}`,
    ...{ rectangle: [30, 145, 70, 175], signed: '', value: '8' },
    now: '1 g 0 0 4 30 re f 0 g BT /F1 24 Tf 20 5 Td (8) Tj ET',
  }),
  filled('whose border makes a 7 of a 1', WRITTEN_OVER, {
    page: text('1000'),
    ...{ rectangle: [31, 145, 41, 167], signed: '', now: '0 G 2 w 0 21 m 10 21 l S' },
  }),
  filled('whose border stands behind a number as a 1', WRITTEN_OVER, {
    ...{ rectangle: [84, 148, 150, 170], signed: '', now: '0 G 2 w 1 0 m 1 22 l S' },
  }),
  filled('whose cells make other digits', WRITTEN_OVER, {
    ...{ rectangle: [20, 150, 44, 167], signed: '', now: '0 G 2 w 12 0 m 12 17 l S' },
    entries: '/Ff 16777216/MaxLen 2',
  }),
  filled('whose border is around a text', UNHARMED, {
    ...{ page: text('______'), signed: '', now: `0 G 1 w .5 .5 174 34 re S ${EIGHT}`, value: '8' },
  }),
  filled('whose border was signed', UNHARMED, {
    page: text('1000'),
    rectangle: [31, 145, 41, 167],
    signed: '0 G 2 w 0 21 m 10 21 l S',
    now: '0 G 2 w 0 21.5 m 10 21.5 l S',
  }),
]

const box = (name: string, answer: Attack['answer'], on: string, off: string, page: string) => {
  const rectangle: Rectangle = [70, 145, 92, 172]
  const state = (one: string) => ({
    14: widget(rectangle, `/FT/Btn/T(Acepta)/V/${one}/AS/${one}/AP<</N<</Si 15 0 R/Off 16 0 R>>>>`),
  })
  return afterSignature(`a box ${name}`, () => state('Si'), answer, {
    changes: () => ({
      ...state('Off'),
      ...{ 11: streamBody(page), 15: form(rectangle, on), 16: form(rectangle, off) },
    }),
  })
}
const [TICK, BLANK_BOX] = ['BT /ZaDb 8 Tf 12 5 Td (4) Tj ET', '1 g 0 0 22 27 re f']
const RING = '0 G 2 w 7 22 m 0 22 0 5 7 5 c 14 5 14 22 7 22 c S'

const boxes: Attack[] = [
  box('that no longer hides a digit', WRITTEN_OVER, TICK, BLANK_BOX, text('9', 72)),
  box(
    'behind a number, ticked with a letter',
    WRITTEN_OVER,
    'BT /F1 24 Tf 0 5 Td (O) Tj ET',
    '',
    text('100'),
  ),
  box('behind a number, ticked with a ring', WRITTEN_OVER, RING, '', text('100')),
  box('in a ring behind a number', UNHARMED, `${RING} ${TICK}`, RING, text('100')),
  box('behind a number', UNHARMED, TICK, '', text('100')),
]

/** The empty signature field of the deed is signed, and has no look since then. */
const signed = (name: string, page: string, answer: Attack['answer']): Attack => {
  const rectangle: Rectangle = [25, 140, 200, 175]
  const field = (entries: string) => ({ 6: widget(rectangle, `/FT/Sig/T(Notario)${entries}`) })
  return {
    name: `a signature field ${name}`,
    make: async () => {
      const deed = await deedOf(SETTINGS[0]!, {
        changes: () => ({
          ...field('/AP<</N 7 0 R>>'),
          ...{ 7: form(rectangle, GROUND), 11: streamBody(page) },
          5: deedBodies()[5]!.replace('/AP<</N 7 0 R>>', ''),
        }),
      })
      const waiting = revised(deed, {
        ...field(`/V ${FREE} 0 R`),
        [FREE]: waitingSignature('/M(D:20261120150000Z)'),
      })
      return sealedLater(waiting.file, await someSeal())
    },
    answer,
  }
}
const signatures: Attack[] = [signed('that no longer hides a number', text('9000'), WRITTEN_OVER)]

const onTwoPages = (deed: Deed) => edited(deed, 12, '/Contents', '/Annots[5 0 R]/Contents')
const places: Attack[] = [
  filled('that writes over a digit on the second of its pages', WRITTEN_OVER, {
    ...{ page: text(''), signed: '', now: 'BT /F1 24 Tf 5 10 Td (8) Tj ET', value: '8' },
    more: (deed) => ({ ...onTwoPages(deed), 13: streamBody(text('3000')) }),
  }),
]

export const CHANGED_PAINT: readonly Family[] = [
  { name: 'grounds of fields', attacks: grounds },
  { name: 'borders of fields', attacks: borders },
  { name: 'boxes beside and over numbers', attacks: boxes },
  { name: 'grounds of signature fields', attacks: signatures },
  { name: 'fields on several pages', attacks: places },
]

/** No part of all families: readers take the hint for a text, and MuPDF marks fields that wait for a signature. */
export const PLAIN_PAINT: Family = {
  name: 'grounds over nothing',
  attacks: [
    filled('that hides a pale hint with the ground that it declares', UNHARMED, {
      page: `.7 g ${text('fecha')}`,
      ...{ entries: '/MK<</BG[1]>>', now: `${GROUND} ${EIGHT}`, value: '8' },
    }),
    signed('that no longer hides a line to write on', text('______'), valid()),
  ],
}
