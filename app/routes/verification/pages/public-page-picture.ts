import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import { DrawPublicPage, drawPublicPage } from '#server/features/verification/read-public-pages.ts'
import type { Route } from './+types/public-page-picture'

/** Returns one page of a document as a picture, to compare with the paper. A browser asks each time whether it still may. */
export async function loader({ request, params, url, context }: Route.LoaderArgs) {
  const { name, picture } = await orErrorText(draw())
  const headers = {
    'Cache-Control': 'private, no-cache',
    ETag: `"${name}"`,
    'X-Robots-Tag': 'noindex',
  }
  if (!picture) return new Response(null, { status: 304, headers })
  return new Response(Buffer.from(picture), {
    headers: { ...headers, 'Content-Type': 'image/png' },
  })

  async function draw() {
    const page = /^(\d{1,6})\.png$/.exec(params.file)?.[1]
    const width = url.searchParams.get('width')
    const input = DrawPublicPage.safeParse({ id: params.uuid, page, width })
    if (!input.success) throw new Problem('not-found', 'no public pages')
    const etags = request.headers.get('If-None-Match') ?? ''
    const held = [...etags.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
    const asked = { ...input.data, held, signal: request.signal }
    return drawPublicPage(context.get(systemContext), context.get(actorContext), asked)
  }
}
