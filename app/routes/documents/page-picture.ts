import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import { DrawPage, drawPage } from '#server/features/documents/draw-page.ts'
import type { Route } from './+types/page-picture'

/**
 * Returns one page as a picture. Browsers may cache it but must revalidate: the next user of the device may
 * not be allowed to see it.
 */
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
    const asked = Object.fromEntries(url.searchParams)
    const { version, width, region, giro: rotate } = asked
    const input = DrawPage.safeParse({
      ...{ documentId: params.id, version, page },
      ...{ width, region, rotate },
    })
    if (!input.success) throw new Problem('not-found', 'no page of a version')
    const held = namesIn(request.headers.get('If-None-Match'))
    return drawPage(context.get(systemContext), context.get(actorContext), {
      ...{ ...input.data, held },
      signal: request.signal,
    })
  }
}

/** Returns the entity tags of the header, weak ones included. @see RFC 9110, 13.1.2 */
const namesIn = (header: string | null) =>
  [...(header ?? '').matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
