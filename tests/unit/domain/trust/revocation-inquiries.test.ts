import { expect, test } from 'vitest'
import { inquiriesAbout } from '#server/domain/trust/revocation-inquiries.ts'
import { certificateMesh } from '#tests/support/authorities/certificate-mesh.ts'
import {
  aPrivateAuthority,
  certificateUnder,
} from '#tests/support/authorities/private-authority.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

const ADDRESS = 'http://autoridad.example/ocsp'

test('a signer is asked about although the file brings many authorities with the name of the issuer', async () => {
  const root = await aPrivateAuthority('Raíz')
  const issuing = await certificateUnder(root, { isAuthority: true, name: 'Malla' })
  const signer = await certificateUnder(issuing)
  const { authorities } = await certificateMesh({
    ...{ people: 0, authorities: 150, bits: 1024, exponentBits: 24 },
  })
  const inFile = [...authorities, signer.certificate].map(({ der }) => der)
  const anchor = {
    certificate: root.certificate,
    label: 'Raíz',
    forTesting: false,
    revocation: 'when-available',
    ocsp: [ADDRESS],
  } as const
  const [inquiry] = inquiriesAbout(inFile, {
    anchors: [anchor],
    candidates: [issuing.certificate],
    at: TEST_NOW,
  })
  expect(inquiry?.certificate.der).toEqual(signer.certificate.der)
  expect(inquiry?.addresses).toEqual([ADDRESS])
})
