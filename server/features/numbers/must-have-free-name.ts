import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { Problem } from '#server/domain/problem.ts'

/** @throws {Problem} `series-known` if another series has the name, whatever its accents and case */
export function mustHaveFreeName(
  series: readonly NumberSeries[],
  { id, name }: Pick<NumberSeries, 'id' | 'name'>,
): void {
  const other = series.find((one) => one.id !== id && searchable(one.name) === searchable(name))
  if (other) throw new Problem('series-known', `${other.id} is called ${name}`)
}
