import { createHash } from 'node:crypto'
import { listVersionFiles, type VersionFile } from '#server/db/documents/document-versions.ts'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import type { Finding } from '#server/domain/installation/finding.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

const AT_A_TIME = 500

/**
 * Compares each stored file with its row.
 *
 * @param isHashed reads every file whole; otherwise only its size is compared
 */
export async function examineFiles(
  system: Pick<System, 'db' | 'blobs'>,
  isHashed: boolean,
): Promise<Finding[]> {
  try {
    return await compareFiles(system, isHashed)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    const parameters = { reason: error.message }
    return [{ code: 'files-unreachable', level: 'fault', parameters }]
  }
}

const isUnreachable = (error: unknown): error is Problem => isProblem(error, 'files-unreachable')

async function compareFiles(
  { db, blobs }: Pick<System, 'db' | 'blobs'>,
  isHashed: boolean,
): Promise<Finding[]> {
  let files = 0
  const missing: VersionFile[] = []
  const damaged: VersionFile[] = []
  let last: VersionFile | undefined
  do {
    const page = await listVersionFiles(db, { after: last, limit: AT_A_TIME })
    for (const file of page) {
      const state = await stateOf(blobs, file, isHashed)
      if (state === 'missing') missing.push(file)
      if (state === 'damaged') damaged.push(file)
    }
    files += page.length
    last = page.length === AT_A_TIME ? page.at(-1) : undefined
  } while (last)
  const plain = await plainFinding(blobs)
  const faults = [...faultOf('files-missing', missing), ...faultOf('files-damaged', damaged)]
  if (faults.length > 0) return [...faults, ...plain]
  return [{ code: 'files-held', level: 'good', parameters: { files, hashed: isHashed } }, ...plain]
}

async function plainFinding({ plain }: System['blobs']): Promise<Finding[]> {
  let files = 0
  for await (const _ of plain.list()) files += 1
  return files === 0 ? [] : [{ code: 'files-plain', level: 'warning', parameters: { files } }]
}

function faultOf(
  code: 'files-missing' | 'files-damaged',
  files: readonly VersionFile[],
): Finding[] {
  const [first] = files
  if (!first) return []
  const name = `${first.documentId}, ${first.version}`
  return [{ code, level: 'fault', parameters: { files: files.length, first: name } }]
}

async function stateOf(blobs: System['blobs'], file: VersionFile, isHashed: boolean) {
  try {
    if ((await blobs.size(file)) !== file.bytes) return 'damaged'
    if (!isHashed) return 'held'
    const hash = createHash('sha256')
    for await (const piece of blobs.pieces(file, 0, file.bytes)) hash.update(piece)
    return hash.digest('hex') === file.sha256 ? 'held' : 'damaged'
  } catch (error) {
    if (isUnreachable(error) || error instanceof DatabaseUnreachable) throw error
    return error instanceof Problem ? 'damaged' : 'missing'
  }
}
