import type { FileName } from '#server/domain/documents/file-name.ts'
import { refusingOtherFiles } from '#server/domain/documents/refuse-other-files.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { INSTALLATION, type TrustScope } from '#server/domain/trust/known-authority.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { revisionDigests } from '#server/domain/verification/revision-digests.ts'
import { undetermined } from '#server/domain/verification/undetermined.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import type { FileBudget } from '#server/ports/file-budget.ts'
import type { ComparedPage } from '#server/ports/pdf-work.ts'
import { judgeFile } from '#server/steps/judgements/judge-file.ts'
import type { System } from '#server/system.ts'
import { compareChangedPages } from './compare-changed-pages.ts'
import { consumePublicAttempt } from './consume-public-attempt.ts'
import { findRegistration, type Registration } from './find-registration.ts'
import { type Lane, laneOf, workInTurn } from './lane-of.ts'

export type VerifyUpload = { fileName: FileName }

export type VerifiedUpload = {
  report: VerificationReport
  registration: Registration | undefined
  /** The pages that changed after a signature. */
  pages: ComparedPage[]
  verifiedAt: Instant
}

/**
 * Verifies an uploaded file. The file is streamed to a temporary place, verified in a worker and deleted; if
 * the worker cannot finish, the verdict is undecided.
 *
 * @param input.constancia called after `content` was read to its end; returns the uploaded constancia, if there
 *   is one
 * @throws {Problem} `too-many-attempts`, `verification-busy` for strangers, `disk-full` for users, `too-large`,
 *   `empty-file`, `not-a-pdf`, `private-key-uploaded`, `certificate-uploaded`
 */
export async function verifyUpload(
  system: System,
  actor: Actor,
  input: VerifyUpload & {
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
    constancia?: () => Promise<Uint8Array | undefined>
    /** Draw the pages that changed. */
    withPictures?: boolean
    /** Aborted when the sender is gone: the work is given up. */
    signal?: AbortSignal
  },
): Promise<VerifiedUpload> {
  const lane = laneOf(system, actor)
  const { blobs, settings, clock, pdf, isPublic } = lane
  // Check before reading the file: waiting files occupy the disk.
  if (pdf.isCrowded())
    throw new Problem('too-many-attempts', 'too many files wait to be verified', { kind: 'crowd' })
  await consumePublicAttempt(system, actor, 'file')
  const digests = revisionDigests()
  const passing = watched(refusingOtherFiles(input.content), digests.add)
  const staged = await blobs.stage(passing, settings.uploadLimit, { isPublic })
  try {
    const constancia = await input.constancia?.()
    const verifiedAt = clock.now()
    const registration = await findRegistration(system, actor, staged.sha256, digests.end())
    const budget: FileBudget = {}
    const { signal } = input
    const scope = scopeOf(actor, registration)
    const asked = { name: input.fileName, scope, at: verifiedAt, constancia, budget, signal }
    const work = async () => {
      const report = await judge(lane, staged, asked)
      const pages = input.withPictures
        ? await compareChangedPages(lane, staged.file, report, { budget, signal })
        : []
      return { report, pages }
    }
    const { report, pages } = await workInTurn(lane, actor, work, signal)
    return { report, registration, pages, verifiedAt }
  } finally {
    await staged.discard()
  }
}

/** A file of an office is judged as its own page judges it, and a file that none knows as the reader's office would. */
function scopeOf(actor: Actor, registration: Registration | undefined): TrustScope {
  if (registration) return registration.document.officeId
  return actor.kind === 'person' ? actor.officeId : INSTALLATION
}

/** Refusals that say nothing about the file. */
const OF_THE_MOMENT: readonly ProblemCode[] = [
  'too-many-attempts',
  'verification-busy',
  'disk-full',
  'files-unreachable',
]

async function* watched(chunks: AsyncIterable<Uint8Array>, watch: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    watch(chunk)
    yield chunk
  }
}

async function judge(
  lane: Lane,
  staged: StagedBlob,
  {
    name,
    scope,
    at,
    constancia,
    budget,
    signal,
  }: {
    name: string
    scope: TrustScope
    at: Instant
    constancia: Uint8Array | undefined
    budget: FileBudget
    signal: AbortSignal | undefined
  },
): Promise<VerificationReport> {
  // Uploads queue behind reports and codes.
  const options = { isPatient: true, constancia, budget, signal }
  try {
    const policy = await lane.trust.policy(at, scope)
    const { report } = await judgeFile(lane, staged.file, name, policy, options)
    return report
  } catch (error) {
    if (!(error instanceof Problem) || OF_THE_MOMENT.includes(error.code)) throw error
    return undetermined({ file: name, sha256: staged.sha256, bytes: staged.bytes })
  }
}
