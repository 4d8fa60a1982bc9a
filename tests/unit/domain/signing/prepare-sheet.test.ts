import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { concatBytes, equalBytes, memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import { array, byteString, dictionary, name, withEntries } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { serialize } from '#server/domain/pdf/serialize.ts'
import { completeIncrement } from '#server/domain/signing/complete-increment.ts'
import type { SheetFacts, SheetPlan, SignaturePlan } from '#server/domain/signing/increment.ts'
import { prepareIncrement } from '#server/domain/signing/prepare-increment.ts'
import { prepareSheet } from '#server/domain/signing/prepare-sheet.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { declared, TITULAR } from '#tests/support/characters.ts'
import { judge } from '#tests/support/judges.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
} from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { mutool, onDisk, qpdf, VARIANTS } from '#tests/unit/domain/pdf/variants.ts'
import { sheetFonts } from './sheet-fonts.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const sheet = {
  folio: '2026-000001',
  kind: 'Copia certificada',
  title: 'Escritura de compraventa',
  office: 'Notaría 12 de la Ciudad de México',
  publicAddress: { url: 'https://rubrica.example/verify/1', code: 'ABCD-EFGH' },
  originalSha256: '0'.repeat(64),
  isDemo: false,
}
const planFor = (signers: number, changes: Partial<SheetFacts> = {}): SheetPlan => ({
  sheet: { ...sheet, ...changes },
  awaited: Array.from({ length: signers }, (_, index) => ({
    fieldName: `Firmante-${index + 1}`,
    name: `COMPARECIENTE NÚMERO ${index + 1}`,
    character: index === 0 ? TITULAR : declared('Compareciente'),
  })),
})
const signing: SignaturePlan = {
  caption: {
    name: 'ANA MARÍA MUÑOZ LÓPEZ',
    character: TITULAR,
    rfc: 'MULA800101AB1',
    certificateNumber: '30001000000500000001',
  },
  reason: 'Firma electrónica como Notaria titular',
  at: TEST_NOW,
  contentsSize: 6000,
  zone: 'America/Mexico_City',
}

async function withSheet(
  file: Uint8Array,
  signers: number,
  changes: Partial<SheetFacts> = {},
): Promise<Uint8Array> {
  const { bytes } = await prepareSheet(memorySource(file), planFor(signers, changes), sheetFonts)
  return concatBytes(file, bytes)
}

async function signed(file: Uint8Array, changes: Partial<SignaturePlan> = {}) {
  const prepared = await prepareIncrement(
    memorySource(file),
    { ...signing, ...changes },
    sheetFonts,
  )
  const { contents } = prepared
  const whole = concatBytes(file, prepared.bytes)
  const cms = await sealOf(efirma)(
    concatBytes(whole.subarray(0, contents.start), whole.subarray(contents.end)),
  )
  return concatBytes(file, completeIncrement(prepared, cms))
}

const read = (file: Uint8Array) => readDocument(memorySource(file))
const plain = pdfWithTable(bodiesWithPages(2))
const pdfText = (file: Uint8Array) => judge('pdftotext')('-raw', onDisk(file), '-').output

describe.each(Object.keys(VARIANTS))('%s', (variant) => {
  const file = VARIANTS[variant]!()

  test('gets its sheet with a field for each signer, and is signed in one of them', async () => {
    const prepared = await withSheet(file, 3)
    expect(equalBytes(prepared.subarray(0, file.length), file)).toBe(true)
    expect(qpdf('--check', onDisk(prepared)).status).toBe(0)
    expect(pagesOf(read(prepared))).toHaveLength(4)
    const waiting = formFields(read(prepared)).map(({ name, type, value }) => [name, type, value])
    expect(waiting).toEqual([1, 2, 3].map((number) => [`Firmante-${number}`, 'Sig', null]))

    const once = await signed(prepared, { field: 'Firmante-2' })
    expect(qpdf('--check', onDisk(once)).status).toBe(0)
    const report = await verified(once)
    expect(report).toMatchObject({ verdict: 'VALID', first: { field: 'Firmante-2' } })
  })
})

describe('the waiting fields', () => {
  test('show who is awaited, on as many sheets as they need', async () => {
    const plan = planFor(9)
    const prepared = await prepareSheet(memorySource(plain), plan, sheetFonts)
    expect(prepared).toMatchObject({
      baseLength: plain.length,
      pages: 2,
      fieldNames: plan.awaited.map(({ fieldName }) => fieldName),
    })
    const file = concatBytes(plain, prepared.bytes)
    const pages = pdfText(file).split('\f')
    expect(pages[2]!.match(/Pendiente de firma/g)).toHaveLength(8)
    expect(pages[3]).toContain('COMPARECIENTE NÚMERO 9')
    expect(pages[3]!.match(/Pendiente de firma/g)).toHaveLength(1)
  })

  test('are all printed, and each font is embedded once', async () => {
    const path = onDisk(await withSheet(plain, 9))
    const fonts = judge('pdffonts')(path).output.trim().split('\n').slice(2)
    expect(fonts.filter((font) => font.includes('RubricaSans'))).toHaveLength(2)
    expect(mutool('draw', '-o', '/dev/null', path).errors).not.toMatch(/error/i)
  })

  test('lend their fonts to the signatures, which bring none', async () => {
    const once = await signed(await withSheet(plain, 3), { field: 'Firmante-2' })
    const path = onDisk(await signed(once, { field: 'Firmante-1' }))
    const fonts = judge('pdffonts')(path).output.trim().split('\n').slice(2)
    expect(fonts.filter((font) => font.includes('RubricaSans'))).toHaveLength(2)
    expect(pdfText(await signed(once, { field: 'Firmante-1' }))).toContain('ANA MARÍA MUÑOZ LÓPEZ')
  })

  test('the same plan gives the same bytes', async () => {
    expect(equalBytes(await withSheet(plain, 3), await withSheet(plain, 3))).toBe(true)
  })

  test('take another name where the file has theirs already', async () => {
    const again = await prepareSheet(
      memorySource(await withSheet(plain, 2)),
      planFor(3),
      sheetFonts,
    )
    expect(again.fieldNames).toEqual(['Firmante-1-2', 'Firmante-2-2', 'Firmante-3'])
  })
})

test.each([
  ['an office', false],
  ['a demo', true],
])(
  'ten signatures on the sheets of %s: all VALID, and none is over what was signed',
  async (_, isDemo) => {
    let file = await withSheet(plain, 10, { isDemo })
    const order = [3, 1, 2, 10, 9, 4, 8, 5, 7, 6]
    for (const number of order) file = await signed(file, { field: `Firmante-${number}` })

    const report = await verified(file)
    expect(report.verdict).toBe('VALID')
    expect(report.signatures.map(({ field }) => field).sort()).toEqual(
      order.map((number) => `Firmante-${number}`).sort(),
    )
    for (const { field, indication, modification } of report.signatures)
      expect([field, indication, modification]).toEqual([
        field,
        'TOTAL_PASSED',
        field === 'Firmante-6' ? 'NONE' : 'FORM_FILLING',
      ])
    expect(report.signatures.flatMap(({ changes }) => changes).every(({ page }) => !page)).toBe(
      true,
    )

    const path = onDisk(file)
    expect(qpdf('--check', path).status).toBe(0)
    expect(mutool('info', path).status).toBe(0)
    const { output } = judge('pdfsig')('-nocert', path)
    expect(output.match(/Signature is Valid/g)).toHaveLength(10)
    expect(output.match(/Signature Field Name: Firmante-/g)).toHaveLength(10)
    expect(pdfText(file)).not.toContain('Pendiente de firma')
  },
)

describe.each([
  ['A4', '/MediaBox[0 0 595.28 841.89]', 8],
  ['oficio', '/MediaBox[0 0 612.28 963.78]', 10],
  ['legal, scanned sideways', '/MediaBox[0 0 1008 612]/Rotate 270', 12],
])('the sheet of a deed in %s', (_, entries, slots) => {
  const bodies = bodiesWithPages(2)
  bodies[12] = bodies[12]!.replace('/MediaBox[0 0 300 300]', entries)
  const deed = pdfWithTable(bodies)
  const sizesOf = (file: Uint8Array) =>
    [
      ...judge('pdfinfo')('-f', '1', '-l', '9', onDisk(file)).output.matchAll(/size: +(.*) pts/g),
    ].map(([, size]) =>
      size
        ?.split(' x ')
        .map(Number)
        .sort((a, b) => a - b),
    )

  test('has its size and room for more signers on longer paper; all signatures are VALID', async () => {
    const prepared = await withSheet(deed, slots)
    const [, last, sheet, ...more] = sizesOf(prepared)
    expect(more).toEqual([])
    expect(sheet).toEqual(last)

    let file = prepared
    for (let number = slots; number >= 1; number--)
      file = await signed(file, { field: `Firmante-${number}` })
    const report = await verified(file)
    expect(report.verdict).toBe('VALID')
    expect(report.signatures).toHaveLength(slots)
    const { output } = judge('pdfsig')('-nocert', onDisk(file))
    expect(output.match(/Signature is Valid/g)).toHaveLength(slots)
  })

  test('gives each unplanned signature its own slot', async () => {
    let file = deed
    file = await signed(file, { sheet: { ...sheet } })
    for (let number = 2; number <= slots; number++) file = await signed(file)
    expect(await verified(file)).toMatchObject({ verdict: 'VALID' })
    expect(pdfText(file).match(/Firmado el/g)).toHaveLength(slots)
    const [, last, sheetOfAll] = sizesOf(file)
    expect(sheetOfAll).toEqual(last)
  })
})

test('signature sheet: a replacement signer does not change the page', async () => {
  const before = await withSheet(plain, 2)
  const after = await signed(before, { field: 'Firmante-1' })
  const text = pdfText(after)
  expect(text).toContain('Firmado el 20 nov 2026')
  expect(text).not.toContain('COMPARECIENTE NÚMERO 1')
  expect(text).toContain('COMPARECIENTE NÚMERO 2')
  const page = pagesOf(read(before)).at(-1)!.ref!.number
  expect(read(after).entry(page)).toEqual(read(before).entry(page))
})

test('a further signature behind those that were awaited takes the next slot', async () => {
  const file = await signed(await signed(await withSheet(plain, 1), { field: 'Firmante-1' }))
  expect(await verified(file)).toMatchObject({ verdict: 'VALID' })
  expect(pdfText(file).match(/Firmado el/g)).toHaveLength(2)
})

describe('refuses', () => {
  const certifying = (level: number) =>
    `/Reference[<</TransformMethod/DocMDP/TransformParams<</P ${level}>>>>]`
  const locking = (parameters: string) =>
    `/Reference[<</TransformMethod/FieldMDP/TransformParams<<${parameters}>>>>]`
  const arrived = (entries: string) => handSigned({ seal: sealOf(efirma), entries })
  const FORBIDDEN = { code: 'signing-forbidden-by-document' }

  test('a sheet for a file that carries signatures', async () => {
    await expect(withSheet(await arrived(''), 1)).rejects.toMatchObject(FORBIDDEN)
  })

  test.each([
    ['certified against any change', certifying(1)],
    ['all fields locked', locking('/Action/All')],
    ['all fields but others locked', locking('/Action/Exclude/Fields[(Otro)]')],
    ['the next field locked', locking('/Action/Include/Fields[(Firma2)]')],
    ['locked, and certified with it', locking('/Action/Include/Fields[(Otro)]/P 1')],
  ])('a signature on a file with %s', async (_, entries) => {
    await expect(signed(await arrived(entries))).rejects.toMatchObject(FORBIDDEN)
  })

  test.each([
    ['certified for forms', certifying(2)],
    ['certified for notes', certifying(3)],
    ['another field locked', locking('/Action/Include/Fields[(Otro)]')],
  ])('not one on a file with %s', async (_, entries) => {
    const report = await verified(await signed(await arrived(entries)))
    expect(report).toMatchObject({ verdict: 'VALID', first: { modification: 'FORM_FILLING' } })
  })

  test('a field that is not there, and one that is signed already', async () => {
    const file = await withSheet(plain, 1)
    const stale = { code: 'stale-version' }
    await expect(signed(file, { field: 'Firmante-2' })).rejects.toMatchObject(stale)
    const once = await signed(file, { field: 'Firmante-1' })
    await expect(signed(once, { field: 'Firmante-1' })).rejects.toMatchObject(stale)
  })

  test('an empty field that a signature locks', async () => {
    const file = await withSheet(plain, 2)
    const [field] = formFields(read(file))
    const lock = dictionary({
      Action: name('Include'),
      Fields: array([byteString(bytesOf('Firmante-2'))]),
    })
    const body = serialize(withEntries(field!.dictionary, { Lock: lock }))
    const locked = await signed(appendTable(file, { [field!.ref!.number]: body }), {
      field: 'Firmante-1',
    })
    await expect(signed(locked, { field: 'Firmante-2' })).rejects.toMatchObject(FORBIDDEN)
  })
})
