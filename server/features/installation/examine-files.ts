import { createHash } from 'node:crypto'
import { listStoredFiles, type StoredFile } from '#server/db/documents/document-versions.ts'
import type { Finding } from '#server/domain/installation/finding.ts'
import type { System } from '#server/system.ts'

const AT_A_TIME = 500

/**
 * Compares each stored file with its row.
 *
 * @param isHashed reads every file whole; otherwise only its size is compared
 */
export async function examineFiles(
  { db, blobs }: Pick<System, 'db' | 'blobs'>,
  isHashed: boolean,
): Promise<Finding[]> {
  let files = 0
  const missing: StoredFile[] = []
  const damaged: StoredFile[] = []
  let last: StoredFile | undefined
  do {
    const page = await listStoredFiles(db, { after: last, limit: AT_A_TIME })
    for (const file of page) {
      const state = await stateOf(blobs, file, isHashed)
      if (state === 'missing') missing.push(file)
      if (state === 'damaged') damaged.push(file)
    }
    files += page.length
    last = page.length === AT_A_TIME ? page.at(-1) : undefined
  } while (last)
  const faults = [...faultOf('files-missing', missing), ...faultOf('files-damaged', damaged)]
  if (faults.length > 0) return faults
  return [{ code: 'files-held', level: 'good', parameters: { files, hashed: isHashed } }]
}

function faultOf(code: 'files-missing' | 'files-damaged', files: readonly StoredFile[]): Finding[] {
  const [first] = files
  if (!first) return []
  const name = `${first.documentId}, ${first.version}`
  return [{ code, level: 'fault', parameters: { files: files.length, first: name } }]
}

async function stateOf(blobs: System['blobs'], { sha256, bytes }: StoredFile, isHashed: boolean) {
  const size = await blobs.size(sha256).catch(() => undefined)
  if (size === undefined) return 'missing'
  if (size !== bytes) return 'damaged'
  if (!isHashed) return 'held'
  const hash = createHash('sha256')
  for await (const piece of blobs.pieces(sha256, 0, size)) hash.update(piece)
  return hash.digest('hex') === sha256 ? 'held' : 'damaged'
}
