import { expect, test } from 'vitest'
import { basicConstraints, keyUsage } from '#server/demo/certificate-minting.ts'
import { nothingKnown } from '#server/domain/verification/circumstances.ts'
import { revocationOnPath } from '#server/domain/verification/path-revocation.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { listsAt } from '#tests/support/authorities/private-authority.ts'
import {
  mintAuthority,
  ocspAnswer,
  revocationCast,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

test('path: authorities between that name a place to ask are asked about, the anchor never is', async () => {
  const cast = await revocationCast()
  const { leaf, issuing, root, rootKey } = cast
  const naming = ({ subject }: Certificate) =>
    mintAuthority({
      subject: subject.bytes,
      issuer: root,
      issuerKey: rootKey,
      publicKeyOf: issuing,
      extensions: [
        basicConstraints({ isAuthority: true }),
        keyUsage(0x06, 1),
        listsAt('http://listas.example/'),
      ],
    })
  const policy = { ...(await testPolicy()), candidates: [] }
  const evidence = { ocsp: [ocspAnswer(cast)], crls: [] }
  const unknownIn = (path: readonly Certificate[]) => {
    const circumstances = { policy, candidates: [], evidence, known: nothingKnown() }
    return revocationOnPath(path, TEST_NOW, circumstances).unknownAuthority
  }
  const between = naming(issuing)
  expect(unknownIn([leaf, between, root])).toBe(between)
  expect(unknownIn([leaf, naming(root)])).toBeUndefined()
  expect(unknownIn([leaf, issuing, naming(root)])).toBeUndefined()
}, 60_000)
