import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import { readFeed } from '#server/features/obligations/read-feed.ts'
import type { Route } from './+types/feed'
import { calendarFile } from './calendar-file.ts'

const ENDING = '.ics'

/** The calendar at a user's secret address, for calendar programs. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { file } = params
  const secret = file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : ''
  const feed = await orErrorText(readFeed(system, actor, { secret }))
  return new Response(calendarFile(feed, { origin: system.settings.publicOrigin }), {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': 'attachment; filename="obligaciones.ics"',
      'Content-Type': 'text/calendar; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  })
}
