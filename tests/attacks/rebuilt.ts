import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, NOT_GOOD, valid } from './attack.ts'
import { type CrookedRevision, straightRevision, withCrookedRevision } from './crooked-revision.ts'
import { type Deed, deedBodies, edited, FREE, type Layout, layOut, look, revised } from './deed.ts'
import { signDeed } from './sign-deed.ts'

/*
 * Signed with a cross-reference that leads astray. Readers rebuild it from the objects that they find: Poppler then
 * reads none that are in object streams, and MuPDF believes these more than later objects.
 */

type Crooked = (straight: CrookedRevision) => Partial<CrookedRevision>

const FAULTS: readonly (readonly [string, CrookedRevision['style'], Crooked])[] = [
  ['rows that are missing', 'stream', () => ({ countError: 100 })],
  ['one row that is missing', 'stream', () => ({ countError: 1 })],
  ['a section beside its place', 'table', () => ({ startError: -3 })],
  ['an object beside its place', 'table', ({ rows }) => ({ rows: [...rows, MISPLACED] })],
]

/** What the second page shows is somewhere else. */
const MISPLACED = { number: 13, type: 1, second: 5, third: 0 }

async function signedWith(
  layout: Layout,
  [, style, change]: (typeof FAULTS)[number],
): Promise<Deed> {
  const deed = layOut(deedBodies(), layout)
  const straight = straightRevision(deed.file, style)
  const row = { number: FREE, type: 1, second: { body: 0, shift: 0 }, third: 0 }
  const plain = {
    ...straight,
    bodies: [{ number: FREE, generation: 0, value: '(nada)' }],
    rows: [...straight.rows, row],
  }
  return signDeed({ ...deed, file: withCrookedRevision(deed.file, { ...plain, ...change(plain) }) })
}

const filled = (deed: Deed) =>
  revised(deed, { ...edited(deed, 5, '(1000)', '(2000)'), 7: look('2000') }).file

const LOOK = look('2000').replace('/Resources<<', '/Resources<</Own 97 0 R')

const DOUBTED = { ...NOT_GOOD, says: 'cross-reference-damaged' } as const

const rebuilt: Attack[] = FAULTS.flatMap((fault) => {
  const [name] = fault
  return [
    ...(['object stream', 'hybrid'] as const).flatMap((layout) => [
      {
        name: `${name}, signed so (${layout})`,
        make: async () => (await signedWith(layout, fault)).file,
        answer: DOUBTED,
      },
      {
        name: `${name}, signed so, then filled (${layout})`,
        make: async () => filled(await signedWith(layout, fault)),
        answer: DOUBTED,
      },
    ]),
    ...(name === 'an object beside its place'
      ? []
      : [
          {
            name: `${name}, signed so (table)`,
            make: async () => (await signedWith('table', fault)).file,
            answer: valid('NONE'),
          },
        ]),
  ]
})

/** A row of the first revision leads elsewhere, and no other revision is compared with the signed one. */
const astray: Attack[] = (['table', 'stream', 'object stream'] as const).map((style) => ({
  name: `an object beside its place before the only signature (${style})`,
  make: async () => {
    const { file, bodies } = layOut(deedBodies(), 'object stream')
    const text = textOf(file)
    const row = rowOf(text.indexOf('\n13 0 obj') + 1)
    if (!text.includes(row)) throw new Error('the row is not in the file')
    const misread = bytesOf(text.replace(row, () => rowOf(5)))
    return (await signDeed({ file: misread, bodies }, { style })).file
  },
  answer: DOUBTED,
}))

const rowOf = (offset: number) =>
  String.fromCharCode(1, offset >> 16, (offset >> 8) & 255, offset & 255, 0)

/** A field that is filled with a look whose font is no object of the file. */
const leadingNowhere: Attack[] = [
  ['object stream', 'table', DOUBTED] as const,
  ['hybrid', 'table', DOUBTED] as const,
  ['table', 'table', valid('FORM_FILLING')] as const,
  ['object stream', 'object stream', valid('FORM_FILLING')] as const,
].map(([layout, style, answer]) => ({
  name: `a field that leads to no object (${layout}, ${style})`,
  make: async () => {
    const deed = await signDeed(layOut(deedBodies(), layout), { style })
    const changes = { ...edited(deed, 5, '(1000)', '(2000)'), 7: LOOK }
    return revised(deed, changes, style).file
  },
  answer,
}))

export const REBUILT: readonly Family[] = [
  { name: 'rebuilt by readers', attacks: [...rebuilt, ...astray] },
  { name: 'references that lead nowhere', attacks: leadingNowhere },
]
