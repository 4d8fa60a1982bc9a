import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type GuestDocumentDetail,
  ReadGuestDocument,
  readGuestDocument,
} from '#server/features/guests/read-guest-document.ts'

/** Returns the guest's view of the document in the path. @throws {Problem} see `readGuestDocument` */
export async function loadGuestDocument(
  id: string,
  context: Readonly<RouterContextProvider>,
): Promise<GuestDocumentDetail> {
  const input = ReadGuestDocument.safeParse({ documentId: id })
  if (!input.success) throw new Problem('not-found', 'no id of a document')
  return await readGuestDocument(context.get(systemContext), context.get(actorContext), input.data)
}
