import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { Email } from '#server/domain/identity/email.ts'
import { Problem } from '#server/domain/problem.ts'
import { mustBeOfThisRelease } from './must-be-of-this-release.ts'
import { openOffice } from './open-office.ts'
import { complain } from './output.ts'
import { configOrUsageError, UsageError } from './usage.ts'

/** What a command about one account gets: the account's address and the database of the installation. */
export type AccountScene = { email: Email; db: Database; config: Config }

/** Sentences, es-MX. */
type Sentences = { missingEmail: string; refused: string }

/**
 * Runs a command about the account that `--email` names, beside the server or without it.
 *
 * @param given what was typed: the address, and words that no option takes
 * @returns the exit status: 0, or 1 after a {Problem}, which is said as `refused`
 * @throws {UsageError} also without a database, so that a wrong folder does not get one, and instead of migrating it
 */
export async function runForAccount(
  given: { email: string | undefined; positionals: readonly string[] },
  { missingEmail, refused }: Sentences,
  act: (scene: AccountScene) => Promise<void>,
): Promise<number> {
  const email = Email.safeParse(given.email).data
  if (!email || given.positionals.length > 0) throw new UsageError(missingEmail)
  const config = configOrUsageError()
  const db = openOffice(config)
  try {
    await mustBeOfThisRelease(db)
    await act({ email, db, config })
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    complain(refused)
    return 1
  } finally {
    await db.close()
  }
}
