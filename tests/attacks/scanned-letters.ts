import { faxOf } from '#tests/support/pdf/fax.ts'
import { type Bodies, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, valid } from './attack.ts'
import { afterSignature } from './settings.ts'

/* Filled fields over digits that are no text of the page: of a scan, or behind an inline image. */

export const WRITTEN_OVER: Attack['answer'] = {
  verdict: ['INDETERMINATE'],
  says: 'field-writes-over-content',
}
export const UNHARMED = valid('FORM_FILLING')

/** An empty field over page 1 is filled with an 8, which stands where a 3 of the page would. */
export const filledOver = (
  name: string,
  page: string,
  answer: Attack['answer'],
  scan: string | undefined = undefined,
  others: Bodies = {},
): Attack => {
  const field = (written: string) =>
    `<</FT/Tx/T(Precio)/V(${written})/Type/Annot/Subtype/Widget/Rect[30 145 60 175]/F 4/P 10 0 R/AP<</N 7 0 R>>>>`
  const shown = (text: string) =>
    streamBody(
      `BT /F1 24 Tf 0 5 Td (${text}) Tj ET`,
      '/Type/XObject/Subtype/Form/BBox[0 0 30 30]/Resources<</Font<</F1 3 0 R>>>>',
    )
  return afterSignature(`a digit over ${name}`, () => ({ 5: field('8'), 7: shown('8') }), answer, {
    changes: (): Bodies => ({
      ...{ 5: field(''), 7: shown(''), 11: streamBody(page) },
      ...(scan !== undefined && { 18: scan }),
      ...others,
    }),
  })
}

export const THREE = 'BT /F1 24 Tf 30 150 Td (3000) Tj ET'
const ELSEWHERE = 'BT /F1 24 Tf 30 50 Td (3000) Tj ET'
const inline = (data: string, head = '') =>
  `q 9 0 0 9 200 200 cm BI /W ${data.length} /H 1 /BPC 8 /CS /G${head} ID ${data} EI Q`

const behind: Attack[] = [
  filledOver('a digit behind an inline image', `${inline('x')} ${THREE}`, WRITTEN_OVER),
  filledOver(
    'a blank part behind inline images',
    `${inline('x')} ${inline('y')} ${ELSEWHERE}`,
    UNHARMED,
  ),
  filledOver(
    'a digit behind an image that hides it in a comment',
    `${inline('x EI %')} ${THREE}`,
    WRITTEN_OVER,
  ),
  filledOver(
    'a digit behind an image that moves it away',
    `${inline('x EI Q q .01 0 0 .01 0 0 cm')} ${THREE}`,
    WRITTEN_OVER,
  ),
  filledOver(
    'a digit in the data of an image',
    `${inline(`x~> ${THREE}`, '/F/A85')}`,
    WRITTEN_OVER,
  ),
  filledOver(
    'an inline image',
    'q 30 0 0 30 30 145 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q',
    WRITTEN_OVER,
  ),
  filledOver(
    'a digit behind more instructions than are read',
    `${'q Q '.repeat(60_000)} ${THREE}`,
    WRITTEN_OVER,
  ),
]

export const SCANNED = 'q 300 0 0 300 0 0 cm /Im Do Q'
export const SIDE = 600
type Rectangle = readonly [left: number, top: number, right: number, bottom: number]
/** A page of 300 points with two samples to each, and what is black on it. */
const drawn = (black: readonly Rectangle[]) =>
  Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)]
    const isBlack = black.some(
      ([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom,
    )
    return isBlack ? 0 : 255
  })
/** A 3 of straight strokes. */
export const digit = drawn([
  [62, 266, 84, 270],
  [62, 281, 84, 285],
  [62, 296, 84, 300],
  [80, 266, 84, 300],
])
/** To write on, a little slanted, and the side of a box around it. */
export const line = drawn([
  [40, 304, 240, 307],
  [240, 305, 440, 308],
  [90, 180, 92, 240],
  [91, 240, 93, 330],
])
export const HEAD = `/Type/XObject/Subtype/Image/Width ${SIDE}/Height ${SIDE}`
export const gray = (samples: Uint8Array) =>
  streamBody(textOf(samples), `${HEAD}/ColorSpace/DeviceGray/BitsPerComponent 8`)
/** 1 is black. */
const bits = (samples: Uint8Array) => {
  const bytes = Uint8Array.from({ length: (SIDE * SIDE) / 8 }, (_, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].reduce(
      (sum, bit) => sum | (samples[8 * at + bit]! < 128 ? 0x80 >> bit : 0),
      0,
    ),
  )
  return textOf(bytes)
}
const stencil = (samples: Uint8Array) =>
  streamBody(bits(samples), `${HEAD}/ImageMask true/BitsPerComponent 1/Decode[1 0]`)
const table = (samples: Uint8Array) =>
  streamBody(
    bits(samples),
    `${HEAD}/ColorSpace[/Indexed/DeviceRGB 1<ffffff402010>]/BitsPerComponent 1`,
  )

/** The same in the size of one sample for each point, as `convert -quality 60` writes it. */
export const jpeg = (coded: string) =>
  streamBody(
    textOf(new Uint8Array(Buffer.from(coded, 'base64'))),
    '/Type/XObject/Subtype/Image/Width 300/Height 300/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode',
  )
export const JPEGS = {
  digit:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAEsASwBAREA/8QAGQABAAMBAQAAAAAAAAAAAAAAAAMEBQYH/8QAMBABAAIBAwICBQ0AAAAAAAAAAAECAwQFERITBiEHFTFBVhQWNlFmg5KUpbPR0uL/2gAIAQEAAD8A9OAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEWqzfJtLmz9rLl7VLX7eKvVe/Ec8Vj3zPuhzvzy+zHiT8h/psbJuun3vacG5aSmWmHN1dNcsRFo4tNZ54mY9sfWvgAAAAAAAAAACPPkti0+TJTFbLalJtGOvHN5iPZHPlzLG9e7j8Mbl+PD/dV9G30E2373927pwAAAAAAAAAABFqr5cWlzZNPh7+alLWx4uqK9y0R5V5nyjmfLlzvrvxX8GfqmL+FrwTt+r2rwnotDr8Xa1GLuddOqLcc5LTHnEzHsmG6AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA//2Q==',
  progressive:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wgALCAEsASwBAREA/8QAGQABAAMBAQAAAAAAAAAAAAAAAAIEBQMG/9oACAEBAAAAAfTgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABDOuWAAAAAAjS5agAAAAAQzut8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAf/8QAIBAAAQIGAwEAAAAAAAAAAAAAAgEDAAQRE1CQBRIUNP/aAAgBAQABBQLTGS9R9kMui81g1Wg33I434cGVUG9NRJNk1Ka8v//EACQQAAEDAQcFAAAAAAAAAAAAAAEAAhEDBDRBUFGQsWGBkqGj/9oACAEBAAY/AtmMmCYwCu1p8EKjZg65ITE9FdqnpU+/OSEtEnAaq5/UJjHiHCedvP8A/8QAIhAAAgIABAcAAAAAAAAAAAAAAREAMUFQkPAQUWFx0eHx/9oACAEBAAE/IdGOtwJQye03veCfB6FrWSGAEQDTGfT85turJDRnBLE3Lhy6MAbxaef/2gAIAQEAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABwAAAAAMAAAAAHAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD//EACAQAQEAAQQBBQAAAAAAAAAAAAERIQAxQVCQEFFh0fD/2gAIAQEAAT8Q8MfwT9TLByvB6Kxq8EBErFNz36RkaxCsNi4r03XfDgsUBinBXF1+/wBOuDXWioZFNk8ef//Z',
  line: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAEsASwBAREA/8QAGAABAQEBAQAAAAAAAAAAAAAAAAUGBAf/xAA3EAEAAAIDDQYEBwAAAAAAAAAAAwYBAgUEERITFhchVWaUpNLiFBU1RnXCIzJ0tCUxNFFhcYH/2gAIAQEAAD8A9OAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABwWjdEWDdtlw4VfBq3RdVaHEovUU4VXExa17+NNWrT/jvAAAAAAAAAAAATLW8RsT62t9vGUwAAAAAAAAAAAEy1vEbE+trfbxlMAAAAAAAAAAABMtbxGxPra328ZTAAAAAAAAAAAAZid/L3rdze5pwAAAAAAAAAAAGYnfy963c3uacAAAAAAAAAAABmJ38vet3N7mnAAAAAAAAAAAAZid/L3rdze5pwAAAAAAAAAAEy2pesq3sT3rcuPxGFi/iV6uDhXr/y00ftQl5vpU1VxEXmM30qaq4iLzIU1SdL9n9z9js/F9ptSBc8X40SnCh1sK/RpraPyo00aV3N9KmquIi8xm+lTVXEReYzfSpqriIvMZvpU1VxEXmM30qaq4iLzGb6VNVcRF5jN9KmquIi8xm+lTVXEReYzfSpqriIvMZG7TzJv/SZG7TzJv8A0mRu08yb/wBJkbtPMm/9JkbtPMm/9JkbtPMm/wDSZG7TzJv/AEmRu08yb/0mRu08yb/0mRu08yb/ANJkbtPMm/8ASZG7TzJv/SqWLY3dGO/E7Su7G4P62PjcC9f+XRRev39P9UKYAAAAI8x2VdFq919nrwqvY7Rg3VEw6aaL9Spfv0UXqKdOlYAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB/9k=',
}

/** Samples that are missing are black. */
const huge = streamBody(
  'x',
  '/Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceGray/BitsPerComponent 1',
)

/** So pale that a scan may have as much noise. */
const faint = digit.map((sample) => (sample === 0 ? 245 : 255))
const ofFaint = (entries: string) =>
  streamBody(textOf(faint), `${HEAD}/BitsPerComponent 8${entries}`)
const TABLE_OF_FAINT = '00'.repeat(246) + 'ff'.repeat(10)

const FAX_PARAMETERS = `/K -1/Columns ${SIDE}`
/** In Group 4, as black and white scanners write it. */
const fax = (samples: Uint8Array, parameters = FAX_PARAMETERS) => {
  const rows = Array.from({ length: SIDE }, (_, row) =>
    Array.from(samples.subarray(row * SIDE, (row + 1) * SIDE), (one) => (one < 128 ? '#' : ' ')),
  )
  return streamBody(
    textOf(faxOf(rows.map((row) => row.join('')))),
    `${HEAD}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<<${parameters}>>`,
  )
}
export const BLANK_FAX = fax(new Uint8Array(SIDE * SIDE).fill(255))
export const FAX_OF_DIGIT = fax(digit)

/** Readers expand what is no fax to something, or to nothing. */
export const FAX = streamBody(
  bits(digit),
  `${HEAD}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<<${FAX_PARAMETERS}>>`,
)

const coded: Attack[] = [
  filledOver('a scanned digit (JPEG)', SCANNED, WRITTEN_OVER, jpeg(JPEGS.digit)),
  filledOver('a scanned digit (progressive JPEG)', SCANNED, WRITTEN_OVER, jpeg(JPEGS.progressive)),
  filledOver('a scanned line to write on (JPEG)', SCANNED, UNHARMED, jpeg(JPEGS.line)),
  filledOver('a scan that is called a fax and is none', SCANNED, WRITTEN_OVER, FAX),
  ...[
    ['rows of another length', `/K -1/Columns ${SIDE - 8}`],
    ['fewer rows', `${FAX_PARAMETERS}/Rows 9`],
    ['rows of whole bytes', `${FAX_PARAMETERS}/EncodedByteAlign true`],
    ['rows of Group 3', `/K 0/Columns ${SIDE}`],
    ['more to say about it', `${FAX_PARAMETERS}/Colors 1`],
  ].map(([name, parameters]) =>
    filledOver(`a fax that says of itself: ${name}`, SCANNED, WRITTEN_OVER, fax(line, parameters)),
  ),
  filledOver(
    'a fax whose parameters are a list',
    SCANNED,
    WRITTEN_OVER,
    fax(line).replace('/DecodeParms<<', '/DecodeParms[<<').replace('>>>>', '>>]>>'),
  ),
  filledOver('a scan that is no JPEG', SCANNED, WRITTEN_OVER, jpeg('/9j/')),
  filledOver('a scan of more samples than are read', SCANNED, WRITTEN_OVER, huge),
  filledOver(
    'a pale scanned digit',
    SCANNED,
    WRITTEN_OVER,
    gray(digit.map((sample) => (sample === 0 ? 215 : 255))),
  ),
  filledOver(
    'a faint digit that its decoding makes black',
    SCANNED,
    WRITTEN_OVER,
    ofFaint('/ColorSpace/DeviceGray/Decode[-24.5 1]'),
  ),
  filledOver(
    'a faint digit that a gamma makes black',
    SCANNED,
    WRITTEN_OVER,
    ofFaint('/ColorSpace[/CalGray<</WhitePoint[.95 1 1.09]/Gamma 40>>]'),
  ),
  filledOver(
    'a faint digit that a table makes black',
    SCANNED,
    WRITTEN_OVER,
    ofFaint(`/ColorSpace[/Indexed/DeviceGray 255<${TABLE_OF_FAINT}>]`),
  ),
  filledOver('a scan in a table of its own', SCANNED, WRITTEN_OVER, ofFaint('/ColorSpace 21 0 R'), {
    21: '[/Indexed 21 0 R 255<00>]',
  }),
]

const scans: Attack[] = (
  [
    ['gray', gray],
    ['stencil', stencil],
    ['table', table],
    ['fax', (samples) => fax(samples)],
  ] as const satisfies readonly (readonly [string, (samples: Uint8Array) => string])[]
).flatMap(([kind, coded]) => [
  filledOver(`a scanned digit (${kind})`, SCANNED, WRITTEN_OVER, coded(digit)),
  filledOver(`a scanned line to write on (${kind})`, SCANNED, UNHARMED, coded(line)),
])

export const SCANNED_LETTERS: readonly Family[] = [
  { name: 'fields behind inline images', attacks: behind },
  { name: 'fields over scans', attacks: [...scans, ...coded] },
]
