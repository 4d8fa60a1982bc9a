import { mustHaveChosen } from '#app/http/chosen-documents.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { attachment, orErrorText } from '#app/http/file-answer.ts'
import { zipDocuments } from '#server/features/documents/zip-documents.ts'
import type { Route } from './+types/zip'

/** Downloads the current files of the documents that were chosen in the list. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const documentIds = mustHaveChosen(url.searchParams)
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const work = zipDocuments(system, actor, { documentIds }, request.signal)
  const { bytes, stream } = await orErrorText(work)
  return new Response(request.method === 'HEAD' ? null : stream(), {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment('documentos.zip'),
      'Content-Length': String(bytes),
      'Content-Type': 'application/zip',
      'X-Robots-Tag': 'noindex',
    },
  })
}
