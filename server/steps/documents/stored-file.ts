import { crc32 } from 'node:zlib'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { ProofFile } from '#server/domain/verification/evidence-package/section.ts'
import type { ZipFile } from '#server/domain/verification/evidence-package/zip.ts'
import { reportDamage, reportingDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'

/** A file for an archive that is in memory. */
export const heldFile = ({ name, bytes }: ProofFile): ZipFile => ({
  name,
  size: bytes.length,
  crc32: crc32(bytes),
  content: () => [bytes],
})

/** A file for an archive from the store, by its digest: read once for its checksum and again when it is sent. */
export async function storedFile(
  system: Pick<System, 'blobs' | 'db' | 'clock'>,
  name: string,
  stored: { document: Document; version: DocumentVersion },
): Promise<ZipFile & { sha256: Sha256 }> {
  const { blobs } = system
  const { version } = stored
  const size = await reportDamage(system, stored, blobs.size(version))
  const content = () => reportingDamage(system, stored, blobs.stream(version, 0, size))
  let sum = 0
  for await (const chunk of content()) sum = crc32(chunk, sum)
  return { name, sha256: version.sha256, size, crc32: sum, content }
}
