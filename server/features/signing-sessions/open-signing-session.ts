import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { type DocumentChange, replaceDocuments } from '#server/db/documents/document-changes.ts'
import { insertVersions } from '#server/db/documents/document-versions.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import {
  findHoldingSessions,
  replaceSessionDocuments,
} from '#server/db/signing-sessions/session-documents.ts'
import { replaceSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { isTransition } from '#server/domain/documents/document-state.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { Sha256, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { AwaitedSignature } from '#server/domain/signing/increment.ts'
import { sheetFor } from '#server/domain/signing/plan-signature.ts'
import type { Ceremony, SessionDocument } from '#server/domain/signing/session/ceremony.ts'
import { mustBeAlone } from '#server/domain/signing/session/one-person-signs-once.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { mustBecome } from '#server/domain/signing/session/transitions.ts'
import type { Instant } from '#server/domain/time.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import { commitWithFiles } from '#server/steps/documents/commit-with-files.ts'
import { appendedTo } from '#server/steps/signing/appended-to.ts'
import { listSignables, type Signable } from '#server/steps/signing/find-signable.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { notifyNewTurns } from '#server/steps/signing/notify-signers.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { documentKinds } from '#server/words/documents.ts'
import { awaitedSignatures } from './awaited-signatures.ts'
import { cautionOf } from './caution-of.ts'
import { findManagedSession } from './find-managed-session.ts'
import { mustBeAhead } from './session-data.ts'
import { digestOfReview } from './session-review.ts'

export const OpenSigningSession = z.object({
  signingSessionId: SigningSessionId,
  /** What a person reviewed, as `reviewSigningSession` names it; absent if no page showed it. */
  reviewed: Sha256.optional(),
})
export type OpenSigningSession = z.infer<typeof OpenSigningSession>

/**
 * Opens a session: it holds its documents, and the signers whose turn it is are notified. Each document gets a
 * version with the signature sheet, unless it was uploaded with signatures. A crash before the transaction
 * leaves only files without rows.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-state`, `session-deadline`;
 *   `session-incomplete` when it names no signer; `document-held` when a document is in another session or
 *   accepts no more signatures; `document-final` for a complete one that was not chosen for a further signature;
 *   `character-refused`, `signer-twice`; `review-outdated` when it is not what was reviewed; `signing-forbidden-by-document`, `damaged-pdf`, `stored-file-damaged`
 */
export async function openSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id, reviewed }: OpenSigningSession,
): Promise<SigningSession> {
  const { db, clock } = system
  const at = clock.now()
  const { person, ceremony, subject } = await findManagedSession(system, actor, id, at)
  mustBecome(ceremony.session, 'open')
  if (ceremony.session.state !== 'draft') throw new Problem('session-state', `${id} was open once`)
  mustBeAhead(ceremony.session.deadline, at)
  if (ceremony.signers.length === 0) throw new Problem('session-incomplete', `${id} has no signers`)
  mustBeGoodSigners(ceremony.signers)

  const staged: Staged[] = []
  try {
    const awaited = await awaitedSignatures(db, ceremony.signers, at)
    const signables = await listSignables(
      db,
      ceremony.documents.map(({ id: documentId }) => documentId),
    )
    if (reviewed !== undefined && reviewed !== digestOfReview(ceremony, signables))
      throw new Problem('review-outdated', `${id} was changed after it was reviewed`)
    for (const [index, signable] of signables.entries()) {
      const completedVersion = ceremony.documents[index]?.completedVersion ?? null
      const caution = cautionOf(ceremony.session)
      staged.push(await stage(system, { ...signable, completedVersion, caution }, awaited))
    }
    const files = staged.flatMap(({ document: { officeId }, sheet }) =>
      sheet ? [{ blob: sheet.blob, officeId }] : [],
    )
    return await commitWithFiles(db, files, async (trx) => {
      const current = await lockCeremony(trx, id)
      mustBecome(current.session, 'open')
      mustBeUnchanged(ceremony, current)
      await holdAll(trx, staged, person, at)
      const session = { ...current.session, state: 'open', stateSince: at } as const
      const next = { ...session, stateBy: person.userId }
      if (!(await replaceSigningSession(trx, current.session, next)))
        throw new Problem('session-state', `${id} was opened meanwhile`)
      const documents = staged.map(sessionDocument)
      await replaceSessionDocuments(trx, id, documents)
      await notifyNewTurns(trx, system, undefined, { ...current, session: next, documents }, at)
      await appendEvent(trx, {
        actor,
        at,
        action: 'signing-session.opened',
        subject,
        details: { documents: documents.length, signers: current.signers.length },
      })
      return next
    })
  } finally {
    for (const { sheet } of staged) await sheet?.blob.discard()
  }
}

/**
 * Checks signers that an earlier release may have stored.
 *
 * @throws {Problem} `character-refused`, `signer-twice`
 */
function mustBeGoodSigners(signers: readonly Signer[]): void {
  for (const signer of signers) {
    if (signer.character.kind === 'refused')
      throw new Problem('character-refused', `${signer.id} claims a notarial office`)
    mustBeAlone(
      signers.filter(({ id }) => id !== signer.id),
      signer,
    )
  }
}

/* The sheets were drawn for these signers and documents, and a person may have reviewed the rest. */
function mustBeUnchanged(seen: Ceremony, { session, signers, documents }: Ceremony): void {
  const isSame = isDeepStrictEqual(
    [seen.session, seen.signers, seen.documents],
    [session, signers, documents],
  )
  if (!isSame) throw new Problem('session-state', `${session.id} was changed while it was opened`)
}

/** A document ready to be held by the session. */
type Staged = {
  document: Document
  completedVersion: number | null
  version: DocumentVersion
  /** The file with its signature sheet; undefined if it was uploaded with signatures. */
  sheet: { blob: StagedBlob; pages: number; fields: readonly string[] } | undefined
}

async function stage(
  system: System,
  {
    document,
    version,
    office,
    held,
    completedVersion,
    caution,
  }: Signable & Pick<Staged, 'completedVersion'> & { caution: string | undefined },
  awaited: readonly AwaitedSignature[],
): Promise<Staged> {
  const { blobs, pdf, settings } = system
  mustBeFree({ document, completedVersion }, held)
  const sheet = sheetFor({
    ...settings,
    document,
    kindName: documentKinds[document.kind],
    version,
    office,
    caution,
  })
  const reading = <T>(work: Promise<T>) => reportDamage(system, { document, version }, work)
  if (!sheet) {
    const inspecting = blobs.withFile(version, (file) => pdf.inspect(file))
    const { mayBeSigned } = await reading(inspecting)
    if (!mayBeSigned)
      throw new Problem('signing-forbidden-by-document', `${document.id} admits no more signatures`)
    return { document, completedVersion, version, sheet: undefined }
  }
  const prepared = await reading(
    blobs.withFile(version, (file) => pdf.prepareSheet(file, { sheet, awaited })),
  )
  const { baseLength, bytes } = prepared
  const copy = appendedTo(blobs, version, { baseLength, behind: [bytes] })
  const blob = await reading(blobs.stage(copy, baseLength + bytes.length))
  const { pages, fieldNames: fields } = prepared
  return { document, completedVersion, version, sheet: { blob, pages, fields } }
}

/**
 * A complete document must have been chosen for a further signature.
 *
 * @throws {Problem} `document-held`, `document-final`
 */
function mustBeFree(
  { document, completedVersion }: Pick<Staged, 'document' | 'completedVersion'>,
  other: { session: SigningSession } | undefined,
): void {
  if (other) throw new Problem('document-held', `${document.id} is in ${other.session.id}`)
  if (!isTransition(document.state, 'signing'))
    throw new Problem('document-held', `${document.id} is ${document.state}`)
  if (document.state === 'signed' && completedVersion === null)
    throw new Problem('document-final', `${document.id} is complete`)
}

/** @throws {Problem} `document-held`, `session-state` */
async function holdAll(
  trx: Transaction,
  staged: readonly Staged[],
  person: Person,
  at: Instant,
): Promise<void> {
  const ids = staged.map(({ document }) => document.id)
  const holdings = await findHoldingSessions(trx, ids)
  for (const one of staged) mustBeFree(one, holdings.get(one.document.id))
  const held = staged.map((one) => ({ seen: one.document, next: heldBy(one, person, at) }))
  if (!(await replaceDocuments(trx, held)))
    throw new Problem('document-held', 'a document moved on while the session was prepared')
  await insertVersions(
    trx,
    staged.flatMap((one) => versionWithSheet(one, person, at) ?? []),
  )
  // They are no longer drafts, so their description, which the sheets show, cannot change any more.
  const current = await findDocuments(trx, ids)
  for (const { document } of staged)
    if (!isDeepStrictEqual(printedOf(current.get(document.id)), printedOf(document)))
      throw new Problem('session-state', `${document.id} was described anew while it was prepared`)
}

/** What was reviewed of a document, besides its file. */
const printedOf = (document: Document | undefined) =>
  document && [
    ...[document.title, document.kind, document.instrument],
    ...[document.publicLookup.state, document.stampChoice],
  ]

const heldBy = (
  { document, sheet }: Staged,
  { userId }: Person,
  at: Instant,
): DocumentChange['next'] => ({
  state: 'signing',
  stateSince: at,
  stateBy: userId,
  version: sheet ? document.version + 1 : document.version,
})

const versionWithSheet = (
  { document, version, sheet }: Staged,
  { userId }: Person,
  at: Instant,
): DocumentVersion | undefined =>
  sheet && {
    ...version,
    version: document.version + 1,
    sha256: sheet.blob.sha256,
    bytes: sheet.blob.bytes,
    pages: version.pages + sheet.pages,
    cause: 'prepared',
    by: userId,
    signer: null,
    at,
  }

const sessionDocument = ({
  document,
  completedVersion,
  version,
  sheet,
}: Staged): SessionDocument => ({
  id: document.id,
  completedVersion,
  baseVersion: version.version,
  fields: sheet?.fields ?? [],
})
