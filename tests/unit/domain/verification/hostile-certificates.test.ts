import { expect, test } from 'vitest'
import { integer, sequence } from '#server/domain/asn1/der-writer.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { MOST_CERTIFICATES, readSignedData } from '#server/domain/cms/signed-data.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { MOST_BYTES, readCertificate } from '#server/domain/x509/certificate.ts'
import { certificateMesh } from '#tests/support/authorities/certificate-mesh.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/** A file with a signature by `person`, which brings the certificates of `authorities` along. */
async function fileOf(mesh: { authorities: number; bits: number; exponentBits: number }) {
  const { people, keyPair, authorities } = await certificateMesh({ people: 1, ...mesh })
  const [person] = people
  if (!person) throw new Error('no signer')
  const certificates = authorities.map(({ der }) => der)
  const efirma = { ...(await testEfirma()), keyPair, certificate: person, cer: person.der }
  const room = 10_000 + certificates.reduce((sum, { length }) => sum + length, 0)
  return await handSigned({ seal: sealOf(efirma, certificates), room })
}

test('a signer with more possible issuers than are tried is undetermined', async () => {
  const { verdict, first } = await verified(
    await fileOf({ authorities: 210, bits: 1024, exponentBits: 24 }),
  )
  expect([verdict, first.subIndication]).toEqual([
    'INDETERMINATE',
    'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  ])
  expect(codesOf(first.warnings)).toContain('too-many-certificates')
})

test('a signer under an unsupported key is undetermined, and the report says why', async () => {
  const { verdict, first } = await verified(
    await fileOf({ authorities: 2, bits: 16_384, exponentBits: 32 }),
  )
  expect([verdict, first.subIndication]).toEqual([
    'INDETERMINATE',
    'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  ])
  expect(codesOf(first.warnings)).toContain('chain-key-unsupported')
})

test('a signature by an unsupported key is undetermined, not invalid', async () => {
  const { authorities } = await certificateMesh({
    ...{ people: 0, authorities: 1, bits: 16_384, exponentBits: 24 },
  })
  const [signer] = authorities
  if (!signer) throw new Error('no signer')
  const efirma = { ...(await testEfirma()), certificate: signer, cer: signer.der }
  const { verdict, first } = await verified(
    await handSigned({ seal: sealOf(efirma), room: 20_000 }),
  )
  expect([verdict, first.subIndication]).toEqual(['INDETERMINATE', 'CRYPTO_CONSTRAINTS_FAILURE'])
  expect(codesOf(first.warnings)).toContain('key-unsupported')
})

test('signed data has each certificate once, and no more than it needs', async () => {
  const { certificate: signer } = await testEfirma()
  const signedData = (certificates: Uint8Array[]) =>
    readSignedData(
      buildSignedData({
        signedAttributes: buildSignedAttributes({
          digest: new Uint8Array(32),
          certificateDigest: new Uint8Array(32),
        }),
        signature: new Uint8Array(256),
        signer,
        certificates,
        digestAlgorithm: 'sha256',
      }),
    )
  const others = Array.from({ length: MOST_CERTIFICATES }, (_, index) => sequence(integer(index)))
  const most = others.slice(1)
  const { certificates, unreadableCertificates } = signedData([...most, signer.der, ...most])
  expect([certificates.length, unreadableCertificates.length]).toEqual([1, MOST_CERTIFICATES - 1])
  expect(() => signedData(others)).toThrow(`${MOST_CERTIFICATES + 1} certificates`)
})

test('a certificate of more bytes than any has is none', () => {
  expect(() => readCertificate(new Uint8Array(MOST_BYTES + 1))).toThrow(`${MOST_BYTES + 1} bytes`)
})
