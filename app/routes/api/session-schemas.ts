import { z } from 'zod'
import { SessionId } from '#server/domain/ids.ts'
import { currentUser, noFields, session, timestamp } from './shared-schemas.ts'

export const logoutRequest = noFields.meta({ id: 'logoutRequest' })
export const refreshTokenRequest = z.strictObject({}).meta({ id: 'refreshTokenRequest' })
export const terminateAllSessionsRequest = z
  .strictObject({})
  .meta({ id: 'terminateAllSessionsRequest' })

export const healthResponse = z
  .strictObject({ status: z.literal('ok'), time: timestamp })
  .meta({ id: 'healthResponse' })

export const refreshTokenResponse = z
  .strictObject({ user: currentUser, session })
  .meta({ id: 'refreshTokenResponse' })

export const validateSessionResponse = z
  .strictObject({ valid: z.boolean(), user: currentUser.nullable() })
  .meta({ id: 'validateSessionResponse' })

/** Query values are text. */
const count = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most))

export const getSessionQuery = z.strictObject({
  sessionId: SessionId.optional().meta({ description: 'Defaults to the current session.' }),
})

export const listSessionsQuery = z.strictObject({
  limit: count(1, 100).default(20),
  offset: count(0, 100_000).default(0),
})

export const listSessionsResponse = z
  .strictObject({
    sessions: z.array(session).meta({ description: 'Live sessions, newest first.' }),
    total: z.int().nonnegative(),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({ id: 'listSessionsResponse' })

export const sessionPath = z.strictObject({ sessionId: SessionId })

export const terminateAllSessionsResponse = z
  .strictObject({
    terminated: z
      .int()
      .nonnegative()
      .meta({ description: 'Number of ended sessions; never the current one.' }),
  })
  .meta({ id: 'terminateAllSessionsResponse' })
