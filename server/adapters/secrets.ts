import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { readOrMakeKey } from './key-files.ts'

export type Secrets = { csrfKey: KeyObject; tokenKey: Uint8Array }

/**
 * The keys of this office, all derived from one master key that is made once and is in no database and
 * in no backup of it. What must be readable for years is sealed under keys of its own (sealing-keys.ts),
 * because those can be replaced.
 *
 * @param folder kept to its owner (0700); the key file has mode 0600
 * @throws {Error} if the key file is not a whole master key: to make another would lose what this one keeps
 */
export function openSecrets(folder: string): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const master = readOrMakeKey(path.join(folder, 'master.key'))
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', master, new Uint8Array(), `rubrica ${purpose} v1`, 32))
  return { csrfKey: createSecretKey(derive('csrf')), tokenKey: derive('session tokens') }
}
