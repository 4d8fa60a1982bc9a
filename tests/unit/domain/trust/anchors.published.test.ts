import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { allFromPem } from '#server/domain/asn1/pem.ts'
import { isAuthorityForTesting } from '#server/domain/trust/authorities-for-testing.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'

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

test('the SAT’s authorities for tests, and none in production', () => {
  const isNamedSo = (name: string) => TEST_AUTHORITIES.includes(name) || /pruebas/.test(name)
  const published = certificatesIn('ca-pruebas')
  for (const certificate of published)
    expect(isAuthorityForTesting(certificate), certificate.name).toBe(isNamedSo(certificate.name))
  expect(published.filter(isAuthorityForTesting)).toHaveLength(6)
  expect(certificatesIn('ca-produccion').filter(isAuthorityForTesting)).toEqual([])
})
