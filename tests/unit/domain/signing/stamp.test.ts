import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray, isStream } from '#server/domain/pdf/object.ts'
import { prepareIncrement } from '#server/domain/signing/prepare-increment.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { LINES, lines, STAMPED, STAMPING, stamped } from '#tests/support/pdf/stamped-pdfs.ts'
import { onDisk, qpdf } from '#tests/unit/domain/pdf/variants.ts'
import { sheetFonts } from './sheet-fonts.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const arrived = (changes: { content?: string; page?: string; entries?: string; more?: object }) =>
  handSigned({
    seal: sealOf(efirma),
    entries: changes.entries ?? '',
    bodies: STAMPED.bodies(changes),
  })

/** Left, bottom, right, top of each signature field, in their order. */
function rectangles(file: Uint8Array): number[][] {
  const document = readDocument(memorySource(file))
  return formFields(document).map(({ widgets: [widget] }) => {
    const rectangle = document.resolve(entriesOf(document.resolve(widget)).get('Rect'))
    return isArray(rectangle) ? rectangle.items.map(Number) : []
  })
}

const isInvisible = ([left, bottom, right, top]: number[]) => left === right || bottom === top
const NOWHERE = [0, 0, 0, 0]
const textOf = (file: Uint8Array) => judge('pdftotext')('-raw', onDisk(file), '-').output

async function mustBeGood(file: Uint8Array, signatures: number) {
  const report = await verified(file)
  expect(report.verdict).toBe('VALID')
  expect(report.signatures).toHaveLength(signatures)
  for (const { indication } of report.signatures) expect(indication).toBe('TOTAL_PASSED')
  const { output } = judge('pdfsig')('-nocert', onDisk(file))
  expect(output.match(/Signature is Valid/g)).toHaveLength(signatures)
  expect(qpdf('--check', onDisk(file)).status).toBe(0)
}

describe('a document that arrived signed', () => {
  test('gets a stamp with code and address in the lowest blank place; all signatures stay VALID', async () => {
    const file = await stamped(await arrived({}), efirma)
    await mustBeGood(file, 2)
    expect(rectangles(file)).toEqual([NOWHERE, [344, 18, 594, 94]])
    const text = textOf(file)
    expect(text).toContain('ANA MARÍA MUÑOZ LÓPEZ')
    expect(text).toContain('Folio 2026-000001 · Verificar: K7QM-2P9X-TT4R-8ABC')
  })

  test('gets further stamps beside the first, with its fonts', async () => {
    let file = await arrived({})
    for (let count = 0; count < 4; count++) file = await stamped(file, efirma)
    await mustBeGood(file, 5)
    const [, ...places] = rectangles(file)
    expect(new Set(places.map(String)).size).toBe(4)
    for (const [index, [left, bottom, right, top]] of places.entries())
      for (const other of places.slice(index + 1))
        expect(
          right! < other[0]! || other[2]! < left! || top! < other[1]! || other[3]! < bottom!,
        ).toBe(true)
    const fonts = judge('pdffonts')(onDisk(file)).output.split('\n')
    expect(fonts.filter((font) => font.includes('RubricaSans'))).toHaveLength(2)
  })

  test('gets a low stamp in the margin of a full page', async () => {
    const file = await stamped(await arrived({ content: lines(78, 720) }), efirma)
    await mustBeGood(file, 2)
    const [, [, bottom, , top] = []] = rectangles(file)
    expect([bottom, top! - bottom!]).toEqual([18, 56])
  })

  test('gets the stamp above what stands at the foot', async () => {
    const foot = `${LINES}\n${streamText('Página 1 de 1', 540, 40)}`
    const file = await stamped(await arrived({ content: foot }), efirma)
    await mustBeGood(file, 2)
    const [, [, bottom, , top] = []] = rectangles(file)
    expect(bottom).toBeGreaterThan(40)
    expect(top! - bottom!).toBe(76)
  })

  test('gets the stamp on white that the page begins with', async () => {
    const file = await stamped(
      await arrived({ content: `1 g 0 0 612 792 re f\n0 g ${LINES}` }),
      efirma,
    )
    await mustBeGood(file, 2)
    expect(isInvisible(rectangles(file)[1]!)).toBe(false)
  })
})

const SCAN = {
  content: 'q 612 0 0 792 0 0 cm /Scan Do Q',
  page: '/Resources<</XObject<</Scan 30 0 R>>>>',
  more: {
    30: streamBody(
      '\x80',
      '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8',
    ),
  },
}
const certifying = (level: number) =>
  `/Reference[<</TransformMethod/DocMDP/TransformParams<</P ${level}>>>>]`

describe('no stamp is visible, and all signatures are VALID', () => {
  test.each([
    ['on a scan of the whole page', SCAN],
    ['on a page full of text', { content: lines(5, 785) }],
    ['on a coloured page', { content: `0.9 0.9 1 rg 0 0 612 792 re f 0 g ${LINES}` }],
    ['on a page that is turned', { page: '/Rotate 90' }],
    [
      'on a page that cannot be read whole',
      { content: `${LINES}\n/Pattern cs /P1 scn 300 20 9 9 re f` },
    ],
    ['where a certification admits forms alone', { entries: certifying(2) }],
  ])('%s', async (_, changes) => {
    const file = await stamped(await arrived(changes), efirma)
    await mustBeGood(file, 2)
    expect(isInvisible(rectangles(file)[1]!)).toBe(true)
  })
})

test('a stamp is visible where a certification admits notes', async () => {
  const file = await stamped(await arrived({ entries: certifying(3) }), efirma)
  await mustBeGood(file, 2)
  expect(isInvisible(rectangles(file)[1]!)).toBe(false)
})

test('stamp: neither code nor QR code where the public must not find the document', async () => {
  const file = await arrived({})
  const shut = { ...STAMPING, stamp: { folio: '2026-000001', publicAddress: null } }
  const closed = await stamped(file, efirma, shut)
  await mustBeGood(closed, 2)
  expect(textOf(closed)).toContain('Folio 2026-000001')
  expect(textOf(closed)).not.toContain('Verificar')
  expect(textOf(closed)).not.toContain('K7QM')
  const filled = (bytes: Uint8Array) => {
    const document = readDocument(memorySource(bytes))
    const looks = formFields(document).map(({ widgets: [widget] }) =>
      document.resolve(
        entriesOf(document.resolve(entriesOf(document.resolve(widget)).get('AP'))).get('N'),
      ),
    )
    return looks.map((look) =>
      isStream(look)
        ? Buffer.from(document.decoded(look)).toString('latin1').match(/ re$/gm)?.length
        : 0,
    )[1]
  }
  expect(filled(await stamped(file, efirma))).toBeGreaterThan(100)
  expect(filled(closed) ?? 0).toBeLessThan(5)
})

test('stamp: the same plan gives the same bytes', async () => {
  const source = memorySource(await arrived({}))
  const bytes = () => prepareIncrement(source, STAMPING, sheetFonts).bytes
  expect(bytes()).toEqual(bytes())
})

const streamText = (text: string, x: number, y: number) =>
  `BT /F1 9 Tf ${x} ${y} Td (${text}) Tj ET`
