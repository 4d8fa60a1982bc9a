import type { Reader } from '#server/db/transaction.ts'
import type { SecondFactor } from '#server/domain/identity/second-factor.ts'
import type { UserId } from '#server/domain/ids.ts'

export type HeldFactors = {
  /** Whether a second factor is required. A suspect key counts, or marking it would weaken the account. */
  hasSecondFactor: boolean
  /** The methods that work now, strongest first. */
  methods: SecondFactor[]
}

/** The second factors of a user. */
export async function listHeldFactors(db: Reader, userId: UserId): Promise<HeldFactors> {
  const keys = await db
    .selectFrom('webauthn_credentials')
    .select('state')
    .where('user_id', '=', userId)
    .where('state', '!=', 'removed')
    .execute()
  const totp = await db
    .selectFrom('totp_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst()
  const code = await db
    .selectFrom('backup_codes')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'unused')
    .limit(1)
    .executeTakeFirst()

  const methods: SecondFactor[] = []
  if (keys.some(({ state }) => state === 'active')) methods.push('WEBAUTHN')
  if (totp) methods.push('TOTP')
  if (code) methods.push('BACKUP_CODE')
  return { hasSecondFactor: keys.length > 0 || totp !== undefined, methods }
}
