import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'

/** With what the pages and forms about one document begin. @throws {Problem} `not-found` for what is no id */
export async function askedAbout({ id }: { id: string }, context: Readonly<RouterContextProvider>) {
  const parsed = DocumentId.safeParse(id)
  if (!parsed.success) throw new Problem('not-found', 'no id of a document')
  return {
    system: context.get(systemContext),
    actor: context.get(actorContext),
    documentId: parsed.data,
  }
}
