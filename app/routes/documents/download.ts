import { actorContext, systemContext } from '#app/http/context.ts'
import { fileAnswer, orErrorText } from '#app/http/file-answer.ts'
import { carriesOwnSignatures } from '#server/domain/documents/document-version.ts'
import { Problem } from '#server/domain/problem.ts'
import { OpenVersion, openVersion } from '#server/features/documents/open-version.ts'
import { streamVersion } from '#server/features/documents/stream-version.ts'
import type { Route } from './+types/download'

/** Downloads a version of a document: the original under its own name, a signed one marked as signed. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const system = context.get(systemContext)
  const opened = await orErrorText(open())
  const { version } = opened
  const stem = version.fileName.replace(/\.pdf$/i, '')
  const answer = fileAnswer(request, {
    name: carriesOwnSignatures(version) ? `${stem} firmado.pdf` : `${stem}.pdf`,
    type: 'application/pdf',
    size: version.bytes,
    sha256: version.sha256,
    stream: (start, end) => streamVersion(system, opened, start, end),
  })
  return orErrorText(answer)

  async function open() {
    const wanted = OpenVersion.safeParse({ documentId: params.id, version: params.version })
    if (!wanted.success) throw new Problem('not-found', 'no version of a document')
    return openVersion(system, context.get(actorContext), wanted.data)
  }
}
