import type { Certificate } from '#server/domain/efirma/certificate.ts'
import {
  matchesCertificate,
  type OpenedPrivateKey,
  openPrivateKey,
} from '#server/domain/efirma/private-key.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import { acceptCertificate } from '#server/domain/signing/accept-certificate.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** `sentence` es-MX: why nothing was signed. */
export type Refusal = { kind: 'refused'; sentence: string }

/** A certificate that may sign now, and its key. */
export type OpenedEfirma = {
  kind: 'opened'
  certificate: Certificate
  /** From the signer to the anchor. */
  path: readonly Certificate[]
  key: OpenedPrivateKey
}

export const ZONE = 'America/Mexico_City'

/** The e.firma of the two files, or why it cannot sign at the instant of the policy. */
export async function openEfirma(
  files: { certificate: Uint8Array; key: Uint8Array; password: string },
  policy: VerificationPolicy,
): Promise<OpenedEfirma | Refusal> {
  const accepted = acceptCertificate(files.certificate, {
    now: policy.at,
    zone: ZONE,
    trust: policy,
  })
  if (accepted.kind === 'refused') return refuse(accepted.sentence)
  const { certificate, path } = accepted
  const outcome = await openPrivateKey(files.key, files.password)
  if (outcome.kind !== 'opened')
    return refuse(sentenceFor({ code: outcome.kind, file: 'private-key' }))
  if (!matchesCertificate(outcome.opened, certificate))
    return refuse(sentenceFor({ code: 'key-mismatch', file: 'private-key' }))
  return { kind: 'opened', certificate, path, key: outcome.opened }
}

export const refuse = (sentence: string): Refusal => ({ kind: 'refused', sentence })
