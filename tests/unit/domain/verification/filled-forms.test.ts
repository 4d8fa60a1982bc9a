import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { changedPages } from '#server/domain/verification/visible-changes.ts'
import { type Deed, edited, look, revised } from '#tests/attacks/deed.ts'
import { signDeed, signedDeed } from '#tests/attacks/sign-deed.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { filledForm } from '#tests/support/pdf/filled-forms.ts'
import type { Bodies } from '#tests/support/pdf/pdf-builders.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

const reportOf = async ({ file }: Deed) =>
  verifyFile(memorySource(file), 'a.pdf', await testPolicy())

async function filled(change: (deed: Deed) => Bodies) {
  const deed = await signedDeed()
  return reportOf(revised(deed, change(deed)))
}

test('a filled form: the headline says it, with field, page and value', async () => {
  const report = await filled((deed) => ({
    ...edited(deed, 5, '(1000)', '(2000)'),
    7: look('2000'),
    14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si'),
  }))
  expect(report).toMatchObject({
    verdict: 'VALID',
    headline: { code: 'signed-then-filled' },
  })
  expect(report.signatures[0]!.changes).toMatchObject([
    { page: 1, code: 'field-filled', parameters: { field: 'Precio', value: '2000' } },
    { page: 1, code: 'field-filled', parameters: { field: 'Acepta', value: 'Si' } },
  ])
  expect(changedPages(report)).toEqual([{ signature: 0, page: 1 }])
})

test('a filled form: values are one line without signs that steer a screen, and short', async () => {
  const multiline = await signedDeed({
    changes: (deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/Ff 4096'),
  })
  const value = `<FEFF${'00310020002E000A'.repeat(100)}>`
  const report = await reportOf(
    revised(multiline, { ...edited(multiline, 5, '(1000)', value), 7: look('1') }),
  )
  const [change] = report.signatures[0]!.changes
  expect(change?.parameters).toMatchObject({
    value: expect.stringMatching(/^1 \. 1[^\p{Cc}\p{Cf}]{194}…$/u),
  })
})

test('further signatures: the headline is that of an untouched file', async () => {
  const report = await reportOf(await signDeed(await signedDeed(), { number: 70 }))
  expect(report).toMatchObject({ verdict: 'VALID', headline: { code: 'signed-and-intact' } })
})

test('thousands of filled fields: the time grows with their number, and the report stays small', async () => {
  const [some, many] = [await filledForm(1000), await filledForm(4000)]
  const timeFor = (deed: Deed) =>
    cpuTimeOf(async () => {
      const report = await reportOf(deed)
      expect(report).toMatchObject({
        verdict: 'VALID',
        signatures: [{ modification: 'FORM_FILLING' }],
      })
      expect(report.signatures[0]!.changes).toHaveLength(51)
    })
  await timeFor(some)
  expect((await timeFor(many)) / (await timeFor(some))).toBeLessThan(8)
})
