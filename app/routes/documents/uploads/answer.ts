import { refusalOf } from '#app/http/problems.ts'
import { UploadId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'

/** Responds to a call of the upload page: JSON with a `kind`, which the answer of a proxy has not. */
export async function uploadAnswer(work: Promise<Response>): Promise<Response> {
  const answer = await refusalOf(work)
  if (answer.ok) return answer.value
  const { init, sentence, code } = answer
  return Response.json({ kind: 'refused', sentence, code }, init)
}

/** @throws {Problem} `not-found` */
export function uploadIdIn({ id }: { id: string }): UploadId {
  const parsed = UploadId.safeParse(id)
  if (!parsed.success) throw new Problem('not-found', 'no id of an upload')
  return parsed.data
}

/** The response to a GET of a call's address. */
export const notAPage = () =>
  new Response('Esta dirección no es una página. Suba los documentos en “Subir documento”.', {
    status: 405,
    headers: { Allow: 'POST', 'Content-Type': 'text/plain; charset=utf-8' },
  })
