import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import { findSignIn } from '#server/db/sign-ins/sign-ins.ts'
import { Token } from '#server/domain/crypto/token.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { isOpenSignIn } from '#server/domain/identity/pending-sign-in.ts'
import type { SecondFactor } from '#server/domain/identity/second-factor.ts'
import type { OfficeId, SignInId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

export type ShownSignIn = {
  id: SignInId
  /** `over`: used, expired or out of attempts; the user must enter the password again. */
  state: 'pending' | 'over'
  /** As typed with the correct password. */
  email: Email
  officeId: OfficeId
  /** The office's zone, shown because a wrong clock gives wrong codes. */
  timeZone: string
  /** The usable methods, strongest first. */
  methods: SecondFactor[]
  attempts: number
  expiresAt: Instant
}

/**
 * The pending sign-in of this token, for its pages; undefined for any other token. Consumes nothing.
 *
 * @param token as the browser sent it
 */
export async function readSignIn(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  token: string | undefined,
): Promise<ShownSignIn | undefined> {
  const known = Token.safeParse(token)
  const signIn = known.success ? await findSignIn(db, known.data) : undefined
  const user = signIn && (await findUser(db, signIn.userId))
  const office = user && (await findOffice(db, user.officeId))
  if (!signIn || !user || !office) return undefined
  const isOpen = isOpenSignIn(signIn, clock.now()) && user.state === 'active'
  const { id, officeId, attempts, expiresAt } = signIn
  const { methods } = await listHeldFactors(db, user.id)
  const state = isOpen ? ('pending' as const) : ('over' as const)
  const { email } = user
  const { timeZone } = office
  return { id, state, email, officeId, timeZone, methods, attempts, expiresAt }
}
