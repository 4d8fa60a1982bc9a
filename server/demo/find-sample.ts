import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { listDocuments } from '#server/features/documents/list/list-documents.ts'
import type { System } from '#server/system.ts'

/** What an earlier start brought in under this title, however much came after it. */
export async function findSample(
  system: System,
  clerk: Actor,
  title: string,
): Promise<Document | undefined> {
  const { documents } = await listDocuments(system, clerk, { text: title })
  return documents.find((document) => document.title === title)
}
