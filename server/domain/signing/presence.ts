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

/** How long a presence proof lets the signer sign the documents that it lists. */
export const PRESENCE_LIFE = minutes(5)

/** How many documents one proof may cover. */
export const MOST_PRESENT = 500

/**
 * The documents that a presence proof is for, each with the content that was shown, and their signer. Sorted by
 * document, each of them once.
 */
export const PresenceList = z
  .array(
    z.strictObject({
      document: DocumentId,
      /** Of the content that is signed. */
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

/** The one text of a list, as bytes. @see RFC 8785 */
export function canonicalList(documents: readonly ShownDocument[], signer: UserId): Uint8Array {
  const list = documents
    .map(({ documentId, sha256 }) => ({ document: documentId, sha256, signer }))
    .sort((a, b) => (a.document < b.document ? -1 : 1))
    .filter(({ document }, index, all) => all[index - 1]?.document !== document)
  return new TextEncoder().encode(canonicalJson(list))
}

/** The list that the bytes tell; undefined unless they are exactly its canonical text. */
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

/** What the bytes under a challenge are for: no other program, and no other part of this one, hashes them so. */
const LABEL = 'rubrica presence challenge v1\0'

/** How many random bytes are mixed into a challenge, so that no list has the same one twice. */
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

/** What a security key said, with all that it takes to check it again. */
export const KeyPresence = z.object({
  method: z.literal('webauthn'),
  nonce: Bytes,
  challenge: Base64url,
  rpId: z.string(),
  origin: z.string(),
  credentialId: Base64url,
  /** COSE_Key. */
  publicKey: Bytes,
  /** How far the key had counted before; 0 for one that does not count. */
  counterBefore: z.int().nonnegative(),
  clientDataJson: Bytes,
  authenticatorData: Bytes,
  signature: Bytes,
})
export type KeyPresence = z.infer<typeof KeyPresence>

/** States that a code of an authenticator app was right. It cannot be checked again without the secret. */
export const CodePresence = z.object({
  method: z.literal('totp'),
  factorId: TotpFactorId,
  /** Whose code it was: 30 seconds each, counted since 1970. */
  timeStep: z.int().nonnegative(),
})
export type CodePresence = z.infer<typeof CodePresence>

/** Proves that the signer was present and agreed to sign these documents. It is not an electronic signature. */
export const PresenceProof = z.object({
  id: PresenceProofId,
  officeId: OfficeId,
  userId: UserId,
  /** Canonical. */
  list: Bytes,
  means: z.discriminatedUnion('method', [KeyPresence, CodePresence]),
  at: Instant,
  expiresAt: Instant,
})
export type PresenceProof = z.infer<typeof PresenceProof>

export type PresenceMethod = PresenceProof['means']['method']

/** Until when a proof of this moment counts. */
export const endOfPresence = (at: Instant) => after(at, PRESENCE_LIFE)

export const digestOfList = (list: Uint8Array): Sha256 => sha256(list)

/** Whether the proof lets this person sign every one of these documents now, as they were shown. */
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

/** What the log says of a signature about the presence of its signer. */
export type PresenceFacts = {
  /**
   * `not-asked`: the office does not ask. `efirma`: a guest, who has no second factor here and is present by the
   * e.firma alone.
   */
  presence: 'not-asked' | 'efirma' | PresenceMethod
  /** Of the proof. */
  presenceProof: PresenceProofId | null
}

/** The proof under which a signature was made at `at`, on one of these contents; undefined for none. */
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
