import { actorContext, systemContext } from '#app/http/context.ts'
import { fileAnswer, orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  OpenSignedRevision,
  openSignedRevision,
} from '#server/features/documents/open-signed-revision.ts'
import { streamVersion } from '#server/features/documents/stream-version.ts'
import type { Route } from './+types/signed-revision'

/** Downloads the document as it was when one of its signatures was made. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const system = context.get(systemContext)
  const signature = /^(\d{1,4})\.pdf$/.exec(params.file)?.[1]
  const opened = await orErrorText(open())
  const { version, end } = opened
  const stem = version.fileName.replace(/\.pdf$/i, '')
  const answer = fileAnswer(request, {
    name: `${stem} firma ${signature}.pdf`,
    type: 'application/pdf',
    size: end,
    sha256: `${version.sha256}-${end}`,
    stream: (from, to) => streamVersion(system, opened, from, to),
  })
  return orErrorText(answer)

  async function open() {
    const input = OpenSignedRevision.safeParse({ documentId: params.id, signature })
    if (!input.success) throw new Problem('not-found', 'no signature of a document')
    return openSignedRevision(system, context.get(actorContext), input.data)
  }
}
