import { z } from 'zod'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findConstanciaOverSignatures } from '#server/db/trust/constancias.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { after, type Duration, type Instant, seconds } from '#server/domain/time.ts'
import type { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { isStillTrue } from '#server/domain/verification/report-age.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import type { System } from '#server/system.ts'
import { countVerification } from './count-verification.ts'
import { currentReport } from './current-report.ts'
import { type SigningInLog, signingInLog } from './signing-in-log.ts'

export const ReadVerification = z.object({ id: z.string() })
export type ReadVerification = z.infer<typeof ReadVerification>

export type PublicVerification = {
  document: Document
  /** The signed version that counts today. */
  version: DocumentVersion
  office: Office
  report: VerificationReport
  /** How it stands with the constancia over its signatures; null: none was asked for. */
  constancia: ConstanciaState | null
  verifiedAt: Instant
  /** Where the log tells of its signatures, and what proves it. */
  log: SigningInLog
}

export type FoundVerification = { kind: 'found' } & PublicVerification
export type ReadVerificationOutcome =
  /** Unknown, not yet signed, withdrawn: nobody is told which. */
  { kind: 'not-found' } | FoundVerification

/** A QR code on a poster is scanned by many people at once; they share one answer for so long. */
const ANSWER_LIFE: Duration = seconds(5)

type Answer = { found: FoundVerification; until: Instant }
const ANSWERS: CacheOf<Answer> = { name: 'public-verifications', capacity: 500 }

/**
 * What anybody may know of a signed document, and the verdict about its file as it stands now.
 *
 * The verdict comes from looking at the file at most five minutes ago, under the authorities of today. Who is
 * given an answer again is given the same object.
 */
export async function readVerification(
  system: System,
  actor: Actor,
  input: ReadVerification,
): Promise<ReadVerificationOutcome> {
  const id = DocumentId.safeParse(input.id.toLowerCase())
  const found = id.success ? await remembered(system, id.data) : undefined
  if (!found) return { kind: 'not-found' }
  await countVerification(system, actor, found.document)
  return found
}

async function remembered(system: System, id: DocumentId): Promise<FoundVerification | undefined> {
  const answers = system.memory.cache(ANSWERS)
  const now = system.clock.now()
  const known = answers.find(id)
  if (known && now < known.until && isStillTrue(known.found.report, known.found.verifiedAt, now))
    return known.found
  answers.forget(id)
  const found = await look(system, id)
  if (!found) return undefined
  answers.keep(id, { found, until: after(now, ANSWER_LIFE) })
  return found
}

async function look(system: System, id: DocumentId): Promise<FoundVerification | undefined> {
  const { db } = system
  const document = await findDocument(db, id)
  if (document?.state !== 'signed') return undefined
  const version = await findVersion(db, id, document.version)
  const office = await findOffice(db, document.officeId)
  if (!version || !office) throw new Error(`${id} has no version or no office`)
  const { report, at } = await currentReport(system, version)
  const constancia = await findConstanciaOverSignatures(db, id, version.version)
  return {
    kind: 'found',
    document,
    version,
    office,
    report,
    constancia: constancia?.state ?? null,
    verifiedAt: at,
    log: await signingInLog(system, document),
  }
}
