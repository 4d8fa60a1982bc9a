import { sizeText } from '#app/ui/text/size-text.ts'
import { formatMinute } from '#server/domain/time.ts'
import type { VersionComparison } from '#server/features/documents/compare-versions.ts'
import type { ListedVersion } from '#server/features/documents/list-versions.ts'
import { versionName } from '#server/words/documents.ts'

/** The versions as their page shows them, newest first, with times in the office's time zone. */
export function versionsView(versions: readonly ListedVersion[], timeZone: string) {
  const original = versions.find(({ cause }) => cause === 'uploaded')
  return versions.map(({ version, cause, at, author, bytes, pages, sha256 }) => ({
    ...{ version, pages, sha256 },
    name: versionName(version, cause, cause === 'uploaded' && version !== original?.version),
    author: author ?? 'El sistema',
    made: { at, text: formatMinute(at, timeZone) },
    size: sizeText(bytes),
  }))
}
export type VersionView = ReturnType<typeof versionsView>[number]

/** Changed places on one page of ours. */
const PLACES_SHOWN = 40

/** What changed, a page of places at a time. */
export function comparisonView(comparison: VersionComparison, behind: number) {
  if (comparison.kind !== 'compared') return { kind: comparison.kind }
  const { kind, places, isCut, blank, pages } = comparison
  const shown = places.slice(behind, behind + PLACES_SHOWN)
  const next = behind + PLACES_SHOWN
  return {
    ...{ kind, isCut, blank, pages },
    count: places.length,
    places: shown.map((place, index) => placeView(place, behind + index + 1)),
    newer: behind > 0 ? Math.max(0, behind - PLACES_SHOWN) : null,
    older: next < places.length ? next : null,
  }
}
export type ComparisonView = ReturnType<typeof comparisonView>

type ChangedPlace = Extract<VersionComparison, { kind: 'compared' }>['places'][number]
export type PartView = ChangedPlace['parts'][number]

/** @param number counts from 1 through all places */
const placeView = ({ page, parts }: ChangedPlace, number: number) => ({
  number,
  title: pageTitle(page),
  parts: parts.map((part, index) => ({ ...part, number: index + 1 })),
})

/** `Página 4 (antes, la 3)` */
function pageTitle({ before, after }: ChangedPlace['page']): string {
  if (after === null) return `Página ${before} de la versión anterior`
  return before === null || before === after
    ? `Página ${after}`
    : `Página ${after} (antes, la ${before})`
}
