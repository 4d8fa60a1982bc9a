import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Family, INVALID, valid } from './attack.ts'
import { type Deed, edited } from './deed.ts'
import { afterSignature } from './settings.ts'

/* Letters of which the field, or a clip, leaves only a part: 7 and 1 have the same foot, 6 and 0 too. */

const BOX = '/Type/XObject/Subtype/Form/BBox[0 0 90 9]/Resources<</Font<</F1 3 0 R>>>>'

const filled = (content: string) => (deed: Deed) => ({
  ...edited(deed, 5, '(1000)', '(2000)'),
  7: streamBody(content, BOX),
})

const written = (y: number) => `BT /F1 8 Tf 2 ${y} Td (2000) Tj ET`
const clipped = (clip: string) => `q ${clip} re W n ${written(2)} Q`

export const CUT_LETTERS: readonly Family[] = [
  {
    name: 'letters that are cut off',
    attacks: [
      ...[5, 6, 7].map((y) => [`at the top, from ${y} points on`, written(y)] as const),
      ...[-2, -2.8].map((y) => [`at the foot, from ${y} points on`, written(y)] as const),
      ['at the top in part', 'BT /F1 8 Tf 2 4 Td (2) Tj 4.5 1.9 Td (000) Tj ET'] as const,
      ['at the foot in part', 'BT /F1 8 Tf 2 -1 Td (2) Tj 4.5 -1.9 Td (000) Tj ET'] as const,
      ['at the top by a clip', clipped('0 0 90 6')] as const,
      ['at the foot by a clip', clipped('0 4 90 9')] as const,
    ]
      .map(([name, content]) =>
        afterSignature(`a value that is cut off ${name}`, filled(content), INVALID),
      )
      .concat(
        [
          ['at the top', written(4)] as const,
          ['at the foot', written(-1)] as const,
          ['by a clip', clipped('1 1 88 7')] as const,
        ].map(([name, content]) =>
          afterSignature(
            `a value that is cut off a little ${name}`,
            filled(content),
            valid('FORM_FILLING'),
          ),
        ),
      ),
  },
]
