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
  /** `over`: used, out of time or out of attempts; the password comes first again. */
  state: 'pending' | 'over'
  /** As it was typed with the right password, by whoever holds the token. */
  email: Email
  officeId: OfficeId
  /** Of the office: a wrong code may come from a wrong clock. */
  timeZone: string
  /** What can be shown, the strongest first. */
  methods: SecondFactor[]
  attempts: number
  expiresAt: Instant
}

/**
 * The sign-in that waits for a second factor, as its pages show it; undefined for any other token. Nothing is
 * consumed.
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
