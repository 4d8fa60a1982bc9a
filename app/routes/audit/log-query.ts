import { z } from 'zod'
import { ListRecentEvents } from '#server/features/audit/list-recent-events.ts'

const { before, subjectId, about, by, text, from, to } = ListRecentEvents.shape

/** The query parameters; invalid ones are ignored. */
export const LogQuery = z.object({
  before: before.catch(undefined),
  subject: subjectId.catch(undefined),
  about: about.catch(undefined),
  by: by.catch(undefined),
  text: text.transform((asked) => asked || undefined).catch(undefined),
  from: from.catch(undefined),
  to: to.catch(undefined),
})
