import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { sealedLater, waitingSignature } from '#tests/support/office/waiting-signatures.ts'
import { appendTable, type Bodies } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* Later changes that a signature allows: certification (DocMDP) and locked fields (FieldMDP, Lock). */

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const docMdp = (level: number) =>
  `<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>`
const fieldMdp = (parameters: string) =>
  `<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<</Type/TransformParams/V/1.2${parameters}>>>>`
const form = (fields: string) => `/Fields[20 0 R ${fields}]/SigFlags 3`
const text = (name: string, value = '') =>
  `<</FT/Tx/T(${name})${value && `/V(${value})`}/Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P 10 0 R>>`
const PAGE = (annotations: string) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R ${annotations}]/Contents 11 0 R>>`

const BODIES: Bodies = { 10: PAGE('30 0 R 31 0 R'), 30: text('Precio'), 31: text('Lugar') }

const signed = (references = '', field = '/V 21 0 R') =>
  handSigned({
    seal: sealOf(efirma),
    entries: references && `/Reference[${references}]`,
    form: form('30 0 R 31 0 R'),
    field,
    bodies: BODIES,
  })

/** The file with a second signature. */
const signedAgain = (file: Uint8Array, references = '') =>
  sealedLater(
    appendTable(file, {
      1: `<</Type/Catalog/Pages 2 0 R/AcroForm<<${form('30 0 R 31 0 R 40 0 R')}>>>>`,
      10: PAGE('30 0 R 31 0 R 40 0 R'),
      40: '<</FT/Sig/T(Firma2)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/P 10 0 R/V 41 0 R>>',
      41: waitingSignature(references && `/Reference[${references}]`),
    }),
    sealOf(efirma),
  )

const fillPrice = (file: Uint8Array) => appendTable(file, { 30: text('Precio', '1000') })
const fillPlace = (file: Uint8Array) => appendTable(file, { 31: text('Lugar', 'Puebla') })

describe('a certification', () => {
  test.each([
    [1, 'INVALID', false],
    [2, 'VALID', true],
    [3, 'VALID', true],
  ])('of level %i: a filled field gives %s', async (level, verdict, respected) => {
    const report = await verified(fillPrice(await signed(docMdp(level))))
    expect(report).toMatchObject({
      verdict,
      first: { modification: 'FORM_FILLING', docMdp: { level, respected } },
    })
  })

  test.each([
    [1, 'INVALID'],
    [2, 'VALID'],
  ])('of level %i: another signature gives %s', async (level, verdict) => {
    expect(await verified(await signedAgain(await signed(docMdp(level))))).toMatchObject({
      verdict,
    })
  })

  test('counts once: the word of a later signature is vain, and that is said', async () => {
    const twice = await signedAgain(await signed(docMdp(2)), docMdp(1))
    const report = await verified(fillPrice(twice))
    expect(report).toMatchObject({
      verdict: 'VALID',
      signatures: [{ docMdp: { level: 2, respected: true } }, { docMdp: null }],
    })
    expect(codesOf(report.signatures[1]!.warnings)).toContain('certification-not-first')
  })

  test('also restricts changes after a later signature', async () => {
    const note = (file: Uint8Array) =>
      appendTable(file, {
        10: PAGE('30 0 R 31 0 R 40 0 R 50 0 R'),
        50: '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(nota)>>',
      })
    const allowed = await verified(note(await signedAgain(await signed(docMdp(3)))))
    expect(allowed.signatures.map(({ modification }) => modification)).toEqual([
      'ANNOTATIONS',
      'ANNOTATIONS',
    ])
    expect(allowed.verdict).toBe('VALID')
    const free = await verified(note(await signedAgain(await signed())))
    expect(free.verdict).toBe('INDETERMINATE')
  })

  test('of a later signer does not apply to the first signature', async () => {
    const file = fillPrice(await signedAgain(await signed(), docMdp(1)))
    const report = await verified(file)
    expect(report.signatures.map(({ indication }) => indication)).toEqual([
      'TOTAL_PASSED',
      'TOTAL_FAILED',
    ])
  })
})

const LOCKS: [string, () => Promise<Uint8Array>][] = [
  ['a FieldMDP', () => signed(fieldMdp('/Action/Include/Fields[(Precio)]'))],
  ['a FieldMDP that leaves fields out', () => signed(fieldMdp('/Action/Exclude/Fields[(Lugar)]'))],
  [
    'the lock of a signature field',
    () => signed('', '/V 21 0 R/Lock<</Type/SigFieldLock/Action/Include/Fields[(Precio)]>>'),
  ],
]

describe.each(LOCKS)('%s', (_, locked) => {
  test('is respected by a field that it leaves open', async () => {
    const report = await verified(fillPlace(await locked()))
    expect(report).toMatchObject({
      verdict: 'VALID',
      first: { modification: 'FORM_FILLING', fieldMdp: [{ respected: true }] },
    })
  })

  test('is broken by a field that it closes', async () => {
    const report = await verified(fillPrice(await locked()))
    expect(report).toMatchObject({
      verdict: 'INVALID',
      first: { modification: 'OTHER', fieldMdp: [{ respected: false }] },
    })
    expect(codesOf(report.first.warnings)).toContain('locked-field-changed')
    expect(report.first.changes[0]).toMatchObject({
      code: 'locked-field-filled',
      parameters: { field: 'Precio' },
    })
  })
})

test('a lock of everything lets another signature in and nothing else', async () => {
  const locked = await signed(fieldMdp('/Action/All'))
  expect((await verified(await signedAgain(locked))).verdict).toBe('VALID')
  expect((await verified(fillPlace(locked))).verdict).toBe('INVALID')
})

// ISO 32000-2:2020, table 236, entry "P".
test('a lock may say more than which fields', async () => {
  const lock = '/V 21 0 R/Lock<</Type/SigFieldLock/Action/Include/Fields[(Precio)]/P 1>>'
  expect((await verified(fillPlace(await signed('', lock)))).verdict).toBe('INVALID')
})

test('a lock may not be lifted later', async () => {
  const lock = '/V 21 0 R/Lock<</Type/SigFieldLock/Action/Include/Fields[(Precio)]>>'
  const file = appendTable(await signed('', lock), {
    20: '<</FT/Sig/T(Firma1)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/P 10 0 R/V 21 0 R>>',
    30: text('Precio', '1000'),
  })
  expect((await verified(file)).verdict).toBe('INVALID')
})
