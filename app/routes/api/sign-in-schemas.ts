import { z } from 'zod'
import { SignIn } from '#server/features/auth/sign-in.ts'
import { currentUser, mfaMethod, mfaSessionToken, session, timestamp } from './shared-schemas.ts'

export const loginRequest = z.strictObject(SignIn.shape).meta({ id: 'loginRequest' })

export const verifyMfaRequest = z
  .strictObject({
    mfaSessionToken: mfaSessionToken
      .optional()
      .meta({ description: 'Id of the sign-in; absent to confirm the identity within a session.' }),
    mfaMethod: mfaMethod.default('MFA_METHOD_UNSPECIFIED').meta({
      description: 'If absent: six digits are a TOTP code, anything else is a backup code.',
    }),
    code: z.string().min(1).max(64),
  })
  .meta({ id: 'verifyMfaRequest' })

/** The duty that blocks all other calls. */
const requiredAction = z
  .enum(['CHANGE_PASSWORD', 'SET_UP_MFA'])
  .nullable()
  .meta({ description: 'The duty that blocks all other calls; null without one.' })

export const loginResponse = z
  .strictObject({
    requiresMFA: z.boolean(),
    mfaSessionToken: mfaSessionToken.nullable(),
    mfaMethods: z.array(mfaMethod),
    mfaExpiresAt: timestamp.nullable(),
    user: currentUser.optional(),
    session: session.optional(),
    requiredAction,
  })
  .meta({ id: 'loginResponse' })
export type LoginResponse = z.input<typeof loginResponse>
