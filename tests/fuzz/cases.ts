import { attestationReader } from './attestation-reader.ts'
import { derReaders } from './der-readers.ts'
import { mutated } from './mutations.ts'
import { pdfReader } from './pdf-reader.ts'
import { randomFrom } from './random.ts'
import type { Origin, Reader } from './reader.ts'

export const allReaders = async (): Promise<Reader[]> => [
  await pdfReader(),
  ...(await derReaders()),
  await attestationReader(),
]

/** One input, deterministic for readers, seed and number. */
export type Case = { reader: string; origin: Origin; bytes: Uint8Array }

export function caseOf(readers: readonly Reader[], seed: number, number: number): Case {
  const random = randomFrom(seed, number)
  const reader = random.pick(
    readers.flatMap((one) => Array.from({ length: one.weight }, () => one)),
  )
  const origin = random.pick(reader.origins)
  const bytes = mutated(origin.bytes, random, random.pick(reader.origins).bytes, reader.mutations)
  return { reader: reader.name, origin, bytes }
}

/** The fault of the answer; undefined if the reader behaved correctly. */
export function faultOfCase({ origin, bytes }: Case): string | undefined {
  try {
    return origin.faultOf(bytes)
  } catch (error) {
    return `crashed: ${error instanceof Error ? error.stack : error}`
  }
}
