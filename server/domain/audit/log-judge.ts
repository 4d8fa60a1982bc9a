import { type Checkpoint, openCheckpoint, readUnproven } from './checkpoint.ts'
import { placeOf } from './event.ts'
import { leafHash } from './leaf-hash.ts'
import { type ExportedLine, type LogVerdict, readExportedLine } from './log-export.ts'
import type { LogFault } from './log-fault.ts'
import { type CompactTree, EMPTY_TREE, grow, rootOf } from './merkle-tree.ts'
import type { VerifierKey } from './signed-note.ts'

export type LogJudge = {
  /** Reads the next line, without its line end. */
  read(line: Uint8Array): void
  /** Judges the next line; undefined for one that belongs to no export. */
  take(line: ExportedLine | undefined): void
  /** The verdict after the last line. */
  verdict(): LogVerdict
}

type Known = {
  /** The trusted keys; if empty, the key that the export names, which proves less. */
  keys: readonly VerifierKey[]
  /** Checkpoints known from elsewhere. */
  checkpoints?: readonly Checkpoint[]
}

/** Checks an exported log line by line, with a few hashes in memory. */
export function logJudge({ keys: given, checkpoints = [] }: Known): LogJudge {
  const known = checkpoints.toSorted((a, b) => a.size - b.size)
  let keys = given
  let lines = 0
  let tree: CompactTree = EMPTY_TREE
  let proven: Checkpoint | undefined
  let fault: LogFault | undefined

  function examine(line: ExportedLine): LogFault | undefined {
    switch (line.kind) {
      case 'head':
        if (lines > 1) return { kind: 'unreadable', line: lines }
        if (given.length === 0) keys = [line.key]
        return undefined
      case 'event':
        return examineEvent(line)
      case 'checkpoint':
        return examineNote(line.note)
    }
  }

  function examineEvent(line: ExportedLine & { kind: 'event' }): LogFault | undefined {
    const seq = tree.size
    const place = placeOf(line.canonical)
    if (place !== undefined && place > seq) return { kind: 'missing', seq }
    if (place !== undefined && place < seq) return { kind: 'added', seq }
    const leaf = leafHash(line.canonical)
    if (place === undefined || leaf !== line.leaf) return { kind: 'changed', seq }
    tree = grow(tree, leaf)
    while (known[0]?.size === tree.size) {
      const wrong = examineCheckpoint(known.shift()!)
      if (wrong) return wrong
    }
    return undefined
  }

  function examineNote(note: string): LogFault | undefined {
    const checkpoint = openCheckpoint(note, keys)
    if (!checkpoint) return { kind: 'forged', size: readUnproven(note)?.size ?? tree.size }
    if (checkpoint.size < tree.size) return { kind: 'unreadable', line: lines }
    return examineCheckpoint(checkpoint)
  }

  function examineCheckpoint(checkpoint: Checkpoint): LogFault | undefined {
    const { size, root } = checkpoint
    if (size > tree.size) return { kind: 'cut', events: tree.size, size }
    if (root !== rootOf(tree))
      return proven?.size === size
        ? { kind: 'forked', size }
        : { kind: 'rewritten', from: proven?.size ?? 0, to: size }
    proven = checkpoint
    return undefined
  }

  function take(line: ExportedLine | undefined): void {
    lines += 1
    if (fault) fault = refineFault(line, fault)
    else if (!line || (lines === 1 && line.kind !== 'head'))
      fault = { kind: 'unreadable', line: lines }
    else fault = examine(line)
  }

  return {
    read: (line) => take(readExportedLine(line)),
    take,
    verdict() {
      const beyond = known.at(-1)
      const none: LogFault | undefined = lines === 0 ? { kind: 'unreadable', line: 1 } : undefined
      const end = fault ?? none ?? (beyond && examineCheckpoint(beyond)) ?? null
      const key = !proven ? 'none' : given.length > 0 ? 'given' : 'own'
      const unproven = tree.size - (proven?.size ?? 0)
      return {
        verdict: end ? 'BROKEN' : key === 'given' && unproven === 0 ? 'INTACT' : 'UNPROVEN',
        events: tree.size,
        proven: proven ? { size: proven.size, root: proven.root } : null,
        unproven,
        key,
        fault: end,
      }
    },
  }
}

/** Later lines show whether an event is missing or moved. */
function refineFault(line: ExportedLine | undefined, fault: LogFault): LogFault {
  if (line?.kind !== 'event') return fault
  if (fault.kind === 'cut') return refineFault(line, { kind: 'missing', seq: fault.events })
  const isElsewhere = fault.kind === 'missing' && placeOf(line.canonical) === fault.seq
  return isElsewhere ? { kind: 'moved', seq: fault.seq } : fault
}
