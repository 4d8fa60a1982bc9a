import { describe, expect, test } from 'vitest'
import { edited, look } from '#tests/attacks/deed.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { signedDeed } from '#tests/attacks/sign-deed.ts'
import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { createOracle, READERS } from './oracle.ts'

const names = READERS.map(({ name }) => name)
const WITH_WORDS = ['Poppler', 'MuPDF']

const drawn = (content: string) =>
  streamBody(content, '/Type/XObject/Subtype/Form/BBox[0 0 90 9]/Resources<</Font<</F1 3 0 R>>>>')

/** Which readers do not show `value` in a deed whose price has this look, and another value that is signed. */
async function differing(look: string, value = '2000', more: Bodies = {}) {
  const deed = await signedDeed()
  const changes = { ...edited(deed, 5, '(1000)', '(2000)'), 7: look, ...more }
  return readersOf(deed.file, changes, [5], new Map([['Precio', value]]))
}

async function readersOf(
  signed: Uint8Array,
  changes: Bodies,
  listed: readonly number[],
  filled: ReadonlyMap<string, string>,
) {
  const file = appendRevision(signed, changes)
  const part = { end: signed.length, listed: new Set(listed), filled, noted: new Set<number>() }
  const [one] = await createOracle()([{ name: 'deed', file, signed: [part] }])
  return [...new Set(one!.differences.map((difference) => difference.split(':')[0]))]
}

describe('value of a filled text', () => {
  test('all readers show a value in the usual look', async () => {
    expect(await differing(look('2000'))).toEqual([])
  })

  test('all readers show a value in cells of letters', async () => {
    expect(await differing(drawn('BT /F1 8 Tf 2 2 Td (2) Tj 9 0 Td (000) Tj ET'))).toEqual([])
  })

  test.each<[string, string, string[]]>([
    ['another text', look('9999'), WITH_WORDS],
    ['a digit more', look('20000'), WITH_WORDS],
    ['nothing', look(''), WITH_WORDS],
    ['white letters', drawn('1 g BT /F1 8 Tf 2 2 Td (2000) Tj ET'), names],
    ['invisible letters', drawn('BT 3 Tr /F1 8 Tf 2 2 Td (2000) Tj ET'), names],
    ['letters outside', drawn('BT /F1 8 Tf 2 40 Td (2000) Tj ET'), WITH_WORDS],
    ['letters below an area', drawn('BT /F1 8 Tf 2 2 Td (2000) Tj ET 1 g 0 0 90 9 re f'), names],
    ['a line beside it', drawn('BT /F1 8 Tf 2 2 Td (2000) Tj ET 2 w 50 1 m 50 8 l S'), names],
  ])('readers find %s', async (_, body, readers) => {
    expect(await differing(body)).toEqual(readers)
  })

  test('the value of the report counts, not that of the file', async () => {
    expect(await differing(look('2000'), '3000')).toEqual(WITH_WORDS)
  })
})

describe('state of a filled box', () => {
  const box = async (state: string, on: string, value: string) => {
    const deed = await signedDeed()
    const field = deed.bodies[14]!.replace('/V/Off/AS/Off', `/V/${state}/AS/${state}`)
    const changes = { 14: field, 15: on, 16: state === 'Off' ? on : look('') }
    return readersOf(deed.file, changes, [14, 15, 16], new Map([['Acepta', value]]))
  }

  test('all readers show a sign in a box that is ticked', async () => {
    expect(await box('Si', look('x'), 'Si')).toEqual([])
  })

  test('a sign of one thin line is a sign', async () => {
    expect(await box('Si', look('l'), 'Si')).toEqual([])
  })

  test('readers find a box that is ticked and empty, as it was signed', async () => {
    expect(await box('Si', look(''), 'Si')).toEqual(names.filter((name) => name !== 'Ghostscript'))
  })

  test('all readers find a box that is not ticked and shows a sign', async () => {
    expect(await box('Off', look('x'), 'Off')).toEqual(names)
  })

  test('Ghostscript may show a box of an object stream as it was signed, the others not', async () => {
    const { file, bodies } = await signedDeed({ layout: 'object stream' })
    const field = bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si')
    const filled = new Map([['Acepta', 'Si']])
    expect(await readersOf(file, { 14: field }, [14], filled)).toEqual([])
    const others = names.filter((name) => name !== 'Ghostscript')
    const empty = { 14: field, 15: look('') }
    expect(await readersOf(file, empty, [14, 15], filled)).toEqual(others)
  })
})
