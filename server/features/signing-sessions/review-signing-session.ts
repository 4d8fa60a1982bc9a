import { listChecksOf } from '#server/db/documents/document-checks.ts'
import { findUser, findUsers } from '#server/db/people/users.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Sha256, SigningSessionId, UserId } from '#server/domain/ids.ts'
import type { PageSize } from '#server/domain/pdf/page-size.ts'
import { Problem } from '#server/domain/problem.ts'
import { openBeforeSigning } from '#server/domain/signing/act/checklist.ts'
import { sheetFor } from '#server/domain/signing/plan-signature.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import {
  type DraftFacts,
  type Oddity,
  odditiesOf,
} from '#server/domain/signing/session/oddities.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { sheetsFor } from '#server/domain/signing/signature-sheet.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  requiredStatements,
  type UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import { findOrAwaitJudgements } from '#server/steps/judgements/find-judgements.ts'
import { listSignables, type Signable } from '#server/steps/signing/find-signable.ts'
import type { System } from '#server/system.ts'
import { documentKinds } from '#server/words/documents.ts'
import { findManagedSession } from './find-managed-session.ts'
import { digestOfReview } from './session-review.ts'

export type SessionReview = {
  ceremony: Ceremony
  author: User
  /** The accounts of the signers of the office, whose roles and capacities say as what they sign. */
  accounts: ReadonlyMap<UserId, User>
  at: Instant
  /** In session order. */
  documents: ReviewedDocument[]
  oddities: Oddity[]
  /** The sheets of the chosen document, or of the first that gets one; null if none does, or its file cannot be read. */
  shown: { document: Document; sheets: number; size: PageSize } | null
  /** Names all of this; opening the session takes it. */
  digest: Sha256
}

export type ReviewedDocument = Signable & {
  /** Undefined while the file waits to be judged. */
  judgement: UploadJudgement | undefined
  /** False for a document that was uploaded with signatures: a new page would break them. */
  getsSheet: boolean
}

export type ReviewSigningSession = {
  signingSessionId: SigningSessionId
  /** The document whose sheets are shown. */
  chosen: string | null
}

/**
 * Everything that a person should see before the session is opened. Logs the view.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `session-state` once it was opened;
 *   `session-incomplete` without signers
 */
export async function reviewSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id, chosen }: ReviewSigningSession,
): Promise<SessionReview> {
  const { db, eventQueue, clock, settings } = system
  const at = clock.now()
  const { ceremony, subject } = await findManagedSession(system, actor, id, at)
  const { session, signers } = ceremony
  if (session.state !== 'draft') throw new Problem('session-state', `${id} is ${session.state}`)
  if (signers.length === 0) throw new Problem('session-incomplete', `${id} has no signers`)
  const author = await findUser(db, session.createdBy)
  if (!author) throw new Error(`session ${id} has no author`)
  const ids = ceremony.documents.map((document) => document.id)
  const signables = await listSignables(db, ids)
  const judgements = await findOrAwaitJudgements(system, session.officeId, ids)
  const checks = await listChecksOf(db, ids)
  const accounts = await findUsers(
    db,
    signers.flatMap(({ userId }) => userId ?? []),
  )
  await eventQueue.append({ actor, at, action: 'signing-session.viewed', subject })
  const completed = new Map(
    ceremony.documents.map((one) => [one.id, one.completedVersion !== null]),
  )
  const facts = {
    ...{ session, signers, accounts },
    documents: signables.map(({ document, held }) => ({
      title: document.title,
      judged: judgedOf(judgements.get(document.id)),
      open: openBeforeSigning(checks.get(document.id) ?? []),
      isHeld: held !== undefined || !isFree(document.state, completed.get(document.id) ?? false),
    })),
  }
  return {
    ceremony,
    ...{ author, accounts, at },
    documents: signables.map((signable) => ({
      ...signable,
      judgement: judgements.get(signable.document.id),
      getsSheet: getsSheet(signable),
    })),
    oddities: odditiesOf(facts, at),
    shown: await shownSheets(system, signables.filter(getsSheet), signers, chosen),
    digest: digestOfReview(ceremony, signables),
  }

  function getsSheet(signable: Signable): boolean {
    if (signable.document.purged) return false
    const kindName = documentKinds[signable.document.kind]
    return sheetFor({ ...settings, ...signable, kindName }) !== undefined
  }
}

function judgedOf(
  judgement: UploadJudgement | undefined,
): DraftFacts['documents'][number]['judged'] {
  if (!judgement) return 'waiting'
  return requiredStatements(judgement).length > 0 ? 'not-green' : 'green'
}

/** A complete document takes signatures only if it was chosen for them. */
const isFree = (state: Signable['document']['state'], isChosen: boolean) =>
  state === 'draft' || (state === 'signed' && isChosen)

async function shownSheets(
  { blobs, pdf }: System,
  signables: readonly Signable[],
  signers: readonly Signer[],
  chosen: string | null,
): Promise<SessionReview['shown']> {
  const shown = signables.find(({ document }) => document.id === chosen) ?? signables[0]
  if (!shown) return null
  try {
    const reading = blobs.withFile(shown.version, (file) => pdf.signatureContents(file))
    const { sheetSize: size } = await reading
    return { document: shown.document, sheets: sheetsFor(signers, size), size }
  } catch (error) {
    // Opening the session reports it.
    if (error instanceof Problem) return null
    throw error
  }
}
