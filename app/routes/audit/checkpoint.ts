import { actorContext, systemContext } from '#app/http/context.ts'
import { attachment, orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import { readCheckpoint } from '#server/features/audit/read-checkpoint.ts'
import type { Route } from './+types/checkpoint'

/** Downloads the latest checkpoint as signed. */
export async function loader({ context }: Route.LoaderArgs) {
  const note = await orErrorText(read())
  return new Response(note, {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment('punto-de-control.txt'),
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Robots-Tag': 'noindex',
    },
  })

  async function read() {
    const { newest } = await readCheckpoint(context.get(systemContext), context.get(actorContext))
    if (!newest) throw new Problem('not-found', 'no checkpoint was signed yet')
    return newest.note
  }
}
