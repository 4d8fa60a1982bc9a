import { z } from 'zod'
import { canonicalJson, type Json } from '#server/domain/canonical-json.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Base64url } from '#server/domain/identity/webauthn-answer.ts'
import { OfficeId, PresenceProofId, Sha256, TotpFactorId, UserId } from '#server/domain/ids.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { digestOfList, type PresenceProof } from './presence.ts'

const ExportedKeyPresence = z.strictObject({
  method: z.literal('webauthn'),
  nonce: Base64url,
  challenge: Base64url,
  rpId: z.string(),
  origin: z.string(),
  credentialId: Base64url,
  /** COSE_Key. */
  publicKey: Base64url,
  counterBefore: z.int().nonnegative(),
  clientDataJSON: Base64url,
  authenticatorData: Base64url,
  signature: Base64url,
})

const CodeEvidence = z.strictObject({
  method: z.literal('totp'),
  factorId: TotpFactorId,
  timeStep: z.int().nonnegative(),
})

/** A proof of presence as it leaves the system; bytes are base64url without padding. */
export const ExportedPresence = z.strictObject({
  id: PresenceProofId,
  officeId: OfficeId,
  userId: UserId,
  at: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** The canonical list, as text. */
  list: z.string(),
  listSha256: Sha256,
  means: z.discriminatedUnion('method', [ExportedKeyPresence, CodeEvidence]),
})
export type ExportedPresence = z.infer<typeof ExportedPresence>
export type ExportedKeyPresence = z.infer<typeof ExportedKeyPresence>

/** The file of all proofs about a document. */
export const PresenceFile = z.strictObject({
  format: z.literal('rubrica-presence'),
  version: z.literal(1),
  proofs: z.array(ExportedPresence),
})
export type PresenceFile = z.infer<typeof PresenceFile>

export const presenceFile = (proofs: readonly ExportedPresence[]): PresenceFile => ({
  format: 'rubrica-presence',
  version: 1,
  proofs: [...proofs],
})

export function exportOf(proof: PresenceProof): ExportedPresence {
  const { id, officeId, userId, list, means, at, expiresAt } = proof
  return {
    id,
    officeId,
    userId,
    at: toTimestamp(at),
    expiresAt: toTimestamp(expiresAt),
    list: new TextDecoder().decode(list),
    listSha256: digestOfList(list),
    means: means.method === 'totp' ? means : keyEvidenceOf(means),
  }
}

/** The digest that the log keeps of a proof, so that any later change to the proof is detected. */
export function digestOfExport(evidence: ExportedPresence): Sha256 {
  return sha256(new TextEncoder().encode(canonicalJson(evidence as unknown as Json)))
}

function keyEvidenceOf(
  means: Extract<PresenceProof['means'], { method: 'webauthn' }>,
): ExportedKeyPresence {
  const { method, challenge, rpId, origin, credentialId, counterBefore } = means
  return {
    method,
    nonce: base64url(means.nonce),
    challenge,
    rpId,
    origin,
    credentialId,
    publicKey: base64url(means.publicKey),
    counterBefore,
    clientDataJSON: base64url(means.clientDataJson),
    authenticatorData: base64url(means.authenticatorData),
    signature: base64url(means.signature),
  }
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
