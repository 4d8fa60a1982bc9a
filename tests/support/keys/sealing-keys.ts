import type { SealingKeys } from '#server/adapters/sealing-keys.ts'

/** Sealing keys in memory, the same ones in every test. */
export type TestSealingKeys = SealingKeys & {
  /** Makes a newer one. */
  add(): void
  /** Loses one. */
  lose(version: number): void
}

export function testSealingKeys(): TestSealingKeys {
  const keys = new Map([[1, keyOf(1)]])
  return {
    newest: () => Math.max(...keys.keys()),
    find: (version) => keys.get(version),
    add() {
      const version = Math.max(...keys.keys()) + 1
      keys.set(version, keyOf(version))
    },
    lose: (version) => void keys.delete(version),
  }
}

const keyOf = (version: number) => new Uint8Array(32).fill(100 + version)
