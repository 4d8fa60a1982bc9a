import { actorContext, systemContext } from '#app/http/context.ts'
import { fileAnswer, orErrorText } from '#app/http/file-answer.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Problem } from '#server/domain/problem.ts'
import { OpenConstancia, openConstancia } from '#server/features/constancias/read-constancia.ts'
import type { Route } from './+types/constancia-file'

/** Downloads a constancia as its provider sent it. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const version = /^(\d{1,6})\.asn1$/.exec(params.file)?.[1]
  const { folio, bytes } = await orErrorText(open())
  return fileAnswer(request, {
    name: `constancia ${folio} versión ${version}.asn1`,
    type: 'application/octet-stream',
    size: bytes.length,
    sha256: sha256(bytes),
    stream: (start, end) => new Blob([bytes.slice(start, end)]).stream(),
  })

  async function open() {
    const input = OpenConstancia.safeParse({ documentId: params.id, version })
    if (!input.success) throw new Problem('not-found', 'no constancia of a document')
    return openConstancia(context.get(systemContext), context.get(actorContext), input.data)
  }
}
