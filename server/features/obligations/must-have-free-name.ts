import { searchable } from '#server/domain/identity/text.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'
import { Problem } from '#server/domain/problem.ts'

/** @throws {Problem} `obligation-known` if another obligation has the name, whatever its accents and case */
export function mustHaveFreeName(
  obligations: readonly Obligation[],
  { id, name }: Pick<Obligation, 'id' | 'name'>,
): void {
  const other = obligations.find(
    (one) => one.id !== id && searchable(one.name) === searchable(name),
  )
  if (other) throw new Problem('obligation-known', `${other.id} is called ${name}`)
}
