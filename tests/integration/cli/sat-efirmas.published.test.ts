import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEfirma } from '#server/cli/open-efirma.ts'
import { acceptedUnder } from '#server/cli/opened-key.ts'
import { refusalOfSigned, signFile } from '#server/cli/sign-file.ts'
import { trustFrom } from '#server/cli/usage.ts'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

/*
 * The SAT's own test e.firmas, where the data for tests is at hand. They expire: each test names its clock.
 */
const FOLDER = path.resolve('../shared/data/sat-test')
const PASSWORD = '12345678a'
const NOVEMBER = parseInstant('2026-11-20T15:00:00Z')
const NO_TRUST = 'no trust'
const YEARS_AGO = parseInstant('2021-06-01T15:00:00Z')

const plain = memorySource(pdfWithTable(bodiesWithPages(1)))
const read = (file: string) => new Uint8Array(readFileSync(path.join(FOLDER, file)))

async function signWith(file: string, now: Instant, trust = 'ca-pruebas') {
  const place = trust === NO_TRUST ? undefined : path.join(FOLDER, trust)
  const policy = { ...trustFrom(place, '/'), at: now }
  const key = file.replace(/\.cer$/, '.key')
  const files = {
    certificate: read(file),
    key: existsSync(path.join(FOLDER, key)) ? read(key) : new Uint8Array(),
    password: PASSWORD,
  }
  const efirma = await openEfirma(files, acceptedUnder(policy))
  if (efirma.kind === 'refused') return efirma
  const outcome = await signFile(plain, efirma, policy)
  if (outcome.kind === 'refused') return outcome
  const signed = memorySource(concatBytes(plain.read(0, plain.length), outcome.increment))
  expect(refusalOfSigned(signed, outcome, efirma, policy)).toBeUndefined()
  return { kind: outcome.kind, report: verifyFile(signed, file, policy) }
}

const certificatesIn = (folder: string) =>
  readdirSync(path.join(FOLDER, folder))
    .filter((name) => name.endsWith('.cer'))
    .map((name) => path.join(folder, name))

function register() {
  const current = certificatesIn('sat-uat-2023-2027')
  const old = certificatesIn('sat-uat-2019-2023')
  const isCsd = (file: string) => file.includes('_csd')
  const withKey = (file: string) => existsSync(path.join(FOLDER, file.replace(/\.cer$/, '.key')))

  describe('the e.firmas of 2023 to 2027', () => {
    test.each(current.filter(withKey))('%s signs', async (file) => {
      expect(await signWith(file, NOVEMBER)).toMatchObject({ report: { verdict: 'VALID' } })
    })
    test.each(current)('%s is refused without its authority', async (file) => {
      expect(await signWith(file, NOVEMBER, NO_TRUST)).toMatchObject({
        kind: 'refused',
        sentence: expect.stringMatching(/autoridad/),
      })
    })
  })

  describe('the e.firmas of 2019 to 2023', () => {
    test.each(old.filter((file) => !isCsd(file)))(
      '%s has expired, and signed in its day',
      async (file) => {
        const now = await signWith(file, NOVEMBER)
        expect(now).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(/venci/) })
        const then = await signWith(file, YEARS_AGO)
        expect(then).toMatchObject({ report: { verdict: 'VALID' } })
      },
    )
    test.each(old.filter(isCsd))('%s is a CSD and never signs', async (file) => {
      for (const now of [NOVEMBER, YEARS_AGO])
        expect(await signWith(file, now)).toMatchObject({
          kind: 'refused',
          sentence: expect.stringMatching(/sello digital/),
        })
    })
  })

  test.each(certificatesIn('ca-ficticia'))('%s is not an e.firma', async (file) => {
    for (const trust of ['ca-pruebas', NO_TRUST])
      expect(await signWith(file, YEARS_AGO, trust)).toMatchObject({
        kind: 'refused',
        sentence: expect.stringMatching(/./),
      })
  })
}

register()
