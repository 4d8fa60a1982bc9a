import { findDocuments } from '#server/db/documents/documents.ts'
import type { NumberText } from '#server/db/documents/numbers/number-texts.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { NumberEntry } from '#server/domain/documents/numbers/number-entry.ts'
import { fullName } from '#server/domain/identity/person-name.ts'

type NamedDocument = Pick<Document, 'id' | 'folio' | 'title' | 'state'>

/** A line of the register, or a text in place of a number, with the names of what it is about. */
export type NumberLine =
  | { kind: 'entry'; entry: NumberEntry; document: NamedDocument | null; by: string | null }
  | { kind: 'text'; text: NumberText; document: NamedDocument | null }

/** Names documents and people of these lines: two queries, however many there are. */
export async function namedLines(
  db: Reader,
  lines: readonly (NumberEntry | NumberText)[],
): Promise<NumberLine[]> {
  const documents = await findDocuments(
    db,
    lines.flatMap((line) => documentOf(line) ?? []),
  )
  const users = await findUsers(
    db,
    lines.flatMap((line) => ('by' in line && line.by ? [line.by] : [])),
  )
  return lines.map((line) => {
    const id = documentOf(line)
    const document = (id && documents.get(id)) ?? null
    if (!('by' in line)) return { kind: 'text', text: line, document }
    const user = line.by && users.get(line.by)
    return { kind: 'entry', entry: line, document, by: user ? fullName(user) : null }
  })
}

const documentOf = (line: NumberEntry | NumberText) =>
  'leftBy' in line ? (line.documentId ?? line.leftBy) : line.documentId
