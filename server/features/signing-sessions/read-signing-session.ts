import type { CurrentDocument } from '#server/db/documents/current-documents.ts'
import { findUser, findUsers } from '#server/db/people/users.ts'
import { listSigningLinks } from '#server/db/signing-sessions/signing-links.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { SignerId, SigningSessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import {
  type Ceremony,
  progressOf,
  signersInTurn,
} from '#server/domain/signing/session/ceremony.ts'
import {
  type Hindrance,
  hindranceOfGuest,
  hindranceOfUser,
} from '#server/domain/signing/session/hindrance.ts'
import type { Instant } from '#server/domain/time.ts'
import { listedDocument } from '#server/steps/documents/listed-document.ts'
import { listDocumentsIn } from '#server/steps/signing/list-documents-in.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'

export type ReadSigningSession = { signingSessionId: SigningSessionId }

export type SigningSessionDetail = {
  ceremony: Ceremony
  author: User
  /** In session order. */
  documents: CurrentDocument[]
  /** Why a signer whose turn it is cannot sign now. */
  hindrances: ReadonlyMap<SignerId, Hindrance>
  progress: { made: number; wanted: number }
}

/**
 * Everything about one session. Logs the view.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id }: ReadSigningSession,
): Promise<SigningSessionDetail> {
  const { db, eventQueue, clock } = system
  const at = clock.now()
  const found = await findManagedSession(system, actor, id, at, 'signing-sessions.read')
  const { ceremony, subject } = found
  const author = await findUser(db, ceremony.session.createdBy)
  if (!author) throw new Error(`session ${id} has no author`)
  const person = mustBeSignedIn(actor)
  const documents = (await listDocumentsIn(db, ceremony)).map((current) => ({
    ...current,
    document: listedDocument(person, current.document),
  }))
  await eventQueue.append({ actor, at, action: 'signing-session.viewed', subject })
  const hindrances = await hindrancesIn(db, ceremony, at)
  return { ceremony, author, documents, hindrances, progress: progressOf(ceremony) }
}

async function hindrancesIn(
  db: Reader,
  ceremony: Ceremony,
  now: Instant,
): Promise<SigningSessionDetail['hindrances']> {
  const inTurn = signersInTurn(ceremony)
  const ids = inTurn.filter(({ userId }) => userId === null).map(({ id }) => id)
  const links = new Map((await listSigningLinks(db, ids, now)).map((link) => [link.signerId, link]))
  const accounts = await findUsers(
    db,
    inTurn.flatMap(({ userId }) => userId ?? []),
  )
  const found = new Map<SignerId, Hindrance>()
  for (const signer of inTurn) {
    const account = signer.userId && accounts.get(signer.userId)
    const hindrance = account
      ? hindranceOfUser(signer, account, now)
      : hindranceOfGuest(signer, links.get(signer.id), now)
    if (hindrance) found.set(signer.id, hindrance)
  }
  return found
}
