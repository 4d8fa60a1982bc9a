import { actorContext, systemContext } from '#app/http/context.ts'
import { fileAnswer, orErrorText } from '#app/http/file-answer.ts'
import { requireRecentProof } from '#app/http/step-up.ts'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { openPackage } from '#server/features/arco/request-package.ts'
import type { Route } from './+types/package-file'

/** Downloads what is held about the person of a request. */
export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  const system = context.get(systemContext)
  const { made, file } = await orErrorText(open())
  const { officeId } = made
  return await fileAnswer(request, {
    ...{ name: file.name, type: 'application/zip' },
    ...{ size: file.bytes, sha256: file.sha256 },
    stream: (start, end) => system.blobs.stream({ officeId, sha256: file.sha256 }, start, end),
  })

  async function open() {
    const id = ArcoRequestId.safeParse(params.id)
    if (!id.success) throw new Problem('not-found', 'no id of a request')
    return await openPackage(system, context.get(actorContext), { requestId: id.data })
  }
}
