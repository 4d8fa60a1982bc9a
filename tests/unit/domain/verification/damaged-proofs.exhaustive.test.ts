import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { after as later, minutes, parseInstant } from '#server/domain/time.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import {
  answerAbout,
  sealWithStamps,
  withDocumentStamp,
  withValidationData,
} from '#tests/support/pdf/long-term-pdfs.ts'
import { handSigned, testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* A B-LTA file whose verdict depends on its proofs: no damage may improve it. */

const ROUNDS = 400

/** Numbers that look like chance and are the same each time. */
function chance(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

test('damage anywhere ends in a report, and never proves another time', async () => {
  const efirma = await testEfirma()
  const by = await stampingAuthority()
  const { root, issuing } = await testAuthority()
  const checked = later(TEST_NOW, minutes(1))
  const stamp = (over: Uint8Array, time = TEST_NOW) => stampOver(over, { by, time })
  const signed = await handSigned({ seal: sealWithStamps(efirma, (one) => [stamp(one)]) })
  const whole = withDocumentStamp(
    withValidationData(signed, {
      certificates: [root, issuing],
      ocsp: [
        await answerAbout(efirma.certificate, checked),
        await answerAbout(by.certificate, checked),
      ],
    }),
    (range) => stamp(range, later(TEST_NOW, minutes(5))),
  )
  const policy = await testPolicy({ at: parseInstant('2029-01-01'), revocation: 'required' })
  const judged = (file: Uint8Array) => verifyFile(memorySource(file), 'prueba.pdf', policy)
  expect(judged(whole)).toMatchObject({ verdict: 'VALID', signatures: [{ level: 'B-LTA' }, {}] })

  const next = chance(7)
  const honest = [new Date(TEST_NOW), new Date(later(TEST_NOW, minutes(5)))].map((time) =>
    time.toISOString(),
  )
  for (let round = 0; round < ROUNDS; round++) {
    const at = next(whole.length)
    const damaged = whole.slice()
    damaged[at] = damaged[at]! ^ (1 << next(8))
    const { verdict, signatures } = judged(damaged)
    const place = `bit of byte ${at}`
    for (const { provenTime } of signatures)
      if (provenTime !== null) expect(honest, place).toContain(provenTime)
    // The first revision is signed: damage to it is found whatever the proofs say.
    const [first] = signatures
    if (verdict === 'VALID') expect(first, place).toMatchObject({ intact: true, trusted: true })
  }
}, 60_000)

test('damaged unsigned attributes: are ignored with a remark', async () => {
  const by = await stampingAuthority()
  const stamp = (one: Uint8Array) => [stampOver(one, { by, time: TEST_NOW })]
  const damage = [Uint8Array.of(0x05, 0x00)]
  const file = await handSigned({ seal: sealWithStamps(await testEfirma(), stamp, damage) })
  const report = verifyFile(memorySource(file), 'prueba.pdf', await testPolicy())
  expect(report).toMatchObject({
    verdict: 'VALID',
    signatures: [{ level: 'B-B', intact: true, valid: true, provenTime: null, timestamps: [] }],
  })
  expect(codesOf(report.signatures[0]!.warnings)).toContain('unsigned-attributes-damaged')
})
