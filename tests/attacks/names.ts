import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, MODIFIED, valid } from './attack.ts'
import { type Deed, edited, FORM_XOBJECT, textStream } from './deed.ts'
import { inEverySetting } from './settings.ts'
import { certifying, type Signing } from './sign-deed.ts'

/*
 * What an object is called, by itself or by what leads to it, says nothing about what it is. The names are already
 * in the file that is signed; its author changes the object later.
 */

const called = (
  name: string,
  before: (deed: Deed) => Record<number, string>,
  after: (deed: Deed) => Record<number, string>,
  signing: Signing = {},
): Attack[] => inEverySetting(name, after, INVALID, { ...signing, changes: before })

const otherText = (type: string) =>
  textStream('Otra cosa').replace('<<', `<</Type/${type}/N 0/First 0/W[1 1 1]`)

/** As a content, a font, resources, layers, with the type of a container. */
const containers = ['ObjStm', 'XRef'].flatMap((type) => [
  ...called(
    `a content called /${type}`,
    ({ bodies }) => ({ 11: bodies[11]!.replace('<<', `<</Type/${type}/N 0/First 0/W[1 1 1]`) }),
    () => ({ 11: otherText(type) }),
  ),
  ...called(
    `a content called /${type}, certified`,
    ({ bodies }) => ({ 11: bodies[11]!.replace('<<', `<</Type/${type}/N 0/First 0/W[1 1 1]`) }),
    () => ({ 11: otherText(type) }),
    { entries: certifying(1) },
  ),
  ...called(
    `a font called /${type}`,
    ({ bodies }) => ({ 3: bodies[3]!.replace('/Type/Font', `/Type/${type}`) }),
    (deed) => edited(deed, 3, '/BaseFont', '/Encoding<</Differences[49/two]>>/BaseFont'),
  ),
  ...called(
    `resources called /${type}`,
    (deed) => ({
      ...edited(deed, 12, '/Resources<<', '/Resources 55 0 R/Old<<'),
      55: `<</Type/${type}/Font<</F1 3 0 R>>/XObject<</Fm 22 0 R>>/Properties<</Capa 23 0 R>>>>`,
    }),
    (deed) => edited(deed, 55, '/F1 3 0 R', '/F1 39 0 R'),
  ),
  ...called(
    `layers called /${type}`,
    (deed) => ({
      ...edited(deed, 24, '/D<<', '/D 56 0 R/Old<<'),
      56: `<</Type/${type}/Order[23 0 R]/ON[23 0 R]/OFF[]>>`,
    }),
    (deed) => edited(deed, 56, '/ON[23 0 R]/OFF[]', '/ON[]/OFF[23 0 R]'),
  ),
])

const XMP = '/Type/Metadata/Subtype/XML'
const PATTERN =
  '/Type/Metadata/Subtype/XML/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>'
const GLYPHS =
  '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</Metadata 55 0 R>>/Encoding<</Differences[49/Metadata]>>/FirstChar 49/LastChar 49/Widths[9]>>'

/** Reached under the key that documents use for their metadata, from elsewhere. */
const metadata = [
  ...called(
    'a pattern named /Metadata',
    (deed) => ({
      ...edited(deed, 12, '/Resources<<', '/Resources<</Pattern<</Metadata 55 0 R>>'),
      55: streamBody('0 0 9 9 re f', PATTERN),
    }),
    () => ({ 55: streamBody('0 0 5 5 re f', PATTERN) }),
  ),
  ...called(
    'a figure named /Metadata',
    (deed) => ({
      ...edited(deed, 12, '/Fm 22 0 R', '/Fm 22 0 R/Metadata 55 0 R'),
      55: streamBody('0 0 9 9 re f', `${XMP}/BBox[0 0 9 9]`),
    }),
    () => ({ 55: streamBody('0 0 5 5 re f', `${XMP}/BBox[0 0 9 9]`) }),
  ),
  ...called(
    'a glyph named /Metadata',
    (deed) => ({
      ...edited(deed, 12, '/F1 3 0 R', '/F1 3 0 R/F3 54 0 R'),
      54: GLYPHS,
      55: streamBody('9 0 0 0 9 9 d1 0 0 9 9 re f', XMP),
    }),
    () => ({ 55: streamBody('9 0 0 0 9 9 d1 0 0 5 5 re f', XMP) }),
  ),
  ...called(
    'a figure that is the metadata of the document, too',
    (deed) => ({
      ...edited(deed, 12, '/Fm 22 0 R', '/Metadata 9 0 R'),
      9: streamBody('0 0 9 9 re f', `${XMP}/BBox[0 0 9 9]`),
    }),
    () => ({ 9: streamBody('0 0 5 5 re f', `${XMP}/BBox[0 0 9 9]`) }),
  ),
  ...called(
    'a figure named /Info that is the information of the document, too',
    (deed) => ({
      ...edited(deed, 12, '/Fm 22 0 R', '/Info 4 0 R'),
      4: streamBody('0 0 9 9 re f', `/Producer(Uno)${FORM_XOBJECT}`),
    }),
    () => ({ 4: streamBody('0 0 5 5 re f', `/Producer(Dos)${FORM_XOBJECT}`) }),
  ),
]

const lists = [
  ...called(
    'a state of graphics named /Font that gains an opacity',
    (deed) => ({
      ...edited(deed, 12, '/Resources<<', '/Resources<</ExtGState<</Font 55 0 R>>'),
      55: '<</Nota 3 0 R>>',
    }),
    () => ({ 55: '<</Nota 3 0 R/ca 0>>' }),
  ),
  ...called(
    'fonts that are a state of graphics, too',
    (deed) => ({
      ...edited(deed, 12, '/Resources<<', '/Resources 56 0 R/Old<<'),
      55: '<</F1 3 0 R>>',
      56: '<</Font 55 0 R/ExtGState 57 0 R>>',
      57: '<</Font 55 0 R>>',
    }),
    () => ({ 55: '<</F1 3 0 R/ca 0>>' }),
  ),
  ...called(
    'a node of the page tree whose note leads to something',
    (deed) => edited(deed, 2, '/Count', '/ITXT(5.3.0)/Count'),
    (deed) => edited(deed, 2, '/ITXT(5.3.0)', '/ITXT 53 0 R'),
  ),
  ...called(
    'a node of the page tree that is a state of graphics, too',
    (deed) => edited(deed, 12, '/Resources<<', '/Resources<</ExtGState<</Pages 2 0 R>>'),
    (deed) => edited(deed, 2, '/Count', '/ca 0/Count'),
  ),
]

const harmless = [
  ...inEverySetting(
    'a note of the program in the page tree',
    (deed) => edited(deed, 2, '/ITXT(5.3.0)', '/ITXT(5.5.6)'),
    valid('NONE'),
    { changes: (deed) => edited(deed, 2, '/Count', '/ITXT(5.3.0)/Count') },
  ),
  ...inEverySetting(
    'the metadata of a page',
    () => ({ 55: streamBody('<?xpacket begin="1"?>', XMP) }),
    valid('LTA_UPDATES'),
    {
      changes: (deed) => ({
        ...edited(deed, 12, '/Parent', '/Metadata 55 0 R/Parent'),
        55: streamBody('<?xpacket begin="2"?>', XMP),
      }),
    },
  ),
  ...inEverySetting(
    'metadata without a name',
    () => ({ 9: streamBody('<?xpacket begin="1"?>') }),
    valid('LTA_UPDATES'),
  ),
]

/** The metadata of a picture belongs to what pages show. */
const pictures = inEverySetting(
  'the metadata of a picture',
  () => ({ 55: streamBody('<?xpacket begin="1"?>', XMP) }),
  MODIFIED,
  {
    changes: (deed) => ({
      ...edited(deed, 18, '/Type', '/Metadata 55 0 R/Type'),
      55: streamBody('<?xpacket begin="2"?>', XMP),
    }),
  },
)

export const NAMES: readonly Family[] = [
  { name: 'called what it is not', attacks: [...containers, ...metadata, ...lists, ...pictures] },
  { name: 'allowed: what nothing shows', attacks: harmless },
]
