import { YubikeyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'

/** @throws {Problem} `not-found` */
export async function keyIdOf(text: string | undefined): Promise<YubikeyId> {
  const id = YubikeyId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a YubiKey')
  return id.data
}
