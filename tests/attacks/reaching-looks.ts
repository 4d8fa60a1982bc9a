import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, NOT_GOOD, valid } from './attack.ts'
import { edited, FREE, revised } from './deed.ts'
import { afterSignature, deedOf, SETTINGS } from './settings.ts'
import { certifying, type Signing, signDeed } from './sign-deed.ts'

/*
 * Looks that some readers draw outside of their place, over any part of the page. A state that a look restores and did
 * not save is that of the page in pdf.js. Ghostscript draws a look without a place as large as it was made. PDFium does
 * not keep letters made by instructions in their place.
 */

const BLACK = '0 0 300 300 re f'
const WORDS = 'BT /F1 9 Tf 5 30 Td (Firmado por Ana) Tj ET'
const inline = (data: string, entries = '') => `BI /W 1 /H 1 /BPC 8 /CS /G${entries} ID ${data} EI`
const INLINE = inline('x')
const RESOURCES = `/Resources<</Font<</F1 3 0 R/T3 ${FREE + 2} 0 R>>/XObject<</Fm ${FREE + 1} 0 R>>/Pattern<</P ${FREE + 1} 0 R>>>>`
const drawn = (content: string, resources = RESOURCES) =>
  streamBody(content, `/Type/XObject/Subtype/Form/BBox[0 0 180 50]${resources}`)

const formOf = (content: string, resources = '') =>
  streamBody(content, `/Type/XObject/Subtype/Form/BBox[0 0 9 9]${resources}`)
const form = (content: string): Bodies => ({ [FREE + 1]: formOf(content) })
const letter = (content: string): Bodies => ({
  [FREE + 2]:
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 48/LastChar 48/Widths[1]/CharProcs<</zero ${FREE + 3} 0 R>>/Encoding<</Differences[48/zero]>>/Resources<<>>>>`,
  [FREE + 3]: streamBody(content),
})

/** A later signature over a blank area, or without a place. */
const signed = (
  name: string,
  content: string,
  answer: Attack['answer'],
  {
    rectangle = '[20 220 200 270]',
    more = {} as Bodies,
    resources = RESOURCES,
    field = `/AP<</N ${FREE} 0 R>>`,
    signing = {} as Signing,
  } = {},
): Attack => ({
  name: `a later signature with ${name}`,
  make: async () => {
    const deed = await deedOf(SETTINGS[0]!, signing)
    const withLook = revised(deed, { ...more, [FREE]: drawn(content, resources) })
    return (await signDeed(withLook, { number: 70, rectangle, field })).file
  },
  answer,
})

const signatures: Attack[] = [
  signed('a state restored that was not saved', `Q ${BLACK}`, INVALID),
  signed('more states restored than saved', `q Q Q Q ${BLACK}`, INVALID),
  signed('a state restored in a text', `BT Q ${BLACK} ET`, INVALID),
  signed('a state restored behind one that is saved', `Q ${BLACK} q`, INVALID),
  signed('a state restored in a form', '/Fm Do', INVALID, { more: form(`Q Q ${BLACK}`) }),
  signed('a state restored in a pattern', `/Pattern cs /P scn ${BLACK}`, INVALID, {
    more: form('Q'),
  }),
  signed('instructions that stand together', `qQQ ${BLACK}`, NOT_GOOD),
  signed('an instruction of its own', `own ${BLACK}`, NOT_GOOD),
  signed('operands of another type', `(9) w ${BLACK}`, NOT_GOOD),
  signed('a state restored behind an inline image', `${INLINE} Q ${BLACK}`, NOT_GOOD),
  signed('a state restored right behind a fill', `${INLINE} 0 0 1 1 re fQ ${BLACK}`, NOT_GOOD),
  signed('letters made by instructions', 'BT /T3 9 Tf 5 30 Td (0) Tj ET', NOT_GOOD, {
    more: letter(`1 0 0 0 1 1 d1 -99 -99 999 999 re f`),
  }),
  signed('a look and no place', BLACK, NOT_GOOD, { rectangle: '[0 0 0 0]' }),
  signed('a look and a place as high as nothing', BLACK, NOT_GOOD, {
    rectangle: '[20 220 200 220]',
  }),
  signed('a state restored and no place', `Q ${BLACK}`, INVALID, { rectangle: '[0 0 0 0]' }),
  signed('words', WORDS, valid('FORM_FILLING')),
  signed('words between states', `q q ${WORDS} Q 1 w Q`, valid('FORM_FILLING')),
  signed('states that are not restored', `q q ${WORDS}`, valid('FORM_FILLING')),
  signed('a form', 'q /Fm Do Q', valid('FORM_FILLING'), { more: form('q 0 0 9 9 re f Q') }),
  signed('an inline image', `q 9 0 0 9 0 0 cm ${INLINE} Q`, valid('FORM_FILLING')),
  signed('an empty look and no place', '% nada', valid('FORM_FILLING'), {
    rectangle: '[0 0 0 0]',
  }),
]

/** A parameter of the graphics state may name a font with which readers write. */
const state = (font: string) =>
  `/Resources<</ExtGState<</G<<${font}>>>>/XObject<</Fm ${FREE + 1} 0 R>>>>`
const T3 = `/Font[${FREE + 2} 0 R 9]`
/** PDFium takes the first item for a name. */
const NAMED_T3 = '/Font[/T3 9]'
const GIANT = letter(`1 0 0 0 1 1 d1 -99 -99 999 999 re f`)
const WRITTEN = 'BT 5 30 Td (0) Tj ET'
const byParameters: Attack[] = [
  signed('letters made by instructions that a parameter names', `/G gs ${WRITTEN}`, NOT_GOOD, {
    more: GIANT,
    resources: state(T3),
  }),
  signed('such letters by their name in a parameter', `/G gs ${WRITTEN}`, NOT_GOOD, {
    more: GIANT,
    resources: state(NAMED_T3).replace('<<', `<</Font<</T3 ${FREE + 2} 0 R>>`),
  }),
  signed('parameters behind a reference that name such letters', `/G gs ${WRITTEN}`, NOT_GOOD, {
    more: {
      ...GIANT,
      [FREE + 4]: T3.replace('/Font', ''),
      [FREE + 5]: `<</Font ${FREE + 4} 0 R>>`,
    },
    resources: `/Resources<</ExtGState<</G ${FREE + 5} 0 R>>>>`,
  }),
  signed('such letters in a form with parameters of its own', '/Fm Do', NOT_GOOD, {
    more: { ...GIANT, [FREE + 1]: formOf(`/G gs ${WRITTEN}`, state(T3)) },
  }),
  signed('such letters in a form without parameters of its own', '/Fm Do', NOT_GOOD, {
    more: { ...GIANT, [FREE + 1]: formOf(`/G gs ${WRITTEN}`) },
    resources: state(T3),
  }),
  signed('such letters behind an inline image', `${INLINE} /G gs ${WRITTEN}`, NOT_GOOD, {
    more: GIANT,
    resources: state(T3),
  }),
  signed('parameters without a font', `/G gs ${BLACK}`, valid('FORM_FILLING'), {
    resources: state('/ca 1/LW 2'),
  }),
  signed('parameters with a font that are not used', BLACK, valid('FORM_FILLING'), {
    more: GIANT,
    resources: state(T3),
  }),
]

/** PDFium looks in the page for what the resources of a look lack. */
const onPage = (fonts: string, more = ''): Signing => ({
  changes: ({ bodies }) => ({
    ...GIANT,
    [FREE + 1]: formOf(`BT /T3 9 Tf (0) Tj ET`, `/Resources<</Font<</T3 ${FREE + 2} 0 R>>>>`),
    10: bodies[10]!
      .replace('/Font<<', `/Font<<${fonts}`)
      .replace('/XObject<<', `${more}/XObject<</Fm ${FREE + 1} 0 R`),
  }),
})
const PAGE_T3 = `/T3 ${FREE + 2} 0 R`
const fromPage = (name: string, content: string, answer: Attack['answer'], signing: Signing) =>
  signed(name, content, answer, { resources: '', signing })
const byPage: Attack[] = [
  fromPage('letters of the page', 'BT /T3 9 Tf 5 30 Td (0) Tj ET', NOT_GOOD, onPage(PAGE_T3)),
  fromPage(
    'parameters of the page',
    `/G gs ${WRITTEN}`,
    NOT_GOOD,
    onPage(PAGE_T3, `/ExtGState<</G<<${NAMED_T3}>>>>`),
  ),
  fromPage('a form of the page', '/Fm Do', NOT_GOOD, onPage('')),
  fromPage(
    'a pattern of the page',
    `/Pattern cs /P scn ${BLACK}`,
    NOT_GOOD,
    onPage('', `/Pattern<</P ${FREE + 1} 0 R>>`),
  ),
  fromPage('a font that page and form have alike', WORDS, valid('FORM_FILLING'), onPage('')),
  fromPage(
    'parameters that stand where the page has its fonts, too',
    `/G gs ${WRITTEN}`,
    NOT_GOOD,
    {
      changes: (deed) => ({
        ...GIANT,
        [FREE + 5]: `<</T3 ${FREE + 2} 0 R/G<<${NAMED_T3}>>>>`,
        ...edited(
          deed,
          10,
          '/Font<</F1 3 0 R/F2 39 0 R>>',
          `/Font ${FREE + 5} 0 R/ExtGState ${FREE + 5} 0 R`,
        ),
      }),
    },
  ),
  fromPage('names that neither has', `/No gs /No Do ${WORDS}`, valid('FORM_FILLING'), onPage('')),
  signed('a font that the page calls by the same name', WORDS, valid('FORM_FILLING'), {
    signing: onPage(''),
  }),
]

/** Readers look for the end of an inline image each in its own way, and what is no instruction saves no state. */
const behindImages: Attack[] = [
  ['a comment', `${INLINE} % q\nQ`],
  ['a name', `${INLINE} /qqq BMC Q`],
  ['a string', `${INLINE} BT /F1 9 Tf 5 30 Td (qqq) Tj ET Q`],
  ['a comment that looks like an image', `% BI ID EI q q\n${INLINE} Q`],
  ['data that looks like its end', `${inline('EI q q')} Q`],
  ['data that ends in a name', `${inline('x EI/qqq')} Q`],
  ['another image', `q ${INLINE} Q ${inline('q q')} Q`],
  ['data in digits', `${inline(`00>Q ${BLACK}`, '/F/#41Hx')} q`],
].map(([name, content]) =>
  signed(`a state restored behind an inline image and ${name}`, `${content} ${BLACK}`, NOT_GOOD),
)

const drawnBehindImages: Attack[] = [
  signed('very many ends of an inline image', `${INLINE} ${'%EI \n'.repeat(9999)}`, NOT_GOOD),
  signed('a state restored in a form behind an inline image', `${INLINE} /Fm Do`, NOT_GOOD, {
    more: form(`Q Q ${BLACK}`),
  }),
  signed(
    'letters made by instructions behind an image',
    `${INLINE} BT /T3 9 Tf (0) Tj ET`,
    NOT_GOOD,
    {
      more: letter(`1 0 0 0 1 1 d1 -99 -99 999 999 re f`),
    },
  ),
  signed(
    'words behind an inline image',
    `q 9 0 0 9 0 0 cm ${INLINE} Q ${WORDS}`,
    valid('FORM_FILLING'),
  ),
  signed('inline images', `q q ${INLINE} Q q ${INLINE} Q Q ${INLINE}`, valid('FORM_FILLING')),
]

/** A look of which readers draw one state. */
const STATES = `/AP<</N<</On ${FREE} 0 R>>>>/AS/On`
const byState: Attack[] = [
  signed('a state restored in a look of a state', `Q ${BLACK}`, INVALID, { field: STATES }),
  signed('a look of a state and no place', BLACK, NOT_GOOD, {
    field: STATES,
    rectangle: '[0 0 0 0]',
  }),
  signed('a state restored in a look of a state without a place', `Q ${BLACK}`, INVALID, {
    field: STATES,
    rectangle: '[0 0 0 0]',
  }),
  signed('an empty look of a state and no place', '% nada', valid('FORM_FILLING'), {
    field: STATES,
    rectangle: '[0 0 0 0]',
  }),
  signed('a look without states and no place', BLACK, valid('FORM_FILLING'), {
    field: '/AP<</N<<>>>>',
    rectangle: '[0 0 0 0]',
  }),
]

const forms = (entries: string) => `/Resources<</XObject<<${entries}>>>>`
const MANY = Array.from({ length: 70 }, (_, at) => FREE + 10 + at)
const formsInForms: Attack[] = [
  signed('a form that means two others', '/B Do /A Do', NOT_GOOD, {
    resources: forms(`/A ${FREE + 1} 0 R/B ${FREE + 2} 0 R/X ${FREE + 3} 0 R`),
    more: {
      [FREE + 1]: formOf('/X Do'),
      [FREE + 2]: formOf('/A Do', forms(`/A ${FREE + 1} 0 R/X ${FREE + 4} 0 R`)),
      [FREE + 3]: formOf('0 0 9 9 re f'),
      [FREE + 4]: formOf(`Q Q Q Q Q ${BLACK}`),
    },
  }),
  signed('a form that draws itself', '/Fm Do', NOT_GOOD, { more: form('/Fm Do') }),
  signed('a form that is drawn often', '/Fm Do '.repeat(99), valid('FORM_FILLING'), {
    more: form('0 0 9 9 re f'),
  }),
  signed(
    'many forms',
    MANY.map((number) => `/F${number} Do`).join(' '),
    { verdict: ['INDETERMINATE'] },
    {
      resources: forms(MANY.map((number) => `/F${number} ${number} 0 R`).join('')),
      more: Object.fromEntries(MANY.map((number) => [number, formOf('0 0 9 9 re f')])),
    },
  ),
]

/** An empty signature field, or a note where these are allowed. */
const added = (
  name: string,
  entries: string,
  content: string,
  answer: Attack['answer'],
  certified = '',
) =>
  afterSignature(
    `${name} that is added`,
    (deed) => ({
      ...edited(deed, 10, ']/Contents', ` ${FREE} 0 R]/Contents`),
      ...(entries.includes('/FT') && edited(deed, 8, ']', ` ${FREE} 0 R]`)),
      [FREE]: `<</Type/Annot${entries}${entries.includes('/F 2') ? '' : '/F 4'}/P 10 0 R/AP<</N ${FREE + 4} 0 R>>>>`,
      [FREE + 4]: drawn(content),
    }),
    answer,
    { entries: certified },
  )
const FIELD = '/Subtype/Widget/FT/Sig/T(Nueva)/Rect[0 0 0 0]'
const LINE = '/Subtype/Underline/Rect[20 220 200 230]/QuadPoints[20 230 200 230 20 220 200 220]'

const others: Attack[] = [
  added('an empty field with a look and no place', FIELD, BLACK, NOT_GOOD),
  added('an empty field that restores a state', FIELD, `Q ${BLACK}`, INVALID),
  added('an empty field without a look', FIELD, '', valid('FORM_FILLING')),
  added('an empty field that is hidden', `${FIELD}/F 2`, BLACK, valid('FORM_FILLING')),
  added('a line that restores a state', LINE, 'Q 0 0 m 90 0 l S', INVALID, certifying(3)),
  added('a line that is not drawn', LINE, 'q 1 w Q', valid('ANNOTATIONS'), certifying(3)),
  added(
    'a line without a place',
    LINE.replace('200 230]', '200 220]'),
    '0 0 m 90 0 l S',
    INVALID,
    certifying(3),
  ),
]

export const REACHING_LOOKS: readonly Family[] = [
  {
    name: 'looks of signatures that are drawn elsewhere',
    attacks: [
      ...signatures,
      ...byParameters,
      ...byPage,
      ...behindImages,
      ...drawnBehindImages,
      ...byState,
      ...formsInForms,
    ],
  },
  { name: 'looks of additions that are drawn elsewhere', attacks: others },
]
