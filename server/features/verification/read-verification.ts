import { z } from 'zod'
import { findPublicDocument, type LookingUp } from '#server/db/documents/public-documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findHoldingSession } from '#server/db/signing-sessions/session-documents.ts'
import { findConstanciaOverSignatures } from '#server/db/trust/constancias.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { isOpenAt } from '#server/domain/signing/session/signing-session.ts'
import { after, type Duration, type Instant, seconds } from '#server/domain/time.ts'
import type { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { isStillTrue } from '#server/domain/verification/report-age.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import { arePicturesPublic } from '#server/steps/documents/public-pictures.ts'
import { currentReport } from '#server/steps/judgements/current-report.ts'
import { findCompleted } from '#server/steps/signing/find-completed.ts'
import {
  findSignedCharacters,
  type SignedCharacters,
} from '#server/steps/signing/find-signed-characters.ts'
import { isOutsideProtocol } from '#server/steps/signing/is-outside-protocol.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { countVerification } from './count-verification.ts'
import { type Lane, laneOf } from './lane-of.ts'
import { lookingUp } from './looking-up.ts'
import { type SigningInLog, signingInLog } from './signing-in-log.ts'

export const ReadVerification = z.object({ id: z.string() })
export type ReadVerification = z.infer<typeof ReadVerification>

export type PublicVerification = {
  document: Document
  /** The last complete version. */
  version: DocumentVersion
  /** Whether a session holds it to add signatures. */
  isFurtherSigning: boolean
  /** Whether that session is open at this moment. */
  isBeingSigned: boolean
  office: Office
  report: VerificationReport
  /** As what each signature was made here. */
  characterOf: SignedCharacters
  /** The state of the constancia; null if none was requested. */
  constancia: ConstanciaState | null
  verifiedAt: Instant
  /** Whether it was signed in a session that leaves the protocol to be signed. */
  leavesProtocol: boolean
  /** The signing events in the log and their proofs. */
  log: SigningInLog
}

export type FoundVerification = PublicVerification & {
  kind: 'found'
  /** Whether the public may see pictures of the pages. */
  hasPictures: boolean
}

/** A document that never was complete. When and why its signing ended is not public. */
export type UnfinishedVerification = {
  kind: 'unfinished'
  progress: 'being-signed' | 'ended'
  document: Document
  office: Office
  leavesProtocol: boolean
}

type KnownVerification = FoundVerification | UnfinishedVerification
export type ReadVerificationOutcome =
  /** Unknown, not to be looked up, or a draft of which no session was opened: the response does not say which. */
  { kind: 'not-found' } | KnownVerification

/** Many people may scan the QR code of a poster at once; they share an answer for this long. */
const ANSWER_LIFE: Duration = seconds(5)

type Answer = { found: KnownVerification; until: Instant }
const ANSWERS: CacheOf<Answer> = { name: 'public-verifications', capacity: 500 }

/** Answers for users of an office are apart: the public must not get them. */
const keyOf = (id: DocumentId, { officeId }: LookingUp) => (officeId ? `${id} ${officeId}` : id)

/** Before the document is looked up again, other processes may answer as before for `ANSWER_LIFE`. */
export const forgetVerification = ({ memory }: Pick<System, 'memory'>, id: DocumentId): void =>
  memory.cache(ANSWERS).forget(keyOf(id, { officeId: undefined }))

/**
 * The public data of a signed document and the current verdict about its file, or whether its signing is under way.
 *
 * The verdict is at most five minutes old and uses today's trusted authorities. Within the shared lifetime
 * callers get the same object.
 */
export async function readVerification(
  system: System,
  actor: Actor,
  input: ReadVerification,
): Promise<ReadVerificationOutcome> {
  const id = DocumentId.safeParse(input.id.toLowerCase())
  const found = id.success ? await remembered(system, actor, id.data) : undefined
  if (!found) return { kind: 'not-found' }
  await countVerification(system, actor, found.document)
  return found
}

async function remembered(
  system: System,
  actor: Actor,
  id: DocumentId,
): Promise<KnownVerification | undefined> {
  const lane = laneOf(system, actor)
  const answers = lane.memory.cache(ANSWERS)
  const now = lane.clock.now()
  const key = keyOf(id, lookingUp(actor))
  const known = answers.find(key)
  if (known && now < known.until && isStillGood(known.found, now)) return known.found
  answers.forget(key)
  const found = await look(lane, actor, id)
  if (!found) return undefined
  answers.keep(key, { found, until: after(now, ANSWER_LIFE) })
  return found
}

const isStillGood = (found: KnownVerification, now: Instant) =>
  found.kind === 'unfinished' || isStillTrue(found.report, found.verifiedAt, now)

async function look(
  lane: Lane,
  actor: Actor,
  id: DocumentId,
): Promise<KnownVerification | undefined> {
  const { db, clock, isPublic } = lane
  const document = await findPublicDocument(db, { id }, lookingUp(actor))
  if (!document) return undefined
  const office = await findOffice(db, document.officeId)
  if (!office) throw new Error(`${id} has no office`)
  const holding = document.state === 'signing' ? await findHoldingSession(db, id) : undefined
  const isBeingSigned = holding !== undefined && isOpenAt(holding.session, clock.now())
  const completed = await findCompleted(db, document)
  const leaves = await isOutsideProtocol(db, id, completed !== undefined)
  if (!completed)
    return {
      kind: 'unfinished',
      progress: isBeingSigned ? 'being-signed' : 'ended',
      document,
      office,
      leavesProtocol: leaves,
    }
  const { version, isFurtherSigning } = completed
  const reporting = currentReport(lane, version, isPublic ? { isPublic } : { reader: actor })
  const { report, at } = await reportDamage(lane, { document, version }, reporting)
  const constancia = await findConstanciaOverSignatures(db, id, version.version)
  return {
    kind: 'found',
    document,
    version,
    isFurtherSigning,
    isBeingSigned,
    office,
    report,
    characterOf: await findSignedCharacters(db, id),
    constancia: constancia?.state ?? null,
    hasPictures: await arePicturesPublic(db, document, version),
    verifiedAt: at,
    leavesProtocol: leaves,
    log: await signingInLog(lane, document, version),
  }
}
