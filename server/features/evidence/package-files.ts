import { crc32 } from 'node:zlib'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { ProofFile } from '#server/domain/verification/evidence-package/section.ts'
import type { ZipFile } from '#server/domain/verification/evidence-package/zip.ts'
import type { System } from '#server/system.ts'

/** A file of the package that is in memory. */
export const heldFile = ({ name, bytes }: ProofFile): ZipFile => ({
  name,
  size: bytes.length,
  crc32: crc32(bytes),
  content: () => [bytes],
})

/** A file of the package from the store, by its digest: read once for its checksum and again when it is sent. */
export async function storedFile(
  { blobs }: Pick<System, 'blobs'>,
  name: string,
  address: FileAddress,
): Promise<ZipFile & { sha256: Sha256 }> {
  const size = await blobs.size(address)
  const content = () => blobs.stream(address, 0, size)
  let sum = 0
  for await (const chunk of content()) sum = crc32(chunk, sum)
  return { name, sha256: address.sha256, size, crc32: sum, content }
}
