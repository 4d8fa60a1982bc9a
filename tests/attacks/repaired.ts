import { concatBytes } from '#server/domain/bytes.ts'
import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, NOT_GOOD, valid } from './attack.ts'
import {
  type Body,
  type CrookedRevision,
  type Row,
  straightRevision,
  withCrookedRevision,
} from './crooked-revision.ts'
import { type Deed, deedBodies, FREE, layOut, textStream } from './deed.ts'
import { sizeOf } from './revision.ts'
import { onBytes } from './settings.ts'
import { signDeed } from './sign-deed.ts'

/*
 * Revisions that readers have to repair: what they find when they do is another page. A reader that repairs
 * nothing, or in another way, shows what was signed.
 */

type Style = CrookedRevision['style']

const EVIL: Body = { number: 11, generation: 0, value: textStream('Otra cosa') }
const HARMLESS: Body = { number: FREE, generation: 0, value: '(nada)' }
const placeOf = (file: Uint8Array, number: number) => textOf(file).indexOf(`\n${number} 0 obj`) + 1

const evilRow: Row = { number: 11, type: 1, second: { body: 0, shift: 0 }, third: 0 }
const signedRow = ({ file }: Deed): Row => ({
  number: 11,
  type: 1,
  second: placeOf(file, 11),
  third: 0,
})

function crooked(
  name: string,
  style: Style,
  change: (straight: CrookedRevision, deed: Deed) => Partial<CrookedRevision>,
  answer: Attack['answer'] = NOT_GOOD,
): Attack {
  return onBytes(
    `${name} (${style})`,
    (deed) => {
      const straight = straightRevision(deed.file, style)
      return withCrookedRevision(deed.file, { ...straight, ...change(straight, deed) })
    },
    answer,
  )
}

const inBothStyles = (
  name: string,
  change: (straight: CrookedRevision, deed: Deed) => Partial<CrookedRevision>,
  answer?: Attack['answer'],
) => (['table', 'stream'] as const).map((style) => crooked(name, style, change, answer))

const unlisted = { bodies: [EVIL] }

const offsets = [1, 2, -1, -2, -3, -8, 64, 100_000].flatMap((startError) =>
  inBothStyles(`startxref is off by ${startError}`, () => ({ ...unlisted, startError })),
)

const previous = [1, 2, -2, -8].flatMap((error) =>
  inBothStyles(`/Prev is off by ${error}`, ({ prev }) => ({
    ...unlisted,
    prev: String(Number(prev) + error),
  })),
)

const trailers = [
  ...inBothStyles('no /Root', () => ({ ...unlisted, root: undefined })),
  ...inBothStyles('/Root is no reference', () => ({ ...unlisted, root: '1' })),
  ...inBothStyles('no /Size', () => ({ ...unlisted, size: undefined })),
  ...['0', '-1', '5', '11', '97 0 R', '1.5', '(99)'].flatMap((size) =>
    inBothStyles(`/Size ${size}`, () => ({ ...unlisted, size })),
  ),
  ...['97 0 R', '-1', '0', 'null', '(5)'].flatMap((prev) =>
    inBothStyles(`/Prev ${prev}`, () => ({ ...unlisted, prev }), {
      verdict: [...NOT_GOOD.verdict, 'NOT_A_PDF'],
    }),
  ),
]

const rows = [
  ...inBothStyles('an object that no row lists', () => unlisted),
  ...inBothStyles('an object listed twice, the signed one last', ({ rows }, deed) => ({
    ...unlisted,
    rows: [...rows, evilRow, signedRow(deed)],
  })),
  ...inBothStyles('an object listed twice, the signed one first', ({ rows }, deed) => ({
    ...unlisted,
    rows: [...rows, signedRow(deed), evilRow],
  })),
  ...inBothStyles('a new object listed twice', ({ rows }) => ({
    bodies: [HARMLESS, { ...HARMLESS, value: '(otra)' }],
    rows: [
      ...rows,
      ...[0, 1].map((body) => ({ number: FREE, type: 1, second: { body, shift: 0 }, third: 0 })),
    ],
  })),
  ...inBothStyles('an object listed and called free', ({ rows }) => ({
    ...unlisted,
    rows: [...rows, evilRow, { number: 11, type: 0, second: 0, third: 1 }],
  })),
  ...inBothStyles('two bodies with one row', ({ rows }) => ({
    bodies: [HARMLESS, { ...HARMLESS, value: '(otra)' }],
    rows: [...rows, { number: FREE, type: 1, second: { body: 0, shift: 0 }, third: 0 }],
  })),
  ...[3, 7, 9].flatMap((type) =>
    inBothStyles(`a row of type ${type}`, ({ rows }) => ({
      ...unlisted,
      rows: [...rows, { ...evilRow, type }],
    })),
  ),
  crooked('a row of type 255', 'stream', ({ rows }) => ({
    ...unlisted,
    rows: [...rows, { ...evilRow, type: 255 }],
  })),
  ...[1, 5].flatMap((third) =>
    inBothStyles(`a row of generation ${third}`, ({ rows }) => ({
      ...unlisted,
      rows: [...rows, { ...evilRow, third }],
    })),
  ),
  ...inBothStyles('an object of another generation than its row', ({ rows }) => ({
    bodies: [{ ...EVIL, generation: 5 }],
    rows: [...rows, evilRow],
  })),
  ...[1, -1].flatMap((countError) =>
    inBothStyles(`subsections that are ${countError} off`, ({ rows }) => ({
      ...unlisted,
      rows: [...rows, { ...evilRow, number: FREE }],
      countError,
    })),
  ),
  ...[3, -3, 40].flatMap((shift) =>
    inBothStyles(`a row that is ${shift} bytes off`, ({ rows }) => ({
      bodies: [EVIL],
      rows: [...rows, { ...evilRow, second: { body: 0, shift } }],
    })),
  ),
  ...['% a comment\n', '0000000009 00000 n\n', '9 0 n \n', '0000000009 00000 x \n', '\n'].map(
    (text) =>
      crooked(`a row written as ${JSON.stringify(text)}`, 'table', ({ rows }) => ({
        ...unlisted,
        rows: [...rows, { ...evilRow, text }],
      })),
  ),
]

const slotOf = (number: number, value: string) => ({ number, value })
const container = (slots: ReturnType<typeof slotOf>[], file: Uint8Array) => ({
  number: sizeOf(file) + 5,
  slots,
})
const CATALOG = '<</Type/Catalog/Pages 52 0 R/AcroForm 8 0 R>>'
const slotRows = (file: Uint8Array, ...pairs: [number, number][]): Row[] => [
  { number: sizeOf(file) + 5, type: 1, second: { body: 0, shift: 0 }, third: 0 },
  ...pairs.map(([number, index]) => ({
    number,
    type: 2,
    second: sizeOf(file) + 5,
    third: index,
  })),
]

const slots = [
  crooked('a slot that holds another number', 'stream', (_, { file }) => ({
    container: container([slotOf(1, CATALOG), slotOf(FREE, '(nada)')], file),
    rows: slotRows(file, [FREE, 0], [FREE + 1, 1]),
  })),
  crooked('a slot that no row names', 'stream', (_, { file }) => ({
    container: container([slotOf(FREE, '(nada)'), slotOf(1, CATALOG)], file),
    rows: slotRows(file, [FREE, 0]),
  })),
  crooked('a number twice in an object stream', 'stream', (_, { file }) => ({
    container: container([slotOf(FREE, '(nada)'), slotOf(FREE, '(otra)')], file),
    rows: slotRows(file, [FREE, 0]),
  })),
  crooked('an index beyond the slots', 'stream', (_, { file }) => ({
    container: container([slotOf(FREE, '(nada)')], file),
    rows: slotRows(file, [FREE, 7]),
  })),
  crooked(
    'a row of the catalog into a slot of another object',
    'stream',
    (_, { file, bodies }) => ({
      container: container([slotOf(FREE, CATALOG), slotOf(1, bodies[1]!)], file),
      rows: slotRows(file, [FREE, 0], [1, 0]),
    }),
  ),
  crooked('the catalog in two slots, the signed one named', 'stream', (_, { file, bodies }) => ({
    container: container([slotOf(1, CATALOG), slotOf(1, bodies[1]!)], file),
    rows: slotRows(file, [1, 1]),
  })),
]

const SECOND_TABLE = ({ file }: Deed) => {
  const start = placeOf(file, 50)
  return `xref\n11 1\n${String(start).padStart(10, '0')} 00000 n \ntrailer\n<</Size 99/Root 1 0 R>>\n`
}

const frames = [
  ...inBothStyles('a second table after the first', (_, deed) => ({
    ...unlisted,
    afterSection: SECOND_TABLE(deed),
  })),
  ...inBothStyles('an object between the section and the end', () => ({
    afterSection: `11 0 obj\n${EVIL.value}\nendobj\n`,
  })),
  ...inBothStyles('two places of the section', () => ({
    ...unlisted,
    afterSection: 'startxref\n9\n',
  })),
  ...inBothStyles('an object in a comment', () => ({
    afterSection: '%11 0 obj<</Length 9>>stream\n',
  })),
  ...inBothStyles('words that mean nothing', () => ({ ...unlisted, afterSection: 'nada\n' })),
  ...inBothStyles('a catalog after the end', () => ({
    tail: `1 0 obj\n${CATALOG}\nendobj\n`,
  })),
]

const MALFORMED: [string, string][] = [
  ['without its end', '<</A 1>>\nendobi'],
  ['with a comment inside', '<</A 1%>>\nendobj 11 0 obj\n/B 2>>'],
  ['with a stray bracket', '<</A 1>>>>'],
  ['with a key without a value', '<</A/B/C>>'],
  ['with a word that means nothing', '<</A nada>>'],
  ['with a number that means nothing', '<</A 1.2.3>>'],
  ['that refers to a number beyond all', '<</A 4294967307 0 R>>'],
  ['whose stream is longer than it says', textStream('nada').replace(/Length \d+/, 'Length 3')],
  ['whose stream is shorter than it says', textStream('nada').replace(/Length \d+/, 'Length 400')],
  ['whose stream says no length', textStream('nada').replace(/\/Length \d+/, '')],
]

const malformed = MALFORMED.flatMap(([name, value]) =>
  inBothStyles(`a new object ${name}`, ({ rows }) => ({
    bodies: [{ ...HARMLESS, value }],
    rows: [...rows, { number: FREE, type: 1, second: { body: 0, shift: 0 }, third: 0 }],
  })),
)

/** What good programs write, too. */
const accepted = [
  ...inBothStyles('nothing at all', () => ({}), valid('NONE')),
  ...inBothStyles('a larger /Size', () => ({ size: '400' }), valid('NONE')),
  ...inBothStyles(
    'white space before the section',
    ({ rows }) => ({
      bodies: [HARMLESS],
      rows: [...rows, { number: FREE, type: 1, second: { body: 0, shift: 0 }, third: 0 }],
      startError: -1,
    }),
    valid('NONE'),
  ),
  ...inBothStyles(
    'a remark of the program',
    () => ({ afterSection: '%iText-7.1.2\n' }),
    valid('NONE'),
  ),
  crooked(
    'a blank line before the trailer',
    'table',
    ({ rows }) => ({
      rows: [...rows.slice(0, -1), { ...rows.at(-1)!, text: '0000000000 65535 f \n\n' }],
    }),
    valid('NONE'),
  ),
  onBytes(
    '70,000 zeros after the end',
    ({ file }) => concatBytes(file, new Uint8Array(70_000)),
    valid('NONE'),
  ),
  onBytes(
    'line ends after the end',
    ({ file }) => concatBytes(file, bytesOf('\r\n \n')),
    valid('NONE'),
  ),
  {
    // As pdfsig signs what pdf-lib wrote.
    name: 'a revision that begins right after %%EOF',
    make: async () => {
      const { file, bodies } = layOut(deedBodies(), 'table')
      return (await signDeed({ file: bytesOf(textOf(file).trimEnd()), bodies })).file
    },
    answer: valid('NONE'),
  },
]

export const REPAIRED: readonly Family[] = [
  { name: 'repaired by readers: places of sections', attacks: [...offsets, ...previous] },
  { name: 'repaired by readers: trailers', attacks: trailers },
  { name: 'repaired by readers: rows', attacks: rows },
  { name: 'repaired by readers: slots', attacks: slots },
  { name: 'repaired by readers: frames', attacks: frames },
  { name: 'repaired by readers: objects', attacks: malformed },
  { name: 'nothing to repair', attacks: accepted },
]
