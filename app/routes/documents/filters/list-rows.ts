import { documentRow } from '#app/http/documents/document-row.ts'
import type { DocumentRow, FactColumn } from '#app/ui/document/document-table.tsx'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentColumn } from '#server/domain/documents/document-list.ts'
import { type Instrument, volumeNameOf } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { formatDay } from '#server/domain/time.ts'

/** Further names are counted. */
const MOST_NAMES = 2

type Known = {
  office: Pick<Office, 'timeZone' | 'entity'>
  /** The names of users by id. */
  users: ReadonlyMap<string, string>
  /** The names of the signers whose turn it is. */
  awaited: ReadonlyMap<DocumentId, readonly string[]>
}

/** A document with what the columns of the list show. */
export function listRow(
  document: Document,
  columns: readonly DocumentColumn[],
  { office, users, awaited }: Known,
): DocumentRow {
  const { id, instrument, stateSince, createdBy } = document
  const facts: Record<FactColumn, () => string> = {
    instrument: () => (instrument ? placeText(instrument, office) : ''),
    parties: () => namesText((instrument?.parties ?? []).map(({ name }) => name)),
    awaited: () => namesText(awaited.get(id) ?? []),
    author: () => users.get(createdBy) ?? '',
    changed: () => formatDay(stateSince, office.timeZone),
  }
  const shown = columns.filter((column): column is FactColumn => column in facts)
  const row = documentRow(document, office.timeZone)
  if (shown.length === 0) return row
  return { ...row, facts: Object.fromEntries(shown.map((column) => [column, facts[column]()])) }
}

const placeText = ({ number, volume }: Instrument, { entity }: Known['office']): string =>
  volume ? `${number} · ${volumeNameOf(volumeWordOf(entity))} ${volume}` : number

/** `Ana Ruiz, Luis Paz y 2 más` */
function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES)
  const others = names.length - shown.length
  return others > 0 ? `${shown.join(', ')} y ${others} más` : shown.join(' y ')
}
