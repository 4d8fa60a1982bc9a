import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseInstant } from '#server/domain/time.ts'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import { findPath } from '#server/domain/trust/path.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

const at = TEST_NOW
const TRUST = { label: 'de prueba', forTesting: true, revocation: 'when-available' } as const
const samples = path.resolve('../shared/data/sat-test')

describe('the published authorities of the SAT', () => {
  const read = (file: string) => certificateFromFile(readFileSync(path.join(samples, file)))
  const ways = (folder: string, files: string[]) => {
    const certificates = files.map((file) => read(`${folder}/${file}`))
    return anchorsFromCertificates(certificates, TRUST)
  }

  test.each([
    ['ac-sat-ac5.pem', 'agencia-registradora-central-arc5.pem'],
    ['ac-sat-ac6.pem', 'agencia-registradora-central-arc6.pem'],
    ['ac-sat-ac7.pem', 'agencia-registradora-central-arc6.pem'],
  ])('%s leads to %s', (authorityFile, rootFile) => {
    const all = ways('ca-produccion', [
      'agencia-registradora-central-arc5.pem',
      'agencia-registradora-central-arc6.pem',
    ])
    const root = read(`ca-produccion/${rootFile}`)
    const result = findPath(read(`ca-produccion/${authorityFile}`), { ...all, at })
    expect(result).toMatchObject({
      kind: 'found',
      anchor: { certificate: { serial: root.serial } },
    })
  })

  test('a test e.firma leads to the test root, and not to the production roots', () => {
    const efirma = read('sat-uat-2023-2027/cacx7605101p8_fiel.cer')
    const test = ways('ca-pruebas', ['AC_UAT_2022.cer', 'ARC_UAT_2022.cer'])
    expect(findPath(efirma, { ...test, at }).kind).toBe('found')
    const production = ways('ca-produccion', ['ARC5_IES.cer', 'AC5_SAT.cer'])
    expect(findPath(efirma, { ...production, at })).toMatchObject({ reason: 'no-issuer' })
    const alone = ways('ca-pruebas', ['AC_UAT_2022.cer'])
    expect(findPath(efirma, { ...alone, at })).toMatchObject({ kind: 'found', path: [{}, {}] })
  })

  test('an expired test e.firma is expired, not unknown', () => {
    const test = ways('ca-pruebas', ['AC_4096_2018.cer', 'arcbeta_crt_raiz.cer'])
    const efirma = read('sat-uat-2019-2023/cañf770131pa3.cer')
    expect(findPath(efirma, { ...test, at })).toMatchObject({
      reason: 'expired',
      isAboutSigner: true,
    })
    expect(findPath(efirma, { ...test, at: parseInstant('2021-01-01') }).kind).toBe('found')
  })
})
