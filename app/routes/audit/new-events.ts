import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { listNewEvents } from '#server/features/audit/list-new-events.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/new-events'
import { type EventRow, eventRows } from './event-rows.ts'
import { LogQuery } from './log-query.ts'

/** What the open page asks for again and again. */
export type NewEvents = {
  rows: EventRow[]
  /** The `after` of the next call. */
  end: number
  /** Whether there are more new events than these. */
  hasMore: boolean
}

const After = z.coerce.number().int().nonnegative()

/** The events that the log got since the page was read, for the filters of the page. */
export async function loader({ url, context }: Route.LoaderArgs) {
  return Response.json(await orErrorText(read()), { headers: { 'Cache-Control': 'no-store' } })

  async function read(): Promise<NewEvents> {
    const [system, actor] = [context.get(systemContext), context.get(actorContext)]
    const { after, ...query } = Object.fromEntries(url.searchParams)
    const asked = After.safeParse(after)
    if (!asked.success) throw new Problem('bad-request', 'no position of the log')
    const { before: _, subject, ...filter } = LogQuery.parse(query)
    const input = { ...filter, subjectId: subject, after: asked.data }
    const { events, end, hasMore } = await listNewEvents(system, actor, input)
    if (events.length === 0) return { rows: [], end, hasMore }
    const { timeZone } = await readOffice(system, actor)
    return { rows: eventRows(events, mustBeSignedIn(actor), timeZone), end, hasMore }
  }
}
