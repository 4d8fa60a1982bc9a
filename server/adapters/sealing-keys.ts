import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { Instant } from '#server/domain/time.ts'
import { dropKey, makeKey, readKey } from './key-files.ts'

/** The keys with which secrets in rows are sealed; each has a version, which is stored beside the secret. */
export type SealingKeys = {
  /** The version with which to seal now; another process may have made a newer one since. */
  newest(): number
  /** Undefined when it is gone. */
  find(version: number): Uint8Array | undefined
}

/** Keys of which the folder can be asked, and that can be replaced. */
export type SealingKeyFiles = SealingKeys & {
  /** Oldest first. */
  versions(): number[]
  /** Since when it is there. */
  madeAt(version: number): Instant
  /** Makes a key newer than all; every process seals with it from now on. Durable once it returns. */
  add(): number
  /** Takes an old key away for good: what is still sealed with it is lost. */
  drop(version: number): void
}

/**
 * The files `sealing-1.key`, `sealing-2.key` … of `folder`; the first is made when there is none. The folder
 * is asked each time, because the command that makes a new key runs beside the server.
 */
export function openSealingKeys(folder: string): SealingKeyFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fileOf = (version: number) => path.join(folder, sealingKeyName(version))
  const known = new Map<number, Uint8Array>()
  const keys: SealingKeyFiles = {
    versions: () => versionsIn(folder),
    newest() {
      const newest = versionsIn(folder).at(-1)
      if (newest === undefined) throw new Error(`there is no sealing key in ${folder}`)
      return newest
    },
    find(version) {
      const key = known.get(version) ?? readKey(fileOf(version))
      if (key) known.set(version, key)
      return key
    },
    madeAt: (version) => Instant.parse(Math.floor(statSync(fileOf(version)).mtimeMs)),
    add() {
      const version = (versionsIn(folder).at(-1) ?? 0) + 1
      makeKey(fileOf(version))
      return version
    },
    drop(version) {
      if (version >= keys.newest()) throw new Error(`key ${version} is in use`)
      known.delete(version)
      dropKey(fileOf(version))
    },
  }
  if (keys.versions().length === 0) keys.add()
  return keys
}

export const sealingKeyName = (version: number): string => `sealing-${version}.key`

/** Makes none. */
export const hasSealingKey = (folder: string): boolean =>
  existsSync(folder) && versionsIn(folder).length > 0

function versionsIn(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => Number(/^sealing-([1-9]\d{0,8})\.key$/.exec(name)?.[1]))
    .filter((version) => !Number.isNaN(version))
    .toSorted((a, b) => a - b)
}
