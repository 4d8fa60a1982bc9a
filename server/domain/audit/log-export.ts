import { z } from 'zod'
import { concatBytes } from '#server/domain/bytes.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { LogFault } from './log-fault.ts'
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from './signed-note.ts'

/*
 * The whole log as a file: one JSON object per line. The first line names the log; events follow in order, each
 * checkpoint after the last event that it covers. An event's line contains its canonical bytes unchanged.
 */

/** `{"log":"rubrica/bitacora/…","version":1,"key":"…"}` */
export const headLine = (verifier: VerifierKey) =>
  utf8(JSON.stringify({ log: verifier.name, version: 1, key: formatVerifierKey(verifier) }))

/** `{"leaf":"…","event":…}`: the stored leaf hash reveals an event that was changed alone. */
export const eventLine = ({ canonical, leafHash }: { canonical: Uint8Array; leafHash: string }) =>
  concatBytes(utf8(`{"leaf":${JSON.stringify(leafHash)},"event":`), canonical, utf8('}'))

/** `{"checkpoint":"…"}` */
export const checkpointLine = (note: string) => utf8(JSON.stringify({ checkpoint: note }))

export type ExportedLine =
  | { kind: 'head'; key: VerifierKey }
  /** `leaf` is the stored value, not verified. */
  | { kind: 'event'; leaf: string; canonical: Uint8Array }
  | { kind: 'checkpoint'; note: string }

/** The line, without its line end. */
export function bytesOfLine(line: ExportedLine): Uint8Array {
  switch (line.kind) {
    case 'head':
      return headLine(line.key)
    case 'event':
      return eventLine({ canonical: line.canonical, leafHash: line.leaf })
    case 'checkpoint':
      return checkpointLine(line.note)
  }
}

const BEFORE_EVENT = /^\{"leaf":"([^"\\]*(?:\\.[^"\\]*)*)","event":/

const Head = z.object({ log: z.string(), version: z.literal(1), key: z.string() })
const Signed = z.object({ checkpoint: z.string() })

/** Parses a line; undefined if it does not belong to an export. */
export function readExportedLine(line: Uint8Array): ExportedLine | undefined {
  const text = latin1(line)
  const [before, leaf] = BEFORE_EVENT.exec(text) ?? []
  if (before !== undefined && leaf !== undefined)
    return text.endsWith('}')
      ? { kind: 'event', leaf, canonical: line.subarray(before.length, -1) }
      : undefined
  const value = parsed(line)
  const note = Signed.safeParse(value).data?.checkpoint
  if (note !== undefined) return { kind: 'checkpoint', note }
  const head = Head.safeParse(value).data
  const key = head && parseVerifierKey(head.key)
  return key?.name === head?.log && key ? { kind: 'head', key } : undefined
}

function parsed(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
  } catch {
    return undefined
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** The result of checking a log. */
export type LogVerdict = {
  /** `UNPROVEN`: the log is consistent, but no trusted key signed it up to its end. */
  verdict: 'INTACT' | 'UNPROVEN' | 'BROKEN'
  /** Number of events read. */
  events: number
  /** The last checkpoint that the events confirm. */
  proven: { size: number; root: Sha256 } | null
  /** Number of events after that, which the sender of the file may have invented. */
  unproven: number
  /** The key that signed: the given one, the one in the file itself, or none. */
  key: 'given' | 'own' | 'none'
  fault: LogFault | null
}
