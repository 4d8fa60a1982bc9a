import { middleOf, type PlacedStamp } from '#server/domain/signing/stamp/stamp-outlook.ts'
import type { StampPlaces } from '#server/features/documents/choose-stamp-place.ts'
import { partOfPage, stampObstacles, stampPlaceWords } from '#server/words/stamps.ts'

/** Of the picture, in pixels. */
const SHOWN_WIDTH = 1000

/** A frame on the picture of the page; `value` names the place in the form. */
export type StampFrame = Omit<PlacedStamp, 'page'> & { value: string; words: string }

/** The places of one page, and where the next signature will stand, as texts. */
export function stampView(places: StampPlaces, hasPointed: boolean) {
  const { document, version, forecast, page, shown } = places
  const pointed = page?.pointed ? frameOf(page.pointed) : null
  const next = forecast.kind === 'visible' ? forecast.place : null
  return {
    id: document.id as string,
    title: document.title,
    pages: version.pages,
    shown,
    forecast: next
      ? `Hoy quedaría ${stampPlaceWords(next)}.`
      : forecast.kind === 'invisible' && stampObstacles[forecast.obstacle],
    isImpossible: forecast.kind === 'invisible' && forecast.obstacle !== 'no-place',
    isChosen: document.stampChoice !== null,
    picture: page
      ? {
          address: `/dashboard/documents/${document.id}/pages/${shown}.png?version=${version.version}&width=${SHOWN_WIDTH}`,
          width: SHOWN_WIDTH,
          height: Math.round((SHOWN_WIDTH * page.size.height) / page.size.width),
        }
      : null,
    offered: page ? page.sixths.flatMap((place) => (place ? [frameOf(place)] : [])) : [],
    now: next && next.page === shown ? frameOf(next) : null,
    pointed,
    /** Nothing is blank on the page where it was pointed at. */
    isPointedFull: hasPointed && !pointed,
  }
}

export type StampView = ReturnType<typeof stampView>

function frameOf({ page: _, ...place }: PlacedStamp): StampFrame {
  const { x, y } = middleOf({ page: 1, ...place })
  return { ...place, value: `${x},${y}`, words: partOfPage(place) }
}
