import { type Random, randomFrom } from '#tests/fuzz/random.ts'
import { bytesOf, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import {
  type Body,
  type CrookedRevision,
  type Row,
  straightRevision,
  withCrookedRevision,
} from './crooked-revision.ts'
import { type Deed, deedBodies, edited, FREE, layOut, look, textStream } from './deed.ts'
import { laterSignature, mutatedFields } from './mutated-fields.ts'
import { withMutatedNotes } from './mutated-notes.ts'
import { sizeOf } from './revision.ts'
import { deedOf, SETTINGS } from './settings.ts'
import { signDeed } from './sign-deed.ts'

/*
 * Files that are signed and then get a revision in which something is wrong, by chance: rows, counts, offsets,
 * generations, types, slots, trailers, /Prev, streams. Each brings objects that show another text, if a reader finds them.
 * Others are filled, or signed once more, with something wrong in what is seen, or get notes over their text.
 */

type Mutated = {
  /** What was done, in the order in which it was done. */
  name: string
  /** The file that was signed. */
  signed: Uint8Array
  file: Uint8Array
}

/** The file of a seed and a number, always the same. */
export async function mutatedFile(seed: number, number: number): Promise<Mutated> {
  const random = randomFrom(seed, number)
  if (random.below(6) === 0) {
    const { base, deed, names, file } = await withMutatedNotes(random)
    return { name: `${seed}/${number}: ${base}, ${names.join(', ')}`, signed: deed.file, file }
  }
  const { name: base, deed } = await baseOf(random)
  const { names, file } = await random.pick([
    withMutatedStructure,
    withMutatedStructure,
    withMutatedFields,
    withMutatedFields,
    withMutatedFields,
    withLaterSignature,
  ])(deed, random)
  return {
    name: `${seed}/${number}: ${base}, ${names.join(', ') || 'nothing'}`,
    signed: deed.file,
    file,
  }
}

type Changed = { names: string[]; file: Uint8Array }

async function withMutatedStructure(deed: Deed, random: Random): Promise<Changed> {
  const revision = plainRevision(deed, random)
  const count = random.pick([0, 1, 1, 1, 2, 2, 3])
  const names: string[] = []
  for (let done = 0; done < count; done++) {
    const [name, mutate] = random.pick(MUTATIONS)
    mutate(revision, random, deed)
    names.push(name)
  }
  const straight = withCrookedRevision(deed.file, revision)
  const noisy = random.below(4) === 0 ? withNoise(straight, deed.file.length, random) : straight
  if (noisy !== straight) names.push('noise')
  return { names: [revision.style, ...names], file: noisy }
}

/** A form is filled in a revision that is right, mostly. */
async function withMutatedFields(deed: Deed, random: Random): Promise<Changed> {
  const revision = straightRevision(deed.file, random.pick(['table', 'stream'] as const))
  const { names, bodies } = mutatedFields(deed, random)
  for (const [number, value] of Object.entries(bodies))
    list(revision, { number: Number(number), generation: 0, value })
  revision.size = String(sizeOf(deed.file, bodies) + 20)
  if (random.below(12) === 0) {
    const [name, mutate] = random.pick(MUTATIONS)
    mutate(revision, random, deed)
    names.push(name)
  }
  return { names: [revision.style, ...names], file: withCrookedRevision(deed.file, revision) }
}

async function withLaterSignature(deed: Deed, random: Random): Promise<Changed> {
  const { names, deed: later } = await laterSignature(deed, random)
  if (random.below(4) > 0) return { names, file: later.file }
  const filled = await withMutatedFields(later, random)
  return { names: [...names, ...filled.names], file: filled.file }
}

/** How many files are signed with something wrong in them: a signature takes a moment. */
const CROOKED_BASES = 60
const crookedBases = new Map<number, Promise<Deed>>()

async function baseOf(random: Random): Promise<{ name: string; deed: Deed }> {
  if (random.below(2) === 0) {
    const setting = random.pick(SETTINGS)
    return { name: setting.name, deed: await deedOf(setting) }
  }
  const number = random.below(CROOKED_BASES)
  const known = crookedBases.get(number) ?? crookedBase(number)
  crookedBases.set(number, known)
  return { name: `signed crooked ${number}`, deed: await known }
}

/** A deed in which something is wrong when it is signed: its author may add the rest later. */
async function crookedBase(number: number): Promise<Deed> {
  const random = randomFrom(number, 1)
  const { layout, style } = random.pick(SETTINGS)
  const deed = layOut(deedBodies(), layout)
  const revision = straightRevision(deed.file, random.pick(['table', 'stream'] as const))
  list(revision, { number: FREE + 6, generation: 0, value: '(nada)' })
  const [, mutate] = random.pick(MUTATIONS)
  mutate(revision, random, deed)
  return signDeed({ ...deed, file: withCrookedRevision(deed.file, revision) }, { style })
}

const CATALOG = '<</Type/Catalog/Pages 52 0 R/AcroForm 8 0 R>>'
const PAGE =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Contents 50 0 R>>'

/** Objects that show another text in place of what was signed. */
const EVIL: readonly Omit<Body, 'generation'>[] = [
  { number: 11, value: textStream('Otra cosa') },
  { number: 13, value: textStream('Otra cosa') },
  { number: 10, value: PAGE },
  { number: 2, value: '<</Type/Pages/Kids[51 0 R]/Count 1>>' },
  { number: 1, value: CATALOG },
]

const evilBody = (random: Random): Body => ({ ...random.pick(EVIL), generation: 0 })
const written = ({ number, generation, value }: Body) =>
  `${number} ${generation} obj\n${value}\nendobj\n`

const rowOf = (body: number, number: number): Row => ({
  number,
  type: 1,
  second: { body, shift: 0 },
  third: 0,
})

/** Right, and with nothing that is seen; or with a filled field, or an object of the signed file as it was. */
function plainRevision(deed: Deed, random: Random): CrookedRevision {
  const revision = straightRevision(deed.file, random.pick(['table', 'stream'] as const))
  const some = random.below(1_000_000)
  const harmless = random.pick([
    `(${some})`,
    `<</A ${some}>>`,
    `[1 ${some} 3]`,
    streamBody(`${some}`),
  ])
  list(revision, { number: FREE, generation: 0, value: harmless })
  if (random.below(3) === 0) {
    // Not the font, which only the stream of a hybrid lists: Poppler may lose that, and see it again here.
    const number = random.pick([10, 11, 12])
    list(revision, { number, generation: 0, value: deed.bodies[number]! })
  }
  if (random.below(4) === 0) fill(revision, deed, String(random.below(1_000_000)))
  if (random.below(2) === 0) hide(revision, evilBody(random))
  return revision
}

/** Fills the field for the price. */
function fill(revision: CrookedRevision, deed: Deed, price: string): void {
  const field = edited(deed, 5, '(1000)', `(${price})`)[5]!
  list(revision, { number: 5, generation: 0, value: field })
  list(revision, { number: 7, generation: 0, value: look(price) })
}

function list(revision: CrookedRevision, body: Body): void {
  revision.rows.push(rowOf(revision.bodies.length, body.number))
  revision.bodies.push(body)
}

/** Without a row. */
const hide = (revision: CrookedRevision, body: Body) => revision.bodies.push(body)

type Mutate = (revision: CrookedRevision, random: Random, deed: Deed) => void

const SOME_ROW = (revision: CrookedRevision, random: Random) =>
  random.below(Math.max(1, revision.rows.length))

function changeRow(
  revision: CrookedRevision,
  random: Random,
  change: (row: Row) => Partial<Row>,
): void {
  const at = SOME_ROW(revision, random)
  const row = revision.rows[at]
  if (row) revision.rows[at] = { ...row, ...change(row) }
}

const placeIn = (file: Uint8Array, number: number) => textOf(file).indexOf(`\n${number} 0 obj`) + 1

const SHIFTS = [1, 2, 3, -1, -2, -3, -8, 10, 64, -64, 1000]

const MUTATIONS: readonly (readonly [string, Mutate])[] = [
  ['place of the section', (revision, random) => (revision.startError = random.pick(SHIFTS))],
  [
    'place of the section before',
    (revision, random) => {
      const wrong = String(Number(revision.prev) + random.pick(SHIFTS))
      revision.prev = random.pick([wrong, '0', '-1', '97 0 R', undefined])
    },
  ],
  [
    'size',
    (revision, random) =>
      (revision.size = random.pick([
        '0',
        '-1',
        '5',
        '11',
        '12',
        '97 0 R',
        '1.5',
        undefined,
        '400',
      ])),
  ],
  [
    'root',
    (revision, random) =>
      (revision.root = random.pick([
        undefined,
        '53 0 R',
        '1',
        '1 1 R',
        'null',
        '<</Pages 52 0 R>>',
      ])),
  ],
  [
    'trailer',
    (revision, random) =>
      (revision.trailer += random.pick([
        '/Root 53 0 R',
        '/R#6fot 53 0 R',
        '/Prev 5',
        '/XRefStm 9',
        '/Size 5',
        '/Encrypt null',
        '/A<</Root 53 0 R>>',
        '%\n/Root 53 0 R\n',
        '>>\ntrailer\n<</Root 53 0 R/Size 99',
      ])),
  ],
  ['unlisted object', (revision, random) => hide(revision, evilBody(random))],
  [
    'object in a stream',
    (revision, random) => {
      const inside = written(evilBody(random))
      const value = streamBody(`\n${inside}`, random.pick(['', '/Type/ObjStm/N 0/First 0']))
      const body = { number: FREE + 1, generation: 0, value }
      if (random.below(3) > 0) list(revision, body)
      else hide(revision, body)
    },
  ],
  [
    'object in a string',
    (revision, random) =>
      list(revision, {
        number: FREE + 2,
        generation: 0,
        value: `(\n${written(evilBody(random)).replace(/[()]/g, '\\$&')})`,
      }),
  ],
  [
    'object in a comment',
    (revision, random) =>
      (revision.afterSection += `%${written(evilBody(random)).replaceAll('\n', ' ')}\n`),
  ],
  [
    'after the section',
    (revision, random, { file }) =>
      (revision.afterSection += random.pick([
        written(evilBody(random)),
        'startxref\n9\n',
        '%%EOF\n',
        '%PDF-1.4\n',
        'nada\n',
        `xref\n11 1\n${String(placeIn(file, 50)).padStart(10, '0')} 00000 n \ntrailer\n<</Size 99/Root 1 0 R>>\n`,
        'trailer\n<</Size 99/Root 53 0 R>>\n',
      ])),
  ],
  [
    'after the end',
    (revision, random) =>
      (revision.tail += random.pick([
        written(evilBody(random)),
        '\0'.repeat(2000),
        '\n\n',
        '%nada\n',
        'startxref\n9\n%%EOF\n',
        'trailer\n<</Size 99/Root 53 0 R>>\n',
      ])),
  ],
  [
    'second row',
    (revision, random, { file }) => {
      const number = random.pick([1, 2, 10, 11, FREE])
      const row = { ...rowOf(SOME_ROW(revision, random), number) }
      const other = random.pick([placeIn(file, 50), placeIn(file, number), 0, 5])
      revision.rows.push(row, { ...row, second: other })
    },
  ],
  ['repeated row', (revision, random) => changeRow(revision, random, () => ({ number: 11 }))],
  [
    'number of a row',
    (revision, random) =>
      changeRow(revision, random, ({ number }) => ({ number: number + random.pick([1, -1, 50]) })),
  ],
  [
    'type of a row',
    (revision, random) =>
      changeRow(revision, random, () => ({ type: random.pick([0, 2, 3, 7, 9, 255]) })),
  ],
  [
    'generation of a row',
    (revision, random) =>
      changeRow(revision, random, () => ({ third: random.pick([1, 5, 255, 65535]) })),
  ],
  [
    'place of a row',
    (revision, random, { file }) =>
      changeRow(revision, random, ({ second }) => ({
        second:
          typeof second === 'number'
            ? second + random.pick(SHIFTS)
            : random.pick([
                { ...second, shift: random.pick(SHIFTS) },
                { body: random.below(revision.bodies.length), shift: 0 },
                placeIn(file, random.pick([10, 11, 50, 51, 53])),
              ]),
      })),
  ],
  [
    'text of a row',
    (revision, random) =>
      changeRow(revision, random, () => ({
        text: random.pick([
          '% nada\n',
          '9 0 n \n',
          '0000000009 00000 n\n',
          '\n',
          '0000000009 00000 x \n',
        ]),
      })),
  ],
  ['count of rows', (revision, random) => (revision.countError = random.pick([1, -1, 2, 100]))],
  [
    'generation of an object',
    (revision, random) => {
      const at = random.below(revision.bodies.length)
      revision.bodies[at] = { ...revision.bodies[at]!, generation: random.pick([1, 5]) }
    },
  ],
  [
    'length of a stream',
    (revision, random) => {
      for (const [at, body] of revision.bodies.entries())
        revision.bodies[at] = {
          ...body,
          value: body.value.replace(
            /Length \d+/,
            `Length ${random.pick(['0', '3', '9999', '97 0 R', '-1'])}`,
          ),
        }
    },
  ],
  [
    'end of an object',
    (revision, random) => {
      const at = random.below(revision.bodies.length)
      const body = revision.bodies[at]!
      const end = random.pick(['', 'endobi', '\nendobj\nendobj', '>>', '%'])
      revision.bodies[at] = { ...body, value: `${body.value}${end}` }
    },
  ],
  [
    'slots',
    (revision, random, deed) => {
      revision.style = 'stream'
      const number = sizeOf(deed.file) + 5
      const evil = random.pick(EVIL.slice(2))
      const slots = [
        { number: FREE + 3, value: '(nada)' },
        { number: random.pick([evil.number, FREE + 3, FREE + 4]), value: evil.value },
        { number: FREE + 5, value: '[1]' },
      ]
      revision.container = { number, slots: slots.slice(0, 1 + random.below(3)) }
      revision.rows.push(rowOf(revision.bodies.length, number))
      const indexes = [0, 1, 2].map((index) => (random.below(5) === 0 ? random.below(9) : index))
      for (const [at, index] of indexes.entries())
        if (random.below(4) > 0)
          revision.rows.push({
            number: random.below(5) === 0 ? evil.number : FREE + 3 + at,
            type: 2,
            second: number,
            third: index,
          })
    },
  ],
]

const NOISE = ['\n', ' ', '%', '0', '1', '9', '<', '>', '/', '(', '\0', '\r', 'obj', 'R']

/** Some bytes after the signature changed, added or left out. */
function withNoise(file: Uint8Array, from: number, random: Random): Uint8Array {
  let text = textOf(file)
  for (let times = 1 + random.below(2); times > 0; times--) {
    const at = from + random.below(text.length - from)
    const [taken, given] = random.pick([
      [0, random.pick(NOISE)],
      [1, random.pick(NOISE)],
      [1, ''],
    ] as const)
    text = text.slice(0, at) + given + text.slice(at + taken)
  }
  return bytesOf(text)
}
