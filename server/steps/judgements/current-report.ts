import { findReport, replaceReport } from '#server/db/documents/verification-reports.ts'
import { findConstanciaOverSignatures } from '#server/db/trust/constancias.ts'
import { sha256 as digestOf } from '#server/domain/crypto/sha256.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { before, type Instant } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { isStillTrue, REPORT_LIFE } from '#server/domain/verification/report-age.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import { readInTurn } from '#server/steps/documents/read-in-turn.ts'
import type { System } from '#server/system.ts'
import { judgeFile } from './judge-file.ts'

export type CurrentReport = { report: VerificationReport; at: Instant }

type Options = {
  /** Patient work runs after the work that a person waits for; see `PdfWork`. */
  isPatient?: boolean
  /** True if `system` has the workers of the public. */
  isPublic?: boolean
  /** The user or guest who only reads the report: their reports wait for their turn. */
  reader?: Actor
}

/**
 * Requests for one document that arrive together share one verification of its file. Users of the office do not wait
 * for one in the workers of the public, and signatures not for one of a reader.
 */
const RUNNING: CacheOf<Promise<CurrentReport>> = { name: 'running-verifications', capacity: 500 }

/**
 * Our verifier's current report on a stored version and its constancia, if there is one. Cached by content,
 * constancia and trusted authorities while it is recent and no certificate began or expired since.
 */
export async function currentReport(
  system: System,
  version: DocumentVersion,
  { isPatient = false, isPublic = false, reader }: Options = {},
): Promise<CurrentReport> {
  const running = system.memory.cache(RUNNING)
  const whose = reader ? 'reader' : 'office'
  // Another office may trust other authorities.
  const key = `${isPublic ? 'public' : whose} ${version.officeId} ${version.sha256}`
  const begun = running.find(key)
  if (begun) return await begun
  try {
    return await running.keep(key, keptOrNew(system, version, { isPatient, reader }))
  } finally {
    running.forget(key)
  }
}

type Asked = { isPatient: boolean; reader: Actor | undefined }

async function keptOrNew(
  system: System,
  version: DocumentVersion,
  asked: Asked,
): Promise<CurrentReport> {
  const { db, clock, trust } = system
  const now = clock.now()
  const constancia = await issuedOver(system, version)
  // The report names the file as its office does.
  const trusted = `${version.officeId} ${await trust.fingerprint(version.officeId)}`
  const fingerprint = constancia ? `${trusted} ${digestOf(constancia)}` : trusted
  const kept = await findReport(db, version.sha256, fingerprint, before(now, REPORT_LIFE))
  if (kept && isStillTrue(kept.report, kept.at, now)) return kept
  return await verifyAgain(system, version, { ...asked, fingerprint, constancia, at: now })
}

/** The issued constancia, as the provider sent it. */
async function issuedOver(
  { db }: System,
  { documentId, version }: DocumentVersion,
): Promise<Uint8Array | undefined> {
  const constancia = await findConstanciaOverSignatures(db, documentId, version)
  return constancia?.state === 'issued' ? (constancia.answer ?? undefined) : undefined
}

async function verifyAgain(
  system: System,
  version: DocumentVersion,
  {
    fingerprint,
    constancia,
    at,
    isPatient,
    reader,
  }: Asked & {
    fingerprint: string
    constancia: Uint8Array | undefined
    at: Instant
  },
): Promise<CurrentReport> {
  const { db, blobs, trust } = system
  const policy = await trust.policy(at, version.officeId)
  const judge = () =>
    blobs.withFile(version, (file) =>
      judgeFile(system, file, version.fileName, policy, { isPatient, constancia }),
    )
  const { report } = await (reader ? readInTurn(system, reader, judge) : judge())
  await db.transaction((trx) => replaceReport(trx, version.sha256, fingerprint, report, at))
  return { report, at }
}
