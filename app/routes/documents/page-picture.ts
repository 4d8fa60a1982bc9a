import { actorContext, systemContext } from '#app/http/context.ts'
import { answeringFile } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import { DrawPage, drawPage } from '#server/features/documents/draw-page.ts'
import type { Route } from './+types/page-picture'

/** One page as a picture. A version never changes: the browser may keep it, and nobody else. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const picture = await answeringFile(draw())
  return new Response(Buffer.from(picture), {
    headers: {
      'Content-Type': 'image/png',
      'Cache-Control': 'private, max-age=3600, immutable',
      'X-Robots-Tag': 'noindex',
    },
  })

  async function draw() {
    const page = /^(\d{1,6})\.png$/.exec(params.file)?.[1]
    const version = url.searchParams.get('version')
    const wanted = DrawPage.safeParse({ documentId: params.id, version, page })
    if (!wanted.success) throw new Problem('not-found', 'no page of a version')
    return drawPage(context.get(systemContext), context.get(actorContext), wanted.data)
  }
}
