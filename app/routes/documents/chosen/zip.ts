import { actorContext, systemContext } from '#app/http/context.ts'
import { mustHaveChosen } from '#app/http/documents/chosen-documents.ts'
import { archiveAnswer, orErrorText } from '#app/http/file-answer.ts'
import { zipDocuments } from '#server/features/documents/zip-documents.ts'
import type { Route } from './+types/zip'

/** Downloads the current files of the documents that were chosen in the list. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const documentIds = mustHaveChosen(url.searchParams)
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const work = zipDocuments(system, actor, { documentIds }, request.signal)
  const archive = await orErrorText(work)
  return archiveAnswer(request, `documentos ${archive.day}.zip`, archive)
}
