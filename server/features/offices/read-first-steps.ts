import { findLastBackup } from '#server/db/backups/backups.ts'
import { findSeries } from '#server/db/documents/numbers/number-series.ts'
import { countWithoutFactor, hasNotary } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { listAuthorities } from '#server/db/trust/authorities.ts'
import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import { MOST_AHEAD } from '#server/domain/backups/overdue.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { after } from '#server/domain/time.ts'
import { TRUSTED_STATES } from '#server/domain/trust/known-authority.ts'
import { hasMailer } from '#server/steps/mail/find-mailer.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** What an office needs before its first day, in the order in which it is set up. */
export type FirstSteps = {
  /** Whether each is set. */
  authorities: boolean
  timestamps: boolean
  constancias: boolean
  mail: boolean
  /** A notary who was invited, too. */
  notary: boolean
  /** Whether the numbers of the protocol follow one that the office wrote. */
  numbers: boolean
  backup: boolean
  /** Active users without a second factor. */
  withoutFactor: number
}

/**
 * What of the office is set up, for its administrators.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readFirstSteps(
  { db, clock, trust, mailer }: Pick<System, 'db' | 'clock' | 'trust' | 'mailer'>,
  actor: Actor,
): Promise<FirstSteps> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'users.read-access', own, at)
  const known = await listAuthorities(db, officeId)
  const providers = await listServiceProviders(db, officeId)
  return {
    authorities:
      trust.builtIn.length > 0 || known.some(({ state }) => TRUSTED_STATES.includes(state)),
    timestamps: providers.some(({ kind }) => kind === 'timestamp'),
    constancias: providers.some(({ kind }) => kind === 'constancia'),
    mail: await hasMailer({ db, mailer }, officeId),
    notary: await hasNotary(db, officeId),
    numbers: await hasNumbers(db, officeId),
    backup: (await findLastBackup(db, after(at, MOST_AHEAD))) !== undefined,
    withoutFactor: await countWithoutFactor(db, officeId),
  }
}

async function hasNumbers(db: Reader, officeId: OfficeId): Promise<boolean> {
  const protocol = await findSeries(db, officeId, INSTRUMENT_SERIES)
  return protocol !== undefined && protocol.next !== null
}
