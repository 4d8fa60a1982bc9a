import { actorContext, systemContext } from '#app/http/context.ts'
import { attachment, orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import { ReadEvidence, readEvidence } from '#server/features/evidence/read-evidence.ts'
import type { Route } from './+types/evidence'

/** Downloads the evidence sheet of a signed document in its current state. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const system = context.get(systemContext)
  const { document, facts } = await orErrorText(read())
  const sheet = await orErrorText(system.pdf.evidenceSheet(facts))
  return new Response(Buffer.from(sheet), {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment(`hoja de evidencia ${document.folio}.pdf`),
      'Content-Type': 'application/pdf',
      'X-Robots-Tag': 'noindex',
    },
  })

  async function read() {
    const input = ReadEvidence.safeParse({ documentId: params.id })
    if (!input.success) throw new Problem('not-found', 'no id of a document')
    return readEvidence(system, context.get(actorContext), input.data, request.signal)
  }
}
