import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { anchorsFromCertificates } from '#server/domain/certificates/anchors.ts'
import { isAuthorityForTesting } from '#server/domain/certificates/authorities-for-testing.ts'
import { readCertificate } from '#server/domain/efirma/certificate.ts'
import { allFromPem } from '#server/domain/efirma/pem.ts'
import { testAuthority, testEfirma } from '#tests/support/test-authority.ts'

const TRUST = { label: 'Una carpeta', forTesting: false, revocation: 'required' } as const
beforeAll(async () => void (await testAuthority()), 60_000)

test('the root is the anchor, the others stand between; alone, each authority is one', async () => {
  const { root, issuing } = await testAuthority()
  const { certificate } = await testEfirma()
  const both = anchorsFromCertificates([certificate, issuing, root], TRUST)
  expect(both.anchors.map((anchor) => anchor.certificate)).toEqual([root])
  expect(both.candidates).toEqual([certificate, issuing])
  const alone = anchorsFromCertificates([certificate, issuing], TRUST)
  expect(alone.anchors.map((anchor) => anchor.certificate)).toEqual([issuing])
})

test('a demonstration authority is for tests wherever it lies, its e.firmas are like any', async () => {
  const { root, issuing } = await testAuthority()
  const { certificate } = await testEfirma()
  for (const authority of [root, issuing])
    expect(anchorsFromCertificates([authority], TRUST).anchors).toEqual([
      { certificate: authority, ...TRUST, forTesting: true },
    ])
  expect(isAuthorityForTesting(certificate)).toBe(false)
})

const FOLDER = '../shared/data/sat-test'
const certificatesIn = (folder: string) =>
  readdirSync(path.join(FOLDER, folder))
    .filter((name) => /\.(?:cer|pem)$/.test(name))
    .flatMap((name) => {
      const bytes = new Uint8Array(readFileSync(path.join(FOLDER, folder, name)))
      const bundle = allFromPem(bytes, 'CERTIFICATE')
      return (bundle.length > 0 ? bundle : [bytes]).map(readCertificate)
    })
const TEST_AUTHORITIES = ['ARC', 'ARC beta', 'Agencia Certficadora Raiz Beta ANG', 'AC UAT']

test.skipIf(!existsSync(FOLDER))('the SAT’s authorities for tests, and none in production', () => {
  const isNamedSo = (name: string) => TEST_AUTHORITIES.includes(name) || /pruebas/.test(name)
  const published = certificatesIn('ca-pruebas')
  for (const certificate of published)
    expect(isAuthorityForTesting(certificate), certificate.name).toBe(isNamedSo(certificate.name))
  expect(published.filter(isAuthorityForTesting)).toHaveLength(6)
  expect(certificatesIn('ca-produccion').filter(isAuthorityForTesting)).toEqual([])
})
