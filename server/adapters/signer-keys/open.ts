import { createHash } from 'node:crypto'
import { openPkcs12 } from '#server/domain/pkcs/pkcs12.ts'
import type { Digest } from '#server/domain/pkcs/pkcs12-derivation.ts'
import { openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import type { OpenedPkcs12, SignerKeys } from '#server/ports/signer-keys.ts'

export type OpeningTask = {
  kind: keyof SignerKeys
  file: Uint8Array
  /** UTF-8. */
  password: Uint8Array
}

/** Opens a file, and overwrites what it was given. */
export async function open({ kind, file, password }: OpeningTask) {
  const text = new TextDecoder().decode(password)
  password.fill(0)
  try {
    return kind === 'openPkcs12'
      ? await pairsIn(file, text)
      : await openPrivateKey(file, text, digestAtOnce)
  } finally {
    file.fill(0)
  }
}

/** A call of the platform for each round would take ten times as long; this thread has nothing else to do. */
const digestAtOnce: Digest = (hash, bytes) =>
  new Uint8Array(createHash(hash.replace('-', '')).update(bytes).digest())

async function pairsIn(file: Uint8Array, password: string): Promise<OpenedPkcs12> {
  const outcome = await openPkcs12(file, password, digestAtOnce)
  if (outcome.kind !== 'opened') return outcome
  const [first, ...others] = outcome.pairs.map(({ certificate, opened }) => ({
    certificate: new Uint8Array(certificate.der),
    opened,
  }))
  return first ? { kind: 'opened', pairs: [first, ...others] } : { kind: 'no-pair' }
}
