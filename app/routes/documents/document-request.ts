import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'

/**
 * Returns system, actor and document id for the pages of one document.
 *
 * @throws {Problem} `not-found` if the id is malformed
 */
export async function documentRequest(
  { id }: { id: string },
  context: Readonly<RouterContextProvider>,
) {
  const parsed = DocumentId.safeParse(id)
  if (!parsed.success) throw new Problem('not-found', 'no id of a document')
  return {
    system: context.get(systemContext),
    actor: context.get(actorContext),
    documentId: parsed.data,
  }
}
