import { z } from 'zod'
import { Role } from '#server/domain/identity/role.ts'
import { SessionId, SignInId } from '#server/domain/ids.ts'

/** RFC 3339, in UTC. */
export const timestamp = z.iso.datetime()

export const mfaMethod = z
  .enum([
    'MFA_METHOD_UNSPECIFIED',
    'MFA_METHOD_TOTP',
    'MFA_METHOD_BACKUP_CODE',
    'MFA_METHOD_WEBAUTHN',
  ])
  .meta({ id: 'mfaMethod' })

/** Public id of a sign-in that waits for a second factor: useless without the browser's cookie. */
export const mfaSessionToken = SignInId.meta({ description: 'Useless without the cookie.' })

/** Of the signed-in person. */
export const currentUser = z
  .strictObject({ firstName: z.string(), lastName: z.string(), roles: z.array(Role) })
  .meta({ id: 'currentUser' })

export const session = z
  .strictObject({
    id: SessionId.meta({ description: 'A public id that grants no access.' }),
    device: z.string(),
    ip: z.string(),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    expiresAt: timestamp.meta({ description: 'Absolute expiry; an idle session ends earlier.' }),
    provenAt: timestamp.meta({ description: 'When the user’s identity was last confirmed.' }),
    mfaMethod: mfaMethod.nullable().meta({
      description: 'The second factor used; null if the password was enough.',
    }),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'session' })

export const noFields = z.strictObject({})
