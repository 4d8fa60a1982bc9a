import { readFileSync, statSync } from 'node:fs'

/** A certificate has about 1.5 KB and a private key 1.3; what is larger is something else. */
const SMALL = 256 * 1024

/** The bytes of a certificate or key file, cut off where it is too large to be one. */
export function readSmallFile(file: string): Uint8Array {
  if (!statSync(file).isFile()) throw new Error(`${file} is no file`)
  return new Uint8Array(readFileSync(file).subarray(0, SMALL))
}
