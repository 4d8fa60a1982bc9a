import { z } from 'zod'
import { Sha256 } from '#server/domain/ids.ts'
import { BackupHeader } from './backup-header.ts'

/*
 * What a backup holds: one JSON object a line. The first is the header, the last says how many there are, so that a
 * manifest that was cut is found. One stays on the server, where a later backup compares with it.
 */

export type ManifestLine =
  | { kind: 'header'; header: BackupHeader }
  | HeldEntry
  /** A row of the database names the file, and it is not there. */
  | { kind: 'missing'; name: string }
  /** @property entries all lines of kind `held` before this one */
  | { kind: 'end'; entries: number }

/** An entry of this backup, or of one that it stands on. */
export type HeldEntry = {
  kind: 'held'
  name: string
  bytes: number
  sha256: Sha256
  /** `before` if an earlier backup has it. */
  in: 'this' | 'before'
}

const Line: z.ZodType<ManifestLine> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('header'), header: BackupHeader }),
  z.strictObject({
    kind: z.literal('held'),
    name: z.string().max(1000),
    bytes: z.int().nonnegative(),
    sha256: Sha256,
    in: z.enum(['this', 'before']),
  }),
  z.strictObject({ kind: z.literal('missing'), name: z.string().max(1000) }),
  z.strictObject({ kind: z.literal('end'), entries: z.int().nonnegative() }),
])

/** In bytes; a longer line is none. */
export const LONGEST_LINE = 4096

export const writeManifestLine = (line: ManifestLine): string => JSON.stringify(line)

/** @returns undefined if this is no line of a manifest */
export function readManifestLine(text: string): ManifestLine | undefined {
  try {
    return Line.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
