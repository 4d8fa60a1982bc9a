import { z } from 'zod'
import { findOffice } from '#server/db/people/offices.ts'
import type { TurnCursor } from '#server/db/signing-sessions/turns.ts'
import type { Reader } from '#server/db/transaction.ts'
import { ChosenDocuments } from '#server/domain/documents/chosen.ts'
import type { Actor, Guest, Person, Signatory } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { type DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { heldFor } from '#server/domain/signing/session/held-for.ts'
import type { Instant } from '#server/domain/time.ts'
import { findOutstanding } from '#server/steps/judgements/find-judgements.ts'
import { findGuest, type InvitedGuest } from '#server/steps/signing/find-guest.ts'
import { findPresence } from '#server/steps/signing/find-presence.ts'
import { listDocumentsIn } from '#server/steps/signing/list-documents-in.ts'
import { recordGuestView } from '#server/steps/signing/record-guest-view.ts'
import type { System } from '#server/system.ts'
import { readingOf, type Seen } from './ask-about-unread.ts'
import { listMyTurns, MOST_TURNS, type WaitingDocument } from './list-my-turns.ts'

export const ReadBatch = z.object({
  /** Restricts the batch to one session. A guest has only one. */
  signingSessionId: SigningSessionId.optional(),
  /** Restricts the batch to these documents. */
  documentIds: ChosenDocuments.optional(),
})
export type ReadBatch = z.infer<typeof ReadBatch>

export type BatchView = {
  signatory: Signatory
  /** Name of the signer. */
  name: string
  office: Office
  /** Documents to sign now, oldest session first. */
  documents: BatchDocument[]
  /** The first documents that the signer must acknowledge first, or that are still being judged. */
  unread: UnreadDocument[]
  /** How many of these were found. */
  unreadCount: number
  /** Number of further documents, exact below `MOST_TURNS`: one page shows a limited number. */
  more: number
  /** Whether the user must first prove their presence for all of these documents. */
  needsPresence: boolean
  now: Instant
}

export type BatchDocument = WaitingDocument & { seen: Seen }

export type UnreadDocument = Pick<WaitingDocument, 'document'> & {
  reason: 'acknowledgement' | 'being-judged'
}

/** As many as a person reviews at once, and as fit into the URL of the presence page. */
export const MOST_IN_BATCH = 250
/** A page of documents to read first. */
export const MOST_UNREAD = 50
/** Documents to read first may fill a stretch of the turns: so many stretches are searched for others. */
export const MOST_STRETCHES = 4

/**
 * The documents that the actor can sign now with one opening of the key.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `consent-needed` for a guest
 */
export async function readBatch(
  system: System,
  actor: Actor,
  wanted: ReadBatch,
): Promise<BatchView> {
  return actor.kind === 'guest'
    ? await guestBatch(system, actor)
    : await personBatch(system, actor, wanted)
}

async function personBatch(system: System, actor: Actor, asked: ReadBatch): Promise<BatchView> {
  const { db, clock } = system
  const now = clock.now()
  const person = mustBeSignedIn(actor)
  const gathered = await gather(system, person, stretchesOf(system, person, asked))
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const shown = gathered.documents.map(({ document, version }) => ({
    documentId: document.id,
    sha256: version.sha256,
  }))
  const isPresent = (await findPresence(db, office, person, shown, now)) !== undefined
  return {
    ...{ signatory: person, name: fullName(person), office, ...gathered, now },
    needsPresence: shown.length > 0 && !isPresent,
  }
}

/** A guest has no second factor: the e.firma alone proves their identity. */
async function guestBatch(system: System, actor: Guest): Promise<BatchView> {
  const { db, eventQueue, clock } = system
  const now = clock.now()
  const found = await findGuest(db, actor)
  const { guest, signer, office } = found
  if (guest.consentedAt === null) throw new Problem('consent-needed', 'did not agree yet')
  const waiting = await waitingFor(db, found, now)
  await recordGuestView(eventQueue, found, now)
  // The documents of one session.
  const gathered = await gather(system, guest, [{ waiting, further: 0 }])
  return {
    ...{ signatory: guest, name: signer.name, office, ...gathered, now },
    needsPresence: false,
  }
}

/** A part of what waits for the signer, with the number of those behind it, as far as they were counted. */
type Stretch = { waiting: readonly WaitingDocument[]; further: number }

async function* stretchesOf(
  system: System,
  person: Person,
  asked: ReadBatch,
): AsyncGenerator<Stretch> {
  const most = MOST_IN_BATCH + MOST_TURNS
  const wanted = { ...asked, turn: 'now', limit: MOST_IN_BATCH, most } as const
  let behind: TurnCursor | undefined
  for (let read = 0; read < MOST_STRETCHES; read += 1) {
    const { documents, count, next } = await listMyTurns(system, person, { ...wanted, behind })
    yield { waiting: documents, further: Math.max(0, count - MOST_IN_BATCH) }
    if (!next) return
    behind = next
  }
}

type Gathered = Pick<BatchView, 'documents' | 'unread' | 'unreadCount' | 'more'>

/** Reads stretches until there are enough documents to sign. */
async function gather(
  system: System,
  signatory: Signatory,
  stretches: AsyncIterable<Stretch> | Iterable<Stretch>,
): Promise<Gathered> {
  const ready: WaitingDocument[] = []
  const unread: UnreadDocument[] = []
  let left = 0
  for await (const { waiting, further } of stretches) {
    const sorted = await sortOut(system, waiting, signatory)
    ready.push(...sorted.ready)
    unread.push(...sorted.unread)
    left = further
    if (ready.length >= MOST_IN_BATCH) break
  }
  const shown = ready.slice(0, MOST_IN_BATCH)
  const versions = shown.map(({ version }) => version)
  const reading = await readingOf(system, signatory, versions)
  return {
    documents: shown.map((one) => ({ ...one, seen: reading.get(one.document.id) ?? 'unread' })),
    unread: unread.slice(0, MOST_UNREAD),
    unreadCount: unread.length,
    more: ready.length - shown.length + left,
  }
}

/** Separates the documents that cannot be signed before the signer read what was found in their files. */
async function sortOut(
  system: System,
  waiting: readonly WaitingDocument[],
  signatory: Signatory,
): Promise<{ ready: WaitingDocument[]; unread: UnreadDocument[] }> {
  const ready: WaitingDocument[] = []
  const unread: UnreadDocument[] = []
  const ids = waiting.map(({ document }) => document.id)
  const signerId = waiting[0]?.signer.id ?? null
  const userId = signatory.kind === 'person' ? signatory.userId : null
  const outstanding = await findOutstanding(system, signatory.officeId, ids, { userId, signerId })
  for (const one of waiting) {
    const { judgement, statements } = outstanding.get(one.document.id) ?? {}
    if (!judgement) unread.push({ document: one.document, reason: 'being-judged' })
    else if (statements?.length) unread.push({ document: one.document, reason: 'acknowledgement' })
    else ready.push(one)
  }
  return { ready, unread }
}

async function waitingFor(
  db: Reader,
  { ceremony, signer }: InvitedGuest,
  now: Instant,
): Promise<WaitingDocument[]> {
  const { session } = ceremony
  const isNow = (id: DocumentId) => heldFor(ceremony, signer, id, now) === 'now'
  const asked = { ...ceremony, documents: ceremony.documents.filter(({ id }) => isNow(id)) }
  return (await listDocumentsIn(db, asked)).map((current) => ({
    session,
    signer,
    turn: 'now',
    ...current,
  }))
}
