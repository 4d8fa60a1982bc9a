import type { Bodies } from '#tests/support/pdf/pdf-builders.ts'
import { type Answer, type Attack, type Family, INVALID, NOT_GOOD } from './attack.ts'
import { COVER, type Deed, edited, FREE, look } from './deed.ts'
import { afterSignature, deedOf, inEverySetting, SETTINGS } from './settings.ts'
import { certifying, locking, type Signing, signDeed, someSeal } from './sign-deed.ts'

/*
 * Annotations and signature fields that cover signed content. See Rohlmann, Mladenov, Mainka, Schwenk: Breaking the
 * Specification: PDF Certification (IEEE S&P 2021).
 */

const SUBTYPES =
  'Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup FileAttachment Sound Movie Screen Widget PrinterMark TrapNet Watermark 3D Redact Projection RichMedia'.split(
    ' ',
  )

/** Page 1 with one more annotation. */
const annotated = (deed: Deed, annotation: string, more: Bodies = {}): Bodies => ({
  ...edited(deed, 10, ']/Contents', ` ${FREE} 0 R]/Contents`),
  [FREE]: annotation,
  ...more,
})

const COVERING = `/Rect[0 0 300 300]/F 4/AP<</N ${FREE + 1} 0 R>>`
const cover = (subtype: string) => (deed: Deed) =>
  annotated(deed, `<</Type/Annot/Subtype/${subtype}${COVERING}>>`, { [FREE + 1]: COVER })

/** Forbidden without a certification and under certifications for no changes or for forms. */
const uncertified: Attack[] = SUBTYPES.flatMap((subtype) =>
  inEverySetting(
    `${subtype} over the page`,
    cover(subtype),
    subtype === 'Popup' ? NOT_GOOD : INVALID,
  ).slice(0, subtype === 'Stamp' ? 7 : 2),
)

const OVERLAID = { ...INVALID, attack: 'overlay-by-annotation' }
const named: Attack[] = ['Stamp', 'FreeText', 'Square'].map((subtype) =>
  afterSignature(`${subtype} over the page, by name`, cover(subtype), OVERLAID),
)

const certified: Attack[] = ([1, 2] as const).flatMap((level) =>
  SUBTYPES.map((subtype) =>
    afterSignature(`${subtype} over the page, certified ${level}`, cover(subtype), INVALID, {
      entries: certifying(level),
    }),
  ),
)

/** A certification for notes does not allow an annotation that hides the page. */
const evil: Attack[] = [
  ...['Stamp', 'FreeText', 'Square', 'Redact', 'Ink', 'Watermark', 'Widget'],
  // Names that every list of JavaScript seems to have.
  ...['constructor', 'valueOf', '__proto__'],
].map((subtype) =>
  afterSignature(
    `${subtype} over the page, certified 3`,
    cover(subtype),
    { verdict: ['INVALID', 'INDETERMINATE'] },
    { entries: certifying(3) },
  ),
)

const changed: Attack[] = [
  ...inEverySetting(
    'another place of a link',
    (deed) => edited(deed, 19, '[0 0 50 9]', '[0 0 300 300]'),
    INVALID,
  ),
  ...inEverySetting(
    'an appearance for a link',
    (deed) => ({ ...edited(deed, 19, '/A<<', `/AP<</N ${FREE} 0 R>>/A<<`), [FREE]: COVER }),
    INVALID,
  ),
  ...inEverySetting(
    'a note instead of a link',
    (deed) => edited(deed, 19, '/Link', '/FreeText/Contents(otra cosa)'),
    INVALID,
  ),
  ...inEverySetting('a link that is gone', (deed) => edited(deed, 10, ' 19 0 R', ''), INVALID),
  ...inEverySetting(
    'all annotations gone',
    (deed) => ({ 10: deed.bodies[10]!.replace(/\/Annots\[.*?\]/, '') }),
    INVALID,
  ),
  ...inEverySetting(
    'annotations in another order',
    (deed) => edited(deed, 10, '[5 0 R 6 0 R', '[6 0 R 5 0 R'),
    INVALID,
  ),
  ...inEverySetting(
    'annotations of a page that had none',
    (deed) => ({
      ...edited(deed, 12, '/Contents', `/Annots[${FREE} 0 R]/Contents`),
      [FREE]: `<</Type/Annot/Subtype/Stamp${COVERING}>>`,
      [FREE + 1]: COVER,
    }),
    INVALID,
  ),
  ...inEverySetting(
    'a widget of no field',
    (deed) =>
      annotated(deed, `<</Type/Annot/Subtype/Widget/FT/Tx/T(Nada)${COVERING}>>`, {
        [FREE + 1]: COVER,
      }),
    INVALID,
  ),
]

/** A further, unsigned signature field in front of the page ("sneaky signature attack"). */
const field = (deed: Deed, entries: string, more: Bodies): Bodies => ({
  ...edited(deed, 8, ']', ` ${FREE} 0 R]`),
  ...edited(deed, 10, ']/Contents', ` ${FREE} 0 R]/Contents`),
  [FREE]: `<</FT/Sig/T(Sello)/Type/Annot/Subtype/Widget/Rect[0 0 300 300]/P 10 0 R${entries}>>`,
  [FREE + 1]: COVER,
  ...more,
})
const SHOWN = `/F 4/AP<</N ${FREE + 1} 0 R>>`
const SIGNED_BY_NOBODY: [string, string, Bodies][] = [
  ['without a value', SHOWN, {}],
  ['with the value of another', `${SHOWN}/V 41 0 R`, {}],
  [
    'with an empty signature',
    `${SHOWN}/V ${FREE + 2} 0 R`,
    { [FREE + 2]: '<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 0 0 0]/Contents <00>>>' },
  ],
  [
    'with an empty timestamp',
    `${SHOWN}/V ${FREE + 2} 0 R`,
    {
      [FREE + 2]: '<</Type/DocTimeStamp/SubFilter/ETSI.RFC3161/ByteRange[0 0 0 0]/Contents <00>>>',
    },
  ],
  ['with a word', `${SHOWN}/V(firmado)`, {}],
  ['with a background', '/F 4/MK<</BG[1 1 1]>>', {}],
  ['with an action', '/F 4/A<</S/JavaScript/JS(1)>>', {}],
  [
    'on two pages',
    `${SHOWN}/Kids[${FREE + 3} 0 R]`,
    {
      [FREE + 3]:
        `<</Type/Annot/Subtype/Widget/Rect[0 0 300 300]/P 12 0 R${SHOWN}/Parent ${FREE} 0 R>>`,
    },
  ],
]
const answers: [string, string, Answer][] = [
  ['', '', INVALID],
  [', certified 1', certifying(1), INVALID],
  [', certified 2', certifying(2), INVALID],
  [', certified 3', certifying(3), { verdict: ['INVALID', 'INDETERMINATE'] }],
  [', fields locked', locking('All'), INVALID],
]
const sneaky: Attack[] = SIGNED_BY_NOBODY.flatMap(([name, entries, more]) =>
  answers.map(([suffix, signed, answer]) =>
    afterSignature(`a field ${name}${suffix}`, (deed) => field(deed, entries, more), answer, {
      entries: signed,
    }),
  ),
)

/** A further signature whose widget is on the page while the form does not list its field. */
const UNLISTED: [string, string, Signing, Answer][] = [
  ['', '', {}, { verdict: ['INDETERMINATE'], modification: ['FORM_FILLING'] }],
  [' and shows something', '', { rectangle: '[0 0 90 9]' }, { verdict: ['INDETERMINATE'] }],
  [', certified 2', certifying(2), {}, { verdict: ['INDETERMINATE'] }],
  [', certified 1', certifying(1), {}, INVALID],
  [', as rights of usage', '', { entries: '/Reference[<</TransformMethod/UR3>>]' }, INVALID],
  [', with a parent', '', { field: '/Parent 34 0 R' }, INVALID],
  [', with an action', '', { field: '/A<</S/JavaScript/JS(1)>>' }, INVALID],
  [', over other bytes', '', { seal: async () => (await someSeal())(new Uint8Array(9)) }, INVALID],
]
const unlisted: Attack[] = UNLISTED.map(([name, entries, signing, answer]) => ({
  name: `a signature that the form does not list${name}`,
  make: async () => {
    const deed = await deedOf(SETTINGS[0]!, entries ? { entries } : {})
    return (await signDeed(deed, { number: 70, isUnlisted: true, ...signing })).file
  },
  answer,
}))

/** An appearance that a field and a page share: filling the field in changes the page. */
const SHARED: [string, (deed: Deed) => Bodies][] = [
  ['a figure of the page', (deed) => edited(deed, 12, '/Fm 22 0 R', '/Fm 22 0 R/Shared 7 0 R')],
  ['an annotation', (deed) => edited(deed, 19, '/A<<', '/AP<</N 7 0 R>>/A<<')],
  ['another field', (deed) => edited(deed, 17, '/N 21 0 R', '/N 7 0 R')],
  ['a pattern of a font', (deed) => edited(deed, 39, '/Encoding', '/Own 7 0 R/Encoding')],
  ['the catalog', (deed) => edited(deed, 1, '/Outlines', '/Own 7 0 R/Outlines')],
  ['the second page', (deed) => edited(deed, 12, '/Contents', '/PieceInfo<</Own 7 0 R>>/Contents')],
]
const sharing: Attack[] = SHARED.flatMap(([name, changes]) => [
  ...inEverySetting(
    `a filled field shares its look with ${name}`,
    (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)'), 7: look('2000') }),
    name === 'another field' ? { verdict: ['INVALID'] } : { ...INVALID, attack: 'sneaky-sharing' },
    { changes },
  ),
  afterSignature(`the look alone, shared with ${name}`, () => ({ 7: look('2000') }), INVALID, {
    changes,
  }),
  afterSignature(
    `a filled field shares its look with ${name}, certified 2`,
    (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)'), 7: look('2000') }),
    INVALID,
    { changes, entries: certifying(2) },
  ),
])

export const ANNOTATIONS: readonly Family[] = [
  { name: 'overlay by annotation', attacks: [...uncertified, ...named] },
  { name: 'overlay by annotation, certified', attacks: [...certified, ...evil] },
  { name: 'annotations changed', attacks: changed },
  { name: 'sneaky signature fields', attacks: [...sneaky, ...unlisted] },
  { name: 'sneaky sharing', attacks: sharing },
]
