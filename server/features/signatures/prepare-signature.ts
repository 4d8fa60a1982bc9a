import { z } from 'zod'
import { timeOrderedId } from '#server/db/time-ordered-id.ts'
import { toHex } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { SigningMethod } from '#server/domain/documents/document-signature.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import type { EfirmaProblemCode } from '#server/domain/efirma/diagnosis.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import { DocumentId, PreparedSignatureId, type Sha256 } from '#server/domain/ids.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { Problem } from '#server/domain/problem.ts'
import { acceptCertificate } from '#server/domain/signing/accept-certificate.ts'
import type { PreparedIncrement, SignaturePlan } from '#server/domain/signing/increment.ts'
import { planSignature } from '#server/domain/signing/plan-signature.ts'
import { fieldOf } from '#server/domain/signing/session/ceremony.ts'
import { after, type Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { mustBeAcknowledged } from '#server/steps/judgements/find-judgements.ts'
import {
  authorizeParty,
  identityOf,
  mustBeTheirTurn,
  type SigningParty,
} from '#server/steps/signing/authorize-party.ts'
import { mustBePresent } from '#server/steps/signing/find-presence.ts'
import { findRevocation } from '#server/steps/signing/find-revocation.ts'
import {
  findSeen,
  findSignable,
  mustNotBeOver,
  type Signable,
  unlessTheyDid,
} from '#server/steps/signing/find-signable.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { documentKinds } from '#server/words/documents.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'
import { certificateRevoked, noCharacter } from '#server/words/signing-refusals.ts'
import { askAboutUnread, pagesSeenBy } from './ask-about-unread.ts'
import { LEASE, leaseDocument, mustBeFree } from './lease-document.ts'
import { recordRefusal } from './record-refusal.ts'

export const PrepareSignature = z.object({
  documentId: DocumentId,
  /** The version on the screen: what you see is what you sign. */
  version: z.coerce.number().int().positive(),
  /** The signer's certificate, DER or PEM. */
  certificate: z.instanceof(Uint8Array<ArrayBufferLike>),
  /** Set by pages that show the document: asks a signer who has not seen all of it, once. */
  unread: z.literal('ask').optional(),
})
export type PrepareSignature = z.infer<typeof PrepareSignature>

export type PrepareSignatureOutcome =
  | {
      kind: 'refused'
      code: EfirmaProblemCode | 'capacity-not-in-force' | 'certificate-revoked'
      sentence: string
    }
  | {
      kind: 'prepared'
      id: PreparedSignatureId
      /** The signed attributes, DER: the bytes that the key signs. */
      toBeSigned: Uint8Array
      /** SHA-256 of the byte range, which the signed attributes contain. */
      digest: Uint8Array
      certificateSha256: Sha256
      /** Digest of the version on the screen. */
      documentSha256: Sha256
      expiresAt: Instant
    }

/**
 * Prepares a signature: everything that can be done without the private key. Leases the document for two
 * minutes; preparing again by the same signer replaces the earlier preparation. Signatures that others of the
 * session made since the page was opened are included.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `not-a-signer`, `consent-needed`,
 *   `not-your-turn`, `already-signed`, `session-overdue`, `session-over`, `document-final`, `wrong-state`, `stale-version`,
 *   `presence-needed`, `acknowledgement-needed`, `pages-unread`, `someone-signing`, `stored-file-damaged`, and the errors of preparing the PDF
 */
export async function prepareSignature(
  system: System,
  actor: Actor,
  input: PrepareSignature,
  method: SigningMethod = 'browser',
): Promise<PrepareSignatureOutcome> {
  const scene = await sceneOf(system, actor, input)
  const { signable, party, seen, acknowledged, read, at } = scene
  const signing = await signingOf(system, scene, input.certificate)
  if (signing.kind === 'refused') return await refuse(system, scene, method, signing)

  const { certificate, character, plan } = signing
  const increment = await reportDamage(system, signable, preparedOn(system, signable.version, plan))
  const prepared = preparedFrom(increment, {
    ...{ signable, party, character, der: certificate.der, method, at },
  })
  const committing = system.db.transaction((trx) =>
    leaseDocument(trx, prepared, { party, planned: signable.document, acknowledged, read }),
  )
  await unlessTheyDid(system.db, actor, input, committing)
  return {
    kind: 'prepared',
    id: prepared.id,
    toBeSigned: prepared.signedAttributes,
    digest: prepared.digest,
    certificateSha256: sha256(certificate.der),
    documentSha256: seen.sha256,
    expiresAt: prepared.expiresAt,
  }
}

type Scene = Awaited<ReturnType<typeof sceneOf>>

/** Loads the document and its signer, and checks everything that does not depend on the certificate. */
async function sceneOf(system: System, actor: Actor, input: PrepareSignature) {
  const { db, clock } = system
  const at = clock.now()
  const signable = await findSignable(db, input)
  const { document, office } = signable
  await mustNotBeOver(db, actor, signable, input.version)
  const party = await authorizeParty(db, actor, signable, at)
  mustBeTheirTurn(party, signable, at)
  const seen = await findSeen(db, signable, input.version)
  await mustBePresent(db, office, party, [seen], at)
  const acknowledged = await mustBeAcknowledged(system, document, identityOf(party))
  await mustBeFree(db, document.id, identityOf(party), at)
  if (input.unread) await askAboutUnread(system, party.actor, seen, at)
  const read = await pagesSeenBy(system, party.actor, seen)
  return { signable, party, seen, acknowledged, read, at }
}

/** Decides on certificate and character; with both, plans what is added to the file. */
async function signingOf(
  system: System,
  { signable, party, at }: Scene,
  der: Uint8Array,
): Promise<
  | Refusal
  | { kind: 'accepted'; certificate: Certificate; character: SigningCharacter; plan: SignaturePlan }
> {
  const { document, office, version, arrivedSigned, held } = signable
  const { rfc, character, signer } = party
  const refused = (code: Refusal['code'], sentence: string): Refusal => ({
    kind: 'refused',
    code,
    sentence,
  })
  const policy = await system.trust.policy(at, office.id)
  const accepted = acceptCertificate(der, { now: at, rfc, trust: policy })
  if (accepted.kind === 'refused')
    return refused(accepted.code, sentenceOfEfirma(accepted, office.timeZone))
  if (!character) return refused('capacity-not-in-force', noCharacter(party))
  const { certificate, path } = accepted
  const revokedAt = await findRevocation(system, path, policy)
  if (revokedAt !== null)
    return refused('certificate-revoked', certificateRevoked(revokedAt, office.timeZone))
  const field = signer && held && fieldOf(held.document, signer)
  const plan = planSignature(
    {
      ...system.settings,
      document,
      kindName: documentKinds[document.kind],
      version,
      arrivedSigned,
      office,
    },
    { certificate, character, ...(field && { field }) },
    at,
  )
  return { kind: 'accepted', certificate, character, plan }
}

async function refuse(
  { db }: System,
  { signable, party, at }: Scene,
  method: SigningMethod,
  refusal: Refusal,
): Promise<Refusal> {
  const documentId = signable.document.id
  await recordRefusal(db, { by: party.actor, at, documentId, method, code: refusal.code })
  return refusal
}

type Refusal = Extract<PrepareSignatureOutcome, { kind: 'refused' }>

function preparedFrom(
  increment: PreparedIncrement,
  made: {
    signable: Signable
    party: SigningParty
    character: SigningCharacter
    der: Uint8Array
    method: SigningMethod
    at: Instant
  },
): PreparedSignature {
  const { signable, party, character, der, method, at } = made
  const [start, length, resumed, rest] = increment.byteRange
  return {
    id: PreparedSignatureId.parse(timeOrderedId(at)),
    documentId: signable.document.id,
    version: signable.version.version,
    ...identityOf(party),
    character,
    certificateDer: der,
    baseSha256: signable.version.sha256,
    baseLength: increment.baseLength,
    increment: increment.bytes,
    contents: increment.contents,
    byteRange: [start, length, resumed, rest],
    digest: increment.digest,
    signedAttributes: buildSignedAttributes({
      digest: increment.digest,
      certificateDigest: Buffer.from(sha256(der), 'hex'),
    }),
    fieldName: increment.fieldName,
    method,
    createdAt: at,
    expiresAt: after(at, LEASE),
    state: 'open',
    stateSince: at,
  }
}

/**
 * Prepares the stored file, whose digest is registered and shown.
 *
 * @throws {Problem} `stored-file-damaged` when the file does not match its digest
 */
async function preparedOn(
  { blobs, pdf }: System,
  version: DocumentVersion,
  plan: SignaturePlan,
): Promise<PreparedIncrement> {
  const increment = await blobs.withFile(version, (file) => pdf.prepare(file, plan))
  const { sha256, documentId } = version
  if (toHex(increment.baseDigest) !== sha256)
    throw new Problem('stored-file-damaged', `the file of ${documentId} is not ${sha256} any more`)
  return increment
}
