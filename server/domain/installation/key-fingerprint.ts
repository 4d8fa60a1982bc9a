import { hkdfSync } from 'node:crypto'

/** Says whether two keys are the same, and tells nothing else about a key of 32 random bytes. */
export const fingerprintOf = (key: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), 'rubrica key fingerprint v1', 16))
