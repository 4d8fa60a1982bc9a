import { matchesCertificate, openPrivateKey, signWith } from '#server/domain/efirma/private-key.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { acceptedBy, type OpenedKey, type Refusal, refuse } from './opened-key.ts'

/** The e.firma of the two files, or why it cannot sign at the instant of the policy. */
export async function openEfirma(
  files: { certificate: Uint8Array; key: Uint8Array; password: string },
  policy: VerificationPolicy,
): Promise<OpenedKey | Refusal> {
  const accepted = acceptedBy(files.certificate, policy)
  if (accepted.kind === 'refused') return refuse(accepted.sentence)
  const { certificate, path } = accepted
  const outcome = await openPrivateKey(files.key, files.password)
  if (outcome.kind !== 'opened')
    return refuse(sentenceFor({ code: outcome.kind, file: 'private-key' }))
  const { opened } = outcome
  if (!matchesCertificate(opened, certificate))
    return refuse(sentenceFor({ code: 'key-mismatch', file: 'private-key' }))
  return { kind: 'opened', certificate, path, sign: (bytes) => signWith(opened, bytes) }
}
