import { actorContext, systemContext } from '#app/http/context.ts'
import { attachment, orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  ReadPresenceEvidence,
  readExportedPresence,
} from '#server/features/documents/read-exported-presence.ts'
import type { Route } from './+types/exported-presence'

/** Downloads the proofs of presence of a document; `rubrica verify-intent` checks the file. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { file, folio } = await orErrorText(read())
  return new Response(`${JSON.stringify(file, null, 2)}\n`, {
    headers: {
      'Cache-Control': 'private, no-store',
      'Content-Disposition': attachment(`${folio} presencia.json`),
      'Content-Type': 'application/json; charset=utf-8',
      'X-Robots-Tag': 'noindex',
    },
  })

  async function read() {
    const input = ReadPresenceEvidence.safeParse({ documentId: params.id })
    if (!input.success) throw new Problem('not-found', 'no id of a document')
    return readExportedPresence(context.get(systemContext), context.get(actorContext), input.data)
  }
}
