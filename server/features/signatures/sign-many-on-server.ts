import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Signatory } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { type OpenedPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { mustBeSignatory } from '#server/steps/signing/find-party.ts'
import { retryWhileTaken } from '#server/steps/signing/retry-while-taken.ts'
import type { System } from '#server/system.ts'
import { checkEfirma, type EfirmaSentences } from './check-efirma.ts'
import { completeSignature } from './complete-signature.ts'
import { prepareSignature } from './prepare-signature.ts'
import { recordRefusal } from './record-refusal.ts'

/** As many as a browser waits for in one request. */
export const MOST_AT_ONCE = 25

const Asked = z.object({
  documentId: DocumentId,
  /** The version that stood on the screen. */
  version: z.coerce.number().int().positive(),
})

export const SignManyOnServer = z.object({
  documents: z.array(Asked).min(1).max(MOST_AT_ONCE),
  /** Contents of the `.cer` and the `.key`; overwritten with zeros before this returns. */
  certificate: z.instanceof(Uint8Array<ArrayBufferLike>),
  privateKey: z.instanceof(Uint8Array<ArrayBufferLike>),
  /** A `.p12` or `.pfx` in place of the two, overwritten like them. */
  pkcs12: z.instanceof(Uint8Array<ArrayBufferLike>).optional(),
  password: z.string(),
  /** That the server may use the key in memory, for these signatures. */
  consent: z.boolean(),
})
export type SignManyOnServer = z.infer<typeof SignManyOnServer>

/** What became of one document. */
export type ManyResult = Pick<Document, 'id' | 'folio'> & { code: 'signed' | ProblemCode }

export type SignManyOutcome =
  /** In the order of the input; what was not tried any more is left out. */
  | { kind: 'tried'; by: Signatory; results: ManyResult[]; sentence?: string }
  /** Nothing was signed. */
  | { kind: 'refused'; sentences: EfirmaSentences }

/**
 * Signs several documents with an e.firma in the memory of this process, for browsers without scripts: the key
 * is opened once. One document that cannot be signed keeps no other from it; a certificate that is refused
 * ends the work. Nothing of the key is stored or logged.
 *
 * @throws {Problem} `not-signed-in`; `server-signing-disabled` by the office; `too-many-attempts`; `not-found` when
 *   none of the documents is of the own office, or, for a guest, of their session; `consent-needed` of a guest
 */
export async function signManyOnServer(
  system: System,
  actor: Actor,
  input: SignManyOnServer,
): Promise<SignManyOutcome> {
  try {
    return await signMany(system, actor, input)
  } finally {
    input.certificate.fill(0)
    input.privateKey.fill(0)
    input.pkcs12?.fill(0)
  }
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
    // Of one attempt one line: no document was touched.
    const refused = { by: signatory, at, documentId: first.document.id, method: 'server' } as const
    await recordRefusal(db, { ...refused, code: checked.code })
    return { kind: 'refused', sentences: checked.sentences }
  }
  const results: ManyResult[] = []
  for (const { document, version } of own) {
    const asked = { documentId: document.id, version, certificate: checked.certificate }
    const outcome = await signOne(system, actor, asked, checked.opened)
    if (typeof outcome === 'object')
      return results.length > 0
        ? { kind: 'tried', by: signatory, results, sentence: outcome.sentence }
        : { kind: 'refused', sentences: { [checked.field]: outcome.sentence } }
    results.push({ id: document.id, folio: document.folio, code: outcome })
  }
  return { kind: 'tried', by: signatory, results }
}

/** Those that the signatory may know of, each once: of others nothing is told, not even that they are there. */
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

/** What the session of a guest holds; undefined for a person, who may know of all of their office. */
async function heldForGuest(db: Reader, signatory: Signatory) {
  if (signatory.kind !== 'guest') return undefined
  const { signingSessionId, consentedAt, signerId } = signatory
  if (consentedAt === null) throw new Problem('consent-needed', `${signerId} did not agree yet`)
  const ceremony = await findCeremony(db, signingSessionId)
  return new Set<DocumentId>(ceremony?.documents.map(({ id }) => id))
}

/** Another signer of the same session was quicker. */
const WHILE_TAKEN = {
  taken: ['someone-signing', 'stale-version', 'preparation-superseded'],
  attempts: 3,
} as const

/** The result of one document; a sentence when its certificate was refused. */
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
    if (error instanceof Problem) return error.code
    throw error
  }
}
