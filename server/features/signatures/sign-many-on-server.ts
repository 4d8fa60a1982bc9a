import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Signatory } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { problemIn } from '#server/domain/installation/database-unreachable.ts'
import { type OpenedPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { mustBeSignatory } from '#server/steps/signing/authorize-party.ts'
import { checkEfirma, type EfirmaSentences } from '#server/steps/signing/check-efirma.ts'
import { retryWhileTaken } from '#server/steps/signing/retry-while-taken.ts'
import { wipingEfirma } from '#server/steps/signing/wipe-efirma.ts'
import type { System } from '#server/system.ts'
import { completeSignature } from './complete-signature.ts'
import { prepareSignature } from './prepare-signature.ts'
import { recordRefusal } from './record-refusal.ts'

/** As many as can be signed before a browser times out. */
export const MOST_AT_ONCE = 25

const RequestedDocument = z.object({
  documentId: DocumentId,
  /** The version on the screen. */
  version: z.coerce.number().int().positive(),
})

export const SignManyOnServer = z.object({
  documents: z.array(RequestedDocument).min(1).max(MOST_AT_ONCE),
  /** Contents of the `.cer` and the `.key`; overwritten with zeros before this returns. */
  certificate: z.instanceof(Uint8Array<ArrayBufferLike>),
  privateKey: z.instanceof(Uint8Array<ArrayBufferLike>),
  /** A `.p12` or `.pfx` instead of the two, overwritten in the same way. */
  pkcs12: z.instanceof(Uint8Array<ArrayBufferLike>).optional(),
  password: z.string(),
  /** Consent to use the key in the server's memory for these signatures. */
  consent: z.boolean(),
})
export type SignManyOnServer = z.infer<typeof SignManyOnServer>

/** The result for one document. */
export type ManyResult = Pick<Document, 'id' | 'folio'> & { code: 'signed' | ProblemCode }

export type SignManyOutcome =
  /** In input order. After a rejected certificate the rest is left out; once the database does not answer, the rest has that code. */
  | { kind: 'tried'; by: Signatory; results: ManyResult[]; sentence?: string }
  /** No document was signed. */
  | { kind: 'refused'; sentences: EfirmaSentences }

/**
 * Signs several documents with an e.firma in this process's memory, for browsers without scripts; opens the key
 * once. A document that cannot be signed does not stop the others; a rejected certificate, or a database that does not answer, does.
 * Never stores or logs anything of the key.
 *
 * @throws {Problem} `not-signed-in`; `server-signing-disabled` by the office; `too-many-attempts`; `not-found`
 *   when no document belongs to the signer's office (a guest's session); `consent-needed` for a guest
 */
export async function signManyOnServer(
  system: System,
  actor: Actor,
  input: SignManyOnServer,
): Promise<SignManyOutcome> {
  return await wipingEfirma(input, () => signMany(system, actor, input))
}

async function signMany(
  system: System,
  actor: Actor,
  input: SignManyOnServer,
): Promise<SignManyOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const signatory = mustBeSignatory(actor)
  const { officeId, rfc } = signatory
  const office = await findOffice(db, officeId)
  if (office?.serverSigning !== 'allowed')
    throw new Problem('server-signing-disabled', `${officeId} does not allow it`)
  const own = await findOwn(db, input.documents, signatory)
  const [first] = own
  if (!first) throw new Problem('not-found', 'none of the documents')

  const checked = await checkEfirma(system, input, { now: at, rfc, zone: office.timeZone })
  if (checked.kind === 'refused') {
    // One log entry per attempt: no document was touched.
    const refused = { by: signatory, at, documentId: first.document.id, method: 'server' } as const
    await recordRefusal(db, { ...refused, code: checked.code })
    return { kind: 'refused', sentences: checked.sentences }
  }
  const results: ManyResult[] = []
  for (const { document, version } of own) {
    const asked = { documentId: document.id, version, certificate: checked.certificate }
    // Does not wait for the database once a document.
    const isAway = results.at(-1)?.code === AWAY
    const outcome = isAway ? AWAY : await signOne(system, actor, asked, checked.opened)
    if (typeof outcome === 'object')
      return results.length > 0
        ? { kind: 'tried', by: signatory, results, sentence: outcome.sentence }
        : { kind: 'refused', sentences: { [checked.field]: outcome.sentence } }
    results.push({ id: document.id, folio: document.folio, code: outcome })
  }
  return { kind: 'tried', by: signatory, results }
}

/**
 * The documents that the signer may know of, without duplicates. The others are ignored silently, so their
 * existence is not revealed.
 */
async function findOwn(
  db: Reader,
  asked: SignManyOnServer['documents'],
  signatory: Signatory,
): Promise<{ document: Document; version: number }[]> {
  const held = await heldForGuest(db, signatory)
  const own = new Map<DocumentId, { document: Document; version: number }>()
  const documents = await findDocuments(
    db,
    asked.map(({ documentId }) => documentId),
  )
  for (const { documentId, version } of asked) {
    const document = documents.get(documentId)
    if (document?.officeId === signatory.officeId && (held?.has(documentId) ?? true))
      own.set(documentId, { document, version })
  }
  return [...own.values()]
}

/** The documents of a guest's session; undefined for staff, who may see every document of their office. */
async function heldForGuest(db: Reader, signatory: Signatory) {
  if (signatory.kind !== 'guest') return undefined
  const { signingSessionId, consentedAt, signerId } = signatory
  if (consentedAt === null) throw new Problem('consent-needed', `${signerId} did not agree yet`)
  const ceremony = await findCeremony(db, signingSessionId)
  return new Set<DocumentId>(ceremony?.documents.map(({ id }) => id))
}

/** Retried while another signer of the session holds the document. */
const WHILE_TAKEN = {
  taken: ['someone-signing', 'stale-version', 'preparation-superseded'],
  attempts: 3,
} as const

const AWAY = 'database-unreachable'

/** Signs one document; returns a sentence if the certificate was rejected. */
async function signOne(
  system: System,
  actor: Actor,
  asked: Parameters<typeof prepareSignature>[2],
  opened: OpenedPrivateKey,
): Promise<ManyResult['code'] | { sentence: string }> {
  try {
    return await retryWhileTaken(async () => {
      const prepared = await prepareSignature(system, actor, asked, 'server')
      if (prepared.kind === 'refused') return { sentence: prepared.sentence }
      const signature = await signWith(opened, prepared.toBeSigned)
      await completeSignature(system, actor, { preparedId: prepared.id, signature })
      return 'signed' as const
    }, WHILE_TAKEN)
  } catch (error) {
    const problem = problemIn(error)
    if (problem) return problem.code
    throw error
  }
}
