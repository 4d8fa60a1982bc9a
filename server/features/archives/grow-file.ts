import { concatBytes } from '#server/domain/bytes.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { ReadableFile, StagedBlob } from '#server/ports/blobs.ts'
import { appendedTo } from '#server/steps/signing/appended-to.ts'
import type { System } from '#server/system.ts'

/** A file that grows by revisions and is not visible until it is kept. */
export type GrowingFile = {
  /** Gives `use` the local file in its current state. */
  withFile<T>(use: (file: ReadableFile) => Promise<T>): Promise<T>
  /** @throws {Problem} `stored-file-damaged` when the stored base does not match its digest */
  append(increment: Uint8Array): Promise<void>
  /** All that was appended. */
  appended(): Uint8Array
  /** The current state, ready to keep. */
  staged(): StagedBlob
  /** Removes the temporary file; a blob that was kept stays. */
  discard(): Promise<void>
}

/** Starts from the file of a version. */
export function growFile({ blobs }: Pick<System, 'blobs'>, base: DocumentVersion): GrowingFile {
  const increments: Uint8Array[] = []
  let staged: StagedBlob | undefined

  return {
    withFile: (use) => (staged ? use(staged.file) : blobs.withFile(base, use)),
    async append(increment) {
      increments.push(increment)
      const length = increments.reduce((sum, { length }) => sum + length, base.bytes)
      const whole = appendedTo(blobs, base, { baseLength: base.bytes, behind: increments })
      const next = await blobs.stage(whole, length)
      await staged?.discard()
      staged = next
    },
    appended: () => concatBytes(...increments),
    staged() {
      if (!staged) throw new Error(`nothing was appended to ${base.documentId}`)
      return staged
    },
    discard: async () => staged?.discard(),
  }
}
