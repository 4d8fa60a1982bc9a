import {
  type Bodies,
  bodiesWithPages,
  pdfHybrid,
  pdfLinearizedLike,
  pdfWithObjectStream,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { appendRevision, type RevisionStyle } from './revision.ts'

/*
 * A deed written by hand, with something of everything that an attack could change. The writer under test
 * has no part in it.
 */

/** A file and its current objects. */
export type Deed = { file: Uint8Array; bodies: Bodies }

const LAYOUTS = {
  table: pdfWithTable,
  'object stream': pdfWithObjectStream,
  hybrid: pdfHybrid,
  'two sections': pdfLinearizedLike,
}
export type Layout = keyof typeof LAYOUTS

export const FORM_XOBJECT = '/Type/XObject/Subtype/Form/BBox[0 0 300 300]'
export const textStream = (text: string) => streamBody(`BT /F1 24 Tf 30 150 Td (${text}) Tj ET`)
/** The look of a field, as large as each field of the deed. */
export const look = (text: string, font = 'F1') =>
  streamBody(`BT /${font} 8 Tf 2 2 Td (${text}) Tj ET`, LOOK_ENTRIES)
const LOOK_ENTRIES =
  '/Type/XObject/Subtype/Form/BBox[0 0 90 9]/Resources<</Font<</F1 3 0 R/ZaDb<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>>>'
/** The look of a box with a sign of ZapfDingbats in it: 4 is a tick, 8 a cross. */
export const tick = (sign: string) => look(sign, 'ZaDb')
export const COVER = streamBody('1 g 0 0 300 300 re f', FORM_XOBJECT)
const XMP = streamBody(
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>',
  '/Type/Metadata/Subtype/XML',
)

/** Numbers from here on are free. */
export const FREE = 60

/**
 * Page 1 (10, content 11) shows an image (18) and fields: a price (5, look 7), a box (14, looks 15 and 16),
 * a state (17), two lines of an address (35 and 36 under 34), an empty signature field (6), a link (19).
 * Its fonts are 3 and, embedded, 39. Page 2 (12, content 13) shows a figure (22) and a layer (23). Nothing leads to 50 to 53.
 */
export function deedBodies(): Bodies {
  const catalog = '/AcroForm 8 0 R/Metadata 9 0 R/OCProperties 24 0 R/Names 26 0 R/Outlines 28 0 R'
  const widget = (place: number) =>
    `/Type/Annot/Subtype/Widget/Rect[0 ${place} 90 ${place + 9}]/F 4/P 10 0 R`
  return {
    ...bodiesWithPages(2, catalog),
    5: `<</FT/Tx/T(Precio)/V(1000)${widget(10)}/AP<</N 7 0 R>>>>`,
    6: `<</FT/Sig/T(Notario)${widget(20)}>>`,
    7: look('1000'),
    8: '<</Fields[5 0 R 6 0 R 14 0 R 17 0 R 34 0 R]/SigFlags 3/DA(/F1 0 Tf)/DR<</Font<</F1 3 0 R>>>>>>',
    9: XMP,
    10: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R/F2 39 0 R>>/XObject<</Im 18 0 R>>>>/Annots[5 0 R 6 0 R 14 0 R 17 0 R 35 0 R 36 0 R 19 0 R]/Contents 11 0 R>>`,
    12: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>/XObject<</Fm 22 0 R>>/Properties<</Capa 23 0 R>>>>/Contents 13 0 R>>',
    13: streamBody('BT /F1 24 Tf 30 150 Td (Page 2) Tj ET /OC /Capa BDC /Fm Do EMC'),
    14: `<</FT/Btn/T(Acepta)/V/Off/AS/Off${widget(30)}/AP<</N<</Si 15 0 R/Off 16 0 R>>>>>>`,
    15: look('x'),
    16: look(''),
    17: `<</FT/Ch/T(Estado)/V(Jalisco)/Opt[(Jalisco)(Sonora)]${widget(40)}/AP<</N 21 0 R>>>>`,
    18: streamBody(
      '\x7f',
      '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8',
    ),
    19: '<</Type/Annot/Subtype/Link/Rect[0 0 50 9]/A<</S/URI/URI(https://rubrica.example/)>>>>',
    21: look('Jalisco'),
    22: streamBody('0 0 9 9 re f', FORM_XOBJECT),
    23: '<</Type/OCG/Name(Capa)>>',
    24: '<</OCGs[23 0 R]/D<</Order[23 0 R]/ON[23 0 R]/OFF[]>>>>',
    26: '<</EmbeddedFiles<</Names[(anexo.txt) 27 0 R]>>>>',
    27: '<</Type/Filespec/F(anexo.txt)/UF(anexo.txt)/EF<</F 29 0 R>>>>',
    28: '<</Type/Outlines/Count 0>>',
    29: streamBody('anexo', '/Type/EmbeddedFile'),
    30: '<</Type/FontDescriptor/FontName/Deed/Flags 32/FontFile2 33 0 R>>',
    31: '<</Type/Encoding/Differences[49/one/two]>>',
    32: streamBody('/CIDInit /ProcSet findresource begin'),
    33: streamBody('glyphs', '/Length1 6'),
    34: '<</FT/Tx/T(Domicilio)/Kids[35 0 R 36 0 R]>>',
    35: `<</T(calle)/V(Hidalgo 1)/Parent 34 0 R${widget(50)}/AP<</N 37 0 R>>>>`,
    36: `<</T(ciudad)/V(Tepic)/Parent 34 0 R${widget(60)}/AP<</N 38 0 R>>>>`,
    37: look('Hidalgo 1'),
    38: look('Tepic'),
    39: '<</Type/Font/Subtype/TrueType/BaseFont/Deed/FontDescriptor 30 0 R/Encoding 31 0 R/ToUnicode 32 0 R>>',
    50: textStream('Otra cosa'),
    51: '<</Type/Page/Parent 52 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Contents 50 0 R>>',
    52: '<</Type/Pages/Kids[51 0 R]/Count 1>>',
    53: '<</Type/Catalog/Pages 52 0 R/AcroForm 8 0 R>>',
  }
}

export function layOut(bodies: Bodies, layout: Layout): Deed {
  return { file: LAYOUTS[layout](bodies), bodies }
}

/** The deed with one more revision that replaces the objects in `changes`. */
export function revised(deed: Deed, changes: Bodies, style: RevisionStyle = 'table'): Deed {
  return {
    file: appendRevision(deed.file, changes, { style }),
    bodies: { ...deed.bodies, ...changes },
  }
}

/** A body with a piece of it replaced. @throws {Error} when the piece is not in it: the attack would do nothing */
export function edited(
  { bodies }: Deed,
  number: number,
  piece: string,
  replacement: string,
): Bodies {
  const body = bodies[number]
  if (!body?.includes(piece)) throw new Error(`object ${number} has no ${piece}`)
  return { [number]: body.replace(piece, () => replacement) }
}
