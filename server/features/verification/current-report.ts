import { findReport, replaceReport } from '#server/db/verification-reports.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { before, type Instant } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { isStillTrue, REPORT_LIFE } from '#server/domain/verification/report-age.ts'
import type { System } from '#server/system.ts'

export type CurrentReport = { report: VerificationReport; at: Instant }

/* Many who ask for one document at once wait for one look at its file. */
const running = new WeakMap<System, Map<Sha256, Promise<CurrentReport>>>()

/**
 * What our verifier says of a stored version now: kept by content and authorities, and said again while it
 * is young and no certificate began or ended since.
 */
export async function currentReport(
  system: System,
  version: DocumentVersion,
): Promise<CurrentReport> {
  const inWork = running.get(system) ?? new Map<Sha256, Promise<CurrentReport>>()
  running.set(system, inWork)
  const begun = inWork.get(version.sha256)
  if (begun) return await begun
  const look = keptOrNew(system, version)
  inWork.set(version.sha256, look)
  try {
    return await look
  } finally {
    inWork.delete(version.sha256)
  }
}

async function keptOrNew(system: System, version: DocumentVersion): Promise<CurrentReport> {
  const { db, clock, trust } = system
  const now = clock.now()
  const fingerprint = await trust.fingerprint()
  const kept = await findReport(db, version.sha256, fingerprint, before(now, REPORT_LIFE))
  if (kept && isStillTrue(kept.report, kept.at, now)) return kept
  return await verifyAgain(system, version, fingerprint, now)
}

async function verifyAgain(
  { db, blobs, pdf, trust, revocation }: System,
  { sha256, fileName }: DocumentVersion,
  fingerprint: string,
  at: Instant,
): Promise<CurrentReport> {
  const policy = await trust.policy(at)
  const report = await blobs.withFile(sha256, async (path) => {
    const evidence = await revocation.answersAbout(await pdf.certificates(path), policy)
    return await pdf.verify(path, fileName, { ...policy, evidence })
  })
  await db.transaction((trx) => replaceReport(trx, sha256, fingerprint, report, at))
  return { report, at }
}
