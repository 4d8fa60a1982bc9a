import { crc32 } from 'node:zlib'
import type { ProofFile } from '#server/domain/verification/evidence-package/section.ts'
import type { ZipFile } from '#server/domain/verification/evidence-package/zip.ts'

/** A file of the package that is in memory. */
export const heldFile = ({ name, bytes }: ProofFile): ZipFile => ({
  name,
  size: bytes.length,
  crc32: crc32(bytes),
  content: () => [bytes],
})
