import { actorContext, systemContext } from '#app/http/context.ts'
import { fileAnswer, orErrorText } from '#app/http/file-answer.ts'
import { CapacityDocumentId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { openCapacityDocument } from '#server/features/users/capacity-documents.ts'
import type { Route } from './+types/document'

/** Downloads a document that supports a capacity. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const system = context.get(systemContext)
  const { officeId, sha256, bytes, fileName } = await orErrorText(open())
  return await fileAnswer(request, {
    ...{ name: fileName, type: 'application/pdf', size: bytes, sha256 },
    stream: (start, end) => system.blobs.stream({ officeId, sha256 }, start, end),
  })

  async function open() {
    const [userId, documentId] = [
      UserId.safeParse(params.id),
      CapacityDocumentId.safeParse(params.documentId),
    ]
    if (!userId.success || !documentId.success) throw new Problem('not-found', 'no document')
    const wanted = { userId: userId.data, documentId: documentId.data }
    return await openCapacityDocument(system, context.get(actorContext), wanted)
  }
}
