import { PdfError } from '#server/domain/pdf/error.ts'
import { acceptInteger, acceptKeyword, type Cursor } from '#server/domain/pdf/lexer.ts'
import { MAX_ENTRIES, type WorkMeter } from '#server/domain/pdf/limits.ts'
import { isDictionary } from '#server/domain/pdf/object.ts'
import { readValue } from '#server/domain/pdf/parser.ts'
import { type CrossReferenceSection, type RowCollector, rowCollector } from './cross-reference.ts'

/**
 * The cross-reference table whose keyword `xref` begins at `offset`, without its /XRefStm.
 *
 * @param base what the offsets of this file count from
 * @throws {PdfError} `damaged` when it is none
 * @see ISO 32000-2:2020, 7.5.4
 */
export function readTable(cursor: Cursor, base: number, meter: WorkMeter): CrossReferenceSection {
  const offset = cursor.position
  if (!acceptKeyword(cursor, 'xref')) throw new PdfError('damaged', `no table at byte ${offset}`)
  const rows = rowCollector()
  while (!acceptKeyword(cursor, 'trailer')) readSubsection(cursor, base, rows)
  const trailer = readValue(cursor, 'file')
  meter.spend(cursor.position - offset)
  if (!isDictionary(trailer)) throw new PdfError('damaged', 'a table without a trailer')
  return {
    kind: 'table',
    offset,
    end: cursor.position,
    entries: rows.entries,
    firstEntries: rows.firstEntries,
    trailer,
    isContradictory: false,
  }
}

function readSubsection(cursor: Cursor, base: number, rows: RowCollector): void {
  let first = acceptInteger(cursor)
  const count = acceptInteger(cursor)
  if (first === undefined || count === undefined)
    throw new PdfError('damaged', `a broken table at byte ${cursor.position}`)
  for (let index = 0; index < count; index++) {
    const start = cursor.position
    const offset = acceptInteger(cursor)
    const generation = acceptInteger(cursor)
    // A count that lies: the trailer comes earlier.
    if (offset === undefined || generation === undefined) return
    const isUsed = acceptKeyword(cursor, 'n')
    if (!isUsed && !acceptKeyword(cursor, 'f')) {
      cursor.position = start
      return
    }
    // Some producers count from 1 although they list the head of the free list.
    if (index === 0 && first === 1 && !isUsed && generation === 65535) first = 0
    if (rows.entries.size > MAX_ENTRIES) throw new PdfError('too-complex', 'too many objects')
    rows.add(
      first + index,
      isUsed && offset > 0
        ? { kind: 'offset', offset: offset + base, generation }
        : { kind: 'free', generation },
    )
  }
}
