import { z } from 'zod'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import type { TextComparison } from '#server/ports/text-comparison.ts'
import { readInTurn } from '#server/steps/documents/read-in-turn.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { findReadableVersion, type ReadableVersion } from './find-readable-version.ts'

const version = z.coerce.number().int().positive()

export const CompareVersions = z.object({ documentId: DocumentId, from: version, to: version })
export type CompareVersions = z.infer<typeof CompareVersions>

export type VersionComparison =
  | TextComparison
  /** The files are the same, byte by byte. */
  | { kind: 'identical' }
  /** The files take too long to read, or one of them cannot be read. */
  | { kind: 'too-complex' }

/** Texts stand in memory alone: on the disk files are encrypted. Users who turn the pages of a comparison wait for it once. */
const COMPARISONS: CacheOf<Promise<TextComparison>> = { name: 'text-comparisons', capacity: 20 }

/**
 * What changed in the text between two versions of a document. Pictures, signatures and the layout are not compared. Logs the view.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `file-purged`, `too-many-attempts`, `stored-file-damaged`
 */
export async function compareVersions(
  system: System,
  actor: Actor,
  { documentId, ...wanted }: CompareVersions,
): Promise<VersionComparison> {
  const { eventQueue, clock } = system
  const at = clock.now()
  const find = (version: number) => findReadableVersion(system, actor, { documentId, version }, at)
  const [from, to] = [await find(wanted.from), await find(wanted.to)]
  const comparison =
    from.version.sha256 === to.version.sha256
      ? ({ kind: 'identical' } as const)
      : await comparedOrNot(compared(system, actor, from, to))
  await eventQueue.append({
    actor,
    at,
    action: 'document.compared',
    subject: to.subject,
    details: wanted,
  })
  return comparison
}

async function comparedOrNot(comparing: Promise<TextComparison>): Promise<VersionComparison> {
  try {
    return await comparing
  } catch (error) {
    if (error instanceof Problem && CANNOT_BE_READ.includes(error.code))
      return { kind: 'too-complex' }
    throw error
  }
}

const CANNOT_BE_READ: readonly Problem['code'][] = [
  'pdf-too-complex',
  'damaged-pdf',
  'encrypted-pdf',
]

async function compared(
  system: System,
  actor: Actor,
  from: ReadableVersion,
  to: ReadableVersion,
): Promise<TextComparison> {
  const { blobs, memory, pdf } = system
  const kept = memory.cache(COMPARISONS)
  const key = `${from.version.officeId} ${from.version.sha256} ${to.version.sha256}`
  const found = kept.find(key)
  if (found) return await found
  const comparing = readInTurn(system, actor, () =>
    blobs.withFile(from.version, (earlier) =>
      blobs.withFile(to.version, (file) => pdf.compareTexts(earlier, file)),
    ),
  )
  comparing.catch(() => kept.forget(key))
  try {
    return await kept.keep(key, comparing)
  } catch (error) {
    if (isProblem(error, 'stored-file-damaged'))
      for (const one of [from, to]) await reportDamage(system, one, readWhole(system, one.version))
    throw error
  }
}

/** Which of the two files is damaged is known after both were read again. */
async function readWhole({ blobs }: System, version: DocumentVersion): Promise<void> {
  for await (const _ of blobs.pieces(version, 0, version.bytes));
}
