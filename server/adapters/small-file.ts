import { closeSync, openSync, readSync } from 'node:fs'

/** A certificate has about 1.5 KB and a private key 1.3; what is larger is something else. */
const SMALL = 256 * 1024

/**
 * The bytes of a certificate or key file, cut off where it is too large to be one.
 *
 * @throws {Error} with the code of the system (`ENOENT`, `EISDIR`, …)
 */
export function readSmallFile(file: string): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = new Uint8Array(SMALL)
    // A pipe has no size, and hands out what it has piece by piece.
    let length = 0
    for (let count = -1; count !== 0 && length < SMALL; length += count)
      count = readSync(descriptor, bytes, length, SMALL - length, null)
    return bytes.slice(0, length)
  } finally {
    closeSync(descriptor)
  }
}
