import { describe, expect, test } from 'vitest'
import {
  linkTo,
  neighbours,
  partsAt,
  pictureAddress,
  pictureSet,
  type ReaderState,
  readerStateOf,
  sizesAt,
  zoomsBeside,
} from '#app/ui/reader/reader-view.ts'

const stateOf = (search: string, pages = 32) => readerStateOf(new URLSearchParams(search), pages)
const START: ReaderState = {
  ...{ page: 1, zoom: 100, turn: 0, isWhole: false, hasThumbnails: false },
  kept: {},
}

function viewAt(page: number, pages: number, shown: number) {
  const text = 'none' as const
  const pageAt = (index: number) => ({
    ...{ page: page + index, width: 612, height: 792, lines: [], text },
  })
  return {
    ...{ document: '/dashboard/documents/x', version: 2, pages, state: { ...START, page } },
    shown: Array.from({ length: shown }, (_, index) => pageAt(index)),
  }
}

describe('the state in the address', () => {
  test('holds page, zoom, turn and full screen, and keeps what others put there', () => {
    expect(
      stateOf('pagina=7&zoom=150&giro=90&pantalla=completa&miniaturas=si&returnUrl=/x'),
    ).toEqual({
      ...{ page: 7, zoom: 150, turn: 90, isWhole: true, hasThumbnails: true },
      kept: { returnUrl: '/x' },
    })
  })

  test.each([
    '',
    'pagina=0',
    'pagina=-3',
    'pagina=x',
    'pagina=',
    'pagina=NaN',
    'zoom=1e9',
    'zoom=110',
    'giro=45',
    'giro=-90',
    'pantalla=si',
    'miniaturas=no',
  ])('%s is as at the beginning', (search) => {
    expect(stateOf(search)).toEqual(START)
  })

  test.each([
    ['pagina=33', 32],
    ['pagina=1e300', 32],
    ['pagina=Infinity', 32],
    ['pagina=2.9', 2],
  ])('%s is page %s of 32', (search, page) => {
    expect(stateOf(search).page).toBe(page)
  })

  test('a document without pages is at its first', () => {
    expect(stateOf('pagina=4', 0).page).toBe(1)
  })

  test('of a link says only what differs from the beginning', () => {
    expect(linkTo(START, { page: 2 })).toBe('?pagina=2#lector')
    expect(linkTo({ ...START, page: 2, zoom: 150 }, { page: 1 })).toBe('?zoom=150#lector')
    expect(linkTo(stateOf('returnUrl=%2Fx%26y'), { turn: 90 })).toBe(
      '?returnUrl=%2Fx%26y&giro=90#lector',
    )
  })

  test('of every link is read back', () => {
    const state = {
      page: 5,
      zoom: 400,
      turn: 270,
      isWhole: true,
      hasThumbnails: true,
      kept: { a: 'b c' },
    }
    expect(stateOf(linkTo(START, state).slice(1, -'#lector'.length))).toEqual(state)
  })
})

describe('steps', () => {
  test.each([
    [1, 32, 3, { previous: undefined, next: 4 }],
    [4, 32, 3, { previous: 1, next: 7 }],
    [2, 32, 3, { previous: 1, next: 5 }],
    [31, 32, 2, { previous: 28, next: undefined }],
    [1, 3, 3, { previous: undefined, next: undefined }],
    [1, 0, 0, { previous: undefined, next: undefined }],
  ])('from page %s of %s with %s shown', (page, pages, shown, steps) => {
    expect(neighbours(viewAt(page, pages, shown))).toEqual(steps)
  })

  test('the zoom has a smaller and a larger one, but at its ends', () => {
    expect(zoomsBeside(100)).toEqual({ smaller: undefined, larger: 125 })
    expect(zoomsBeside(200)).toEqual({ smaller: 150, larger: 300 })
    expect(zoomsBeside(400)).toEqual({ smaller: 300, larger: undefined })
  })
})

describe('pictures', () => {
  test('a page up to 200 % is one picture, above it four parts', () => {
    expect([100, 200, 300, 400].map((zoom) => partsAt(zoom).length)).toEqual([1, 1, 4, 4])
  })

  test('an address names version, width, part and turn', () => {
    const view = { ...viewAt(3, 9, 3), state: { ...START, turn: 90 } }
    expect(pictureAddress(view, { page: 3, width: 800, region: '2,0,1' })).toBe(
      '/dashboard/documents/x/pages/3.png?version=2&width=800&region=2,0,1&giro=90',
    )
  })

  test('no address in a set of pictures has a space or a comma that would end it', () => {
    const candidates = pictureSet(viewAt(1, 1, 1), { page: 1, region: '2,1,1' }).split(', ')
    expect(candidates).toHaveLength(5)
    for (const candidate of candidates) expect(candidate).toMatch(/^\S+[^,\s] \d+w$/)
  })

  test('sizes grow with the zoom; a part of a page is half as wide as the page', () => {
    expect(sizesAt(START)).toBe('(width < 68em) 60vw, (width < 88em) 640px, 1000px')
    expect(sizesAt({ ...START, zoom: 400 })).toBe(
      '(width < 68em) 120vw, (width < 88em) 1280px, 2000px',
    )
  })
})
