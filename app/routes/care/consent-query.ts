import { z } from 'zod'
import { ListConsents } from '#server/features/care/list-consents.ts'

const { kind, notice, rfc, from, to, behind } = ListConsents.shape

/** The query parameters; invalid ones are ignored. No address says that a part of it is an RFC. */
export const ConsentQuery = z
  .object({
    kind: kind.catch(undefined),
    notice: notice.catch(undefined),
    text: rfc.catch(undefined),
    from: from.catch(undefined),
    to: to.catch(undefined),
    behind: behind.catch(undefined),
  })
  .transform(({ text, ...rest }) => ({ ...rest, rfc: text }))
