import { closeSync, createReadStream, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { byteLines } from '#server/adapters/byte-lines.ts'
import { LONGEST_LINE } from '#server/domain/backups/manifest.ts'
import type { LineFile } from '#server/ports/backup-source.ts'
import { copiedFile } from './copied-file.ts'

const BUFFERED = 1 << 16

/** @param file must not exist; the caller takes it away */
export function createLineFile(file: string): LineFile & { close(): void } {
  const descriptor = openSync(file, 'wx', 0o600)
  let waiting = ''
  let isOpen = true
  const flush = () => {
    writeFileSync(descriptor, waiting)
    waiting = ''
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    closeSync(descriptor)
  }
  return {
    add(line) {
      waiting += `${line}\n`
      if (waiting.length > BUFFERED) flush()
    },
    async whole() {
      if (isOpen) {
        flush()
        fsyncSync(descriptor)
        close()
      }
      const found = await copiedFile(file)
      if (!found) throw new Error(`${file} is gone`)
      return found
    },
    lines: () => linesOf(file),
    close,
  }
}

/** The lines of a text file; one that is longer than a line of a manifest comes in pieces. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  for await (const line of byteLines(createReadStream(file), LONGEST_LINE))
    yield Buffer.from(line).toString()
}
