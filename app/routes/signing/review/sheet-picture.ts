import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  DrawSessionSheet,
  drawSessionSheet,
} from '#server/features/signing-sessions/draw-session-sheet.ts'
import type { Route } from './+types/sheet-picture'

/** Returns the picture of a signature sheet that opening the session would add. It changes with the session. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const picture = await orErrorText(draw())
  return new Response(Buffer.from(picture), {
    headers: {
      'Cache-Control': 'private, no-store',
      'Content-Type': 'image/png',
      'X-Robots-Tag': 'noindex',
    },
  })

  async function draw() {
    const sheet = /^(\d{1,2})\.png$/.exec(params.file)?.[1]
    const { id: signingSessionId, documentId } = params
    const input = DrawSessionSheet.safeParse({ signingSessionId, documentId, sheet })
    if (!input.success) throw new Problem('not-found', 'no sheet of a document')
    return drawSessionSheet(context.get(systemContext), context.get(actorContext), input.data)
  }
}
