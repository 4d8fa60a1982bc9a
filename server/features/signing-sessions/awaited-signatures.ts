import { findUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { AwaitedSignature } from '#server/domain/signing/increment.ts'
import { characterAt } from '#server/domain/signing/session/requested-character.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { Instant } from '#server/domain/time.ts'

/** The signature places of the sheet, in signer order. */
export async function awaitedSignatures(
  db: Reader,
  signers: readonly Signer[],
  at: Instant,
): Promise<AwaitedSignature[]> {
  const users = await findUsers(
    db,
    signers.flatMap(({ userId }) => userId ?? []),
  )
  return signers.map(({ place, name, character, userId }) => {
    const user = userId ? users.get(userId) : undefined
    return {
      fieldName: `Firmante-${place}`,
      name,
      // The capacity is taken on the day of signing: one that is not in force now may be then.
      character: characterAt(character, user, at) ?? null,
    }
  })
}
