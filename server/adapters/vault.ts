import { randomBytes } from 'node:crypto'
import { SEAL_NONCE_BYTES, seal, unseal } from '#server/domain/crypto/seal.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Vault } from '#server/ports/vault.ts'
import type { SealingKeys } from './sealing-keys.ts'

/** Seals secrets of rows under the newest of these keys, and opens them with the key that they name. */
export function createVault(keys: SealingKeys): Vault {
  return {
    get keyVersion() {
      return keys.newest()
    },
    seal(plain, place) {
      const keyVersion = keys.newest()
      const key = keys.find(keyVersion)
      if (!key) throw new Error(`sealing key ${keyVersion} vanished`)
      return { keyVersion, bytes: seal(key, randomBytes(SEAL_NONCE_BYTES), plain, place) }
    },
    open({ keyVersion, bytes }, place) {
      const key = keys.find(keyVersion)
      if (!key) throw new Problem('secret-unreadable', `key ${keyVersion} of ${place} is gone`)
      const plain = unseal(key, bytes, place)
      if (!plain) throw new Problem('secret-unreadable', `${place} does not open`)
      return plain
    },
  }
}
