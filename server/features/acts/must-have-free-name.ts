import { searchable } from '#server/domain/identity/text.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Act } from '#server/domain/signing/act/act.ts'

/** @throws {Problem} `act-known` if another act has the name, whatever its accents and case */
export function mustHaveFreeName(
  acts: readonly Act[],
  { id, name }: Pick<Act, 'id' | 'name'>,
): void {
  const other = acts.find((act) => act.id !== id && searchable(act.name) === searchable(name))
  if (other) throw new Problem('act-known', `${other.id} is called ${name}`)
}
