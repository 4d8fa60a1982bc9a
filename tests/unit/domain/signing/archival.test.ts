import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { archivalNeedsOf } from '#server/domain/pdf/archival/archival-needs.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isStream } from '#server/domain/pdf/object.ts'
import { completeIncrement } from '#server/domain/signing/complete-increment.ts'
import type { SignaturePlan } from '#server/domain/signing/increment.ts'
import { addValidationData } from '#server/domain/signing/long-term.ts'
import { prepareIncrement } from '#server/domain/signing/prepare-increment.ts'
import { prepareSheet } from '#server/domain/signing/prepare-sheet.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import { declared } from '#tests/support/characters.ts'
import { judge } from '#tests/support/judges.ts'
import { type Archival, archivalPdf } from '#tests/support/pdf/archival-pdfs.ts'
import { answerAbout, withDocumentStamp } from '#tests/support/pdf/long-term-pdfs.ts'
import { pdfWithTable, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { objectionsOfPreflight } from '#tests/support/preflight.ts'
import { onDisk } from '#tests/unit/domain/pdf/variants.ts'
import { sheetFonts } from './sheet-fonts.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

/** The second name has letters that the usual subset lacks. */
const NAMES = ['ANA MARÍA MUÑOZ LÓPEZ', 'ŁUCJA ŠIMŐN']
const sheet = {
  folio: '2026-000001',
  kind: 'Copia certificada',
  title: 'Escritura de compraventa',
  office: 'Notaría 12 de la Ciudad de México',
  publicAddress: { url: 'https://rubrica.example/verify/1', code: 'ABCD-EFGH' },
  originalSha256: '0'.repeat(64),
  isDemo: true,
}
const signing: SignaturePlan = {
  reason: 'Firma electrónica',
  at: TEST_NOW,
  contentsSize: 6000,
  zone: 'America/Mexico_City',
}

async function signed(file: Uint8Array, changes: Partial<SignaturePlan> = {}) {
  const prepared = prepareIncrement(memorySource(file), { ...signing, ...changes }, sheetFonts)
  const { contents } = prepared
  const whole = concatBytes(file, prepared.bytes)
  const seal = await sealOf(efirma)(
    concatBytes(whole.subarray(0, contents.start), whole.subarray(contents.end)),
  )
  return concatBytes(file, completeIncrement(prepared, seal))
}

const captionOf = (name: string) => ({
  name,
  character: declared('Compradora'),
  rfc: 'MULA800101AB1',
  certificateNumber: '30001000000500000001',
})

/** Everything that a session adds: the sheet, each signature, validation data and a document timestamp. */
async function completed(file: Uint8Array): Promise<{ signedFile: Uint8Array; whole: Uint8Array }> {
  const awaited = NAMES.map((name, index) => ({
    fieldName: `Firmante-${index + 1}`,
    name,
    character: declared('Compradora'),
  }))
  const prepared = prepareSheet(memorySource(file), { sheet, awaited }, sheetFonts)
  let signedFile = concatBytes(file, prepared.bytes)
  for (const { fieldName, name } of awaited)
    signedFile = await signed(signedFile, { field: fieldName, caption: captionOf(name) })
  const { issuing } = await testAuthority()
  const ocsp = [await answerAbout(efirma.certificate, TEST_NOW)]
  const material = { certificates: [issuing.der], ocsp, crls: [] }
  const kept = concatBytes(
    signedFile,
    addValidationData(memorySource(signedFile), material, TEST_NOW),
  )
  const by = await stampingAuthority()
  const whole = withDocumentStamp(kept, (over) => stampOver(over, { by, time: TEST_NOW }))
  return { signedFile, whole }
}

const read = (file: Uint8Array) => readDocument(memorySource(file))

const FILES: Archival[] = (['1', '2', '3'] as const).flatMap((part) =>
  (['rgb', 'grey', 'none'] as const).map((colours) => ({ part, colours })),
)

/**
 * Preflight knows PDF/A-1 alone. What its successors dropped: lists of glyphs became optional, and fields without an
 * area need no look (ISO 19005-2:2011, 6.2.11.4.2 and 6.3.3).
 */
const DROPPED =
  /^(7\.11\.2 : .* part must be 1|3\.1\.11 : .* CIDSet entry is missing .*|5\.3\.1 : .* widget annotation lacks an appearance dictionary.*)$/

function objectionsTo(file: Uint8Array, part: Archival['part']): string[] {
  const objections = objectionsOfPreflight(onDisk(file))
  return part === '1' ? objections : objections.filter((line) => !DROPPED.test(line))
}

describe.each(FILES)('PDF/A-$part with colours of kind $colours', ({ part, colours }) => {
  const file = archivalPdf({ part, colours })

  test('conforms before and after sheet, signatures, validation data and document timestamp', async () => {
    expect(objectionsTo(file, part)).toEqual([])
    const { signedFile, whole } = await completed(file)
    expect(objectionsTo(whole, part)).toEqual([])
    expect(await verified(signedFile)).toMatchObject({ verdict: 'VALID' })
    const { output } = judge('pdfsig')('-nocert', onDisk(whole))
    expect(output.match(/Signature is Valid/g)).toHaveLength(NAMES.length)
  })

  test('keeps its metadata; only PDF/A-1 lists the glyphs of fonts', async () => {
    const { whole } = await completed(file)
    const [before, after] = [read(file), read(whole)]
    const metadata = before.catalog.entries.get('Metadata')
    expect(after.catalog.entries.get('Metadata')).toEqual(metadata)
    expect(after.entry(20)).toEqual(before.entry(20))
    expect(listsOfGlyphs(after)).toEqual(part === '1' ? Array(4).fill('without ') : [])
    const text = contentsOf(after)
    if (colours === 'grey') expect(text).not.toMatch(/\b(rg|RG)\b/)
    else expect(text).toMatch(/\brg\b/)
    expect(text).not.toMatch(/\b(gs|sh|k|K)\b/)
  })

  test('conforms after a signature without a visible field', async () => {
    expect(objectionsTo(await signed(file), part)).toEqual([])
  })
})

/** The lists of glyphs in a file, with what is wrong in them. */
function listsOfGlyphs(document: PdfDocument): string[] {
  return document.objectNumbers.flatMap((number) => {
    const descriptor = entriesOf(document.object(number)?.value)
    const list = document.resolve(descriptor.get('CIDSet'))
    const program = document.resolve(descriptor.get('FontFile2'))
    if (!isStream(list) || !isStream(program)) return []
    const bits = document.decoded(list)
    const listed = (glyph: number) => ((bits[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) !== 0
    const lacking = outlinedGlyphs(document.decoded(program)).filter((glyph) => !listed(glyph))
    return [`without ${lacking.join(' ')}`]
  })
}

/** Glyphs with an outline, read from the table of offsets of a font file. */
function outlinedGlyphs(program: Uint8Array): number[] {
  const view = new DataView(program.buffer, program.byteOffset, program.length)
  const rows = Array.from({ length: view.getUint16(4) }, (_, index) => 12 + 16 * index)
  const row = rows.find((at) => textOf(program.subarray(at, at + 4)) === 'loca')!
  const [start, length] = [view.getUint32(row + 8), view.getUint32(row + 12)]
  const offset = (glyph: number) => view.getUint32(start + 4 * glyph)
  return Array.from({ length: length / 4 - 1 }, (_, glyph) => glyph).filter(
    (glyph) => offset(glyph + 1) > offset(glyph),
  )
}

/** The instructions of all that we drew. */
function contentsOf(document: PdfDocument): string {
  return (
    document.objectNumbers
      .filter((number) => number > 22)
      .map((number) => document.object(number)?.value)
      .filter(isStream)
      .filter(
        ({ dictionary }) => dictionary.entries.has('BBox') || !dictionary.entries.has('Length1'),
      )
      .map((stream) => textOf(document.decoded(stream)))
      // Certificates and answers in DER: their random bytes may look like instructions.
      .filter((text) => !text.startsWith('0\x82'))
      .filter((text) => /\b(re|cm|Tf)\b/.test(text) && !text.includes('begincmap'))
      .join('\n')
  )
}

describe('which files claim PDF/A', () => {
  const needsOf = (file: Uint8Array) => archivalNeedsOf(read(file))
  const withMetadata = (body: string) =>
    pdfWithTable({
      1: '<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R>>',
      2: '<</Type/Pages/Kids[]/Count 0>>',
      5: body,
    })
  const stream = (text: string) => `<</Length ${text.length}>>\nstream\n${text}\nendstream`

  test('by an attribute or an element, whatever the part', () => {
    expect(needsOf(withMetadata(stream(`<a pdfaid:part='1'/>`)))).toEqual({
      isFirstPart: true,
      colours: 'none',
    })
    expect(needsOf(withMetadata(stream('<pdfaid:part> 4</pdfaid:part>')))).toMatchObject({
      isFirstPart: false,
    })
  })

  test.each([
    ['no metadata', 'null'],
    ['metadata without a claim', stream('<pdfaid:conformance>B</pdfaid:conformance>')],
    ['metadata that are no stream', '(pdfaid:part="1")'],
    [
      'metadata that cannot be decoded',
      '<</Length 4/Filter/FlateDecode>>\nstream\nabcd\nendstream',
    ],
  ])('not by %s', (_, body) => expect(needsOf(withMetadata(body))).toBeUndefined())
})
