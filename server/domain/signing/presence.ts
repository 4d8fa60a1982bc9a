import { createHash } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '#server/domain/canonical-json.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Base64url } from '#server/domain/identity/webauthn-answer.ts'
import {
  DocumentId,
  OfficeId,
  PresenceProofId,
  Sha256,
  TotpFactorId,
  UserId,
} from '#server/domain/ids.ts'
import { after, Instant, minutes } from '#server/domain/time.ts'

/** How long a proof of presence allows its signer to sign the listed documents. */
export const PRESENCE_LIFE = minutes(5)

/** Most documents per proof. */
export const MOST_PRESENT = 500

/**
 * The documents of a proof of presence, each with the content shown, and their signer. Sorted by document,
 * without duplicates.
 */
const PresenceList = z
  .array(
    z.strictObject({
      document: DocumentId,
      /** Digest of the content to sign. */
      sha256: Sha256,
      /** The account of the signer. */
      signer: UserId,
    }),
  )
  .min(1)
  .max(MOST_PRESENT)
export type PresenceList = z.infer<typeof PresenceList>

/** A document at one of its versions. */
export type ShownDocument = { documentId: DocumentId; sha256: Sha256 }

/** The canonical bytes of a list. @see RFC 8785 */
export function canonicalList(documents: readonly ShownDocument[], signer: UserId): Uint8Array {
  const list = documents
    .map(({ documentId, sha256 }) => ({ document: documentId, sha256, signer }))
    .sort((a, b) => (a.document < b.document ? -1 : 1))
    .filter(({ document }, index, all) => all[index - 1]?.document !== document)
  return new TextEncoder().encode(canonicalJson(list))
}

/** Parses a list; undefined unless the bytes are its canonical form. */
export function readCanonicalList(bytes: Uint8Array): PresenceList | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const list = PresenceList.safeParse(JSON.parse(text)).data
    const signer = list?.[0]?.signer
    if (!list || !signer) return undefined
    const documents = list.map(({ document, sha256 }) => ({ documentId: document, sha256 }))
    return Buffer.from(canonicalList(documents, signer)).equals(bytes) ? list : undefined
  } catch {
    return undefined
  }
}

/** Domain separation: no other program, and no other part of this one, hashes bytes with this label. */
const LABEL = 'rubrica presence challenge v1\0'

/** Random bytes per challenge, so that two challenges for one list differ. */
export const NONCE_BYTES = 32

/**
 * The challenge that a security key signs to prove presence for this list: SHA-256 over a label, the nonce and
 * the SHA-256 of the list, in base64url.
 *
 * @throws {RangeError} for a nonce of another length
 */
export function presenceChallenge(nonce: Uint8Array, list: Uint8Array): string {
  if (nonce.length !== NONCE_BYTES) throw new RangeError(`a nonce has ${NONCE_BYTES} bytes`)
  const digest = createHash('sha256').update(list).digest()
  return createHash('sha256').update(LABEL).update(nonce).update(digest).digest('base64url')
}

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** A security key's answer, with everything needed to verify it again. */
export const KeyPresence = z.object({
  method: z.literal('webauthn'),
  nonce: Bytes,
  challenge: Base64url,
  rpId: z.string(),
  origin: z.string(),
  credentialId: Base64url,
  /** COSE_Key. */
  publicKey: Bytes,
  /** The key's counter before; 0 for a key without one. */
  counterBefore: z.int().nonnegative(),
  clientDataJson: Bytes,
  authenticatorData: Bytes,
  signature: Bytes,
})
export type KeyPresence = z.infer<typeof KeyPresence>

/** Records that a TOTP code was correct. It cannot be verified again without the secret. */
const CodePresence = z.object({
  method: z.literal('totp'),
  factorId: TotpFactorId,
  /** The time step of the code: 30 seconds each, counted since 1970. */
  timeStep: z.int().nonnegative(),
})

/** Proves that the signer was present and agreed to sign these documents. It is not an electronic signature. */
export const PresenceProof = z.object({
  id: PresenceProofId,
  officeId: OfficeId,
  userId: UserId,
  /** Canonical JSON. */
  list: Bytes,
  means: z.discriminatedUnion('method', [KeyPresence, CodePresence]),
  at: Instant,
  expiresAt: Instant,
})
export type PresenceProof = z.infer<typeof PresenceProof>

export type PresenceMethod = PresenceProof['means']['method']

/** The expiry of a proof made at `at`. */
export const endOfPresence = (at: Instant) => after(at, PRESENCE_LIFE)

export const digestOfList = (list: Uint8Array): Sha256 => sha256(list)

/** Whether the proof lets this user sign all of these documents now, as they were shown. */
export function isPresentFor(
  proof: Pick<PresenceProof, 'userId' | 'list' | 'at' | 'expiresAt'>,
  userId: UserId,
  documents: readonly ShownDocument[],
  now: Instant,
): boolean {
  const end = Math.min(proof.expiresAt, endOfPresence(proof.at))
  if (proof.userId !== userId || now < proof.at || now >= end) return false
  const listed = new Map(
    readCanonicalList(proof.list)
      ?.filter(({ signer }) => signer === userId)
      .map(({ document, sha256 }) => [document, sha256]),
  )
  return (
    documents.length > 0 &&
    documents.every(({ documentId, sha256 }) => listed.get(documentId) === sha256)
  )
}

/** The facts about the signer's presence in the signature's event. */
export type PresenceFacts = {
  /**
   * `not-asked`: the office requires no proof. `efirma`: a guest, who has no second factor and is present by
   * the e.firma alone.
   */
  presence: 'not-asked' | 'efirma' | PresenceMethod
  /** Id of the proof. */
  presenceProof: PresenceProofId | null
}

/** The proof behind a signature made at `at` over one of these contents; undefined if there is none. */
export function presenceBehind(
  proofs: readonly PresenceProof[],
  userId: UserId,
  contents: readonly ShownDocument[],
  at: Instant,
): PresenceProof | undefined {
  return proofs
    .filter((proof) => contents.some((content) => isPresentFor(proof, userId, [content], at)))
    .toSorted((a, b) => b.at - a.at)[0]
}
