/** How the document is shown; the address of the page holds it, so that every step is a link. */
export type ReaderState = {
  /** The first page on the screen; counts from 1. */
  page: number
  /** In percent of the column. */
  zoom: number
  /** In degrees, clockwise. */
  turn: number
  /** Without the column beside it. */
  isWhole: boolean
  /** With small pictures of the pages around: without scripts a browser loads them even folded. */
  hasThumbnails: boolean
  /** The other parameters of the address. */
  kept: Record<string, string>
}

/** A line of text, in points from the upper left corner of the page. */
type TextLine = { text: string; x: number; y: number; width: number; size: number }

export type ShownPage = {
  page: number
  /** In points. */
  width: number
  height: number
  lines: TextLine[]
  /** What is known of the text that the file holds behind the picture. */
  text: 'whole' | 'cut' | 'none' | 'unknown'
}

export type ReaderView = {
  /** Address of the document; pictures and texts are below it. */
  document: string
  version: number
  pages: number
  state: ReaderState
  shown: ShownPage[]
}

const ZOOMS = [100, 125, 150, 200, 300, 400]
const TURNS = [0, 90, 180, 270]
/** Pages of one view: without scripts a browser loads all their pictures at once. */
export const PAGES_OF_VIEW = 3
const LONGEST_KEPT = 500

const OWN = ['pagina', 'zoom', 'giro', 'pantalla', 'miniaturas']

/** Anything that is not there, or not possible, is as at the beginning. */
export function readerStateOf(search: URLSearchParams, pages: number): ReaderState {
  const page = Math.floor(Number(search.get('pagina'))) || 1
  return {
    page: Math.max(1, Math.min(page, pages)),
    zoom: oneOf(ZOOMS, search.get('zoom')),
    turn: oneOf(TURNS, search.get('giro')),
    isWhole: search.get('pantalla') === 'completa',
    hasThumbnails: search.get('miniaturas') === 'si',
    kept: Object.fromEntries(
      [...search].filter(([name, value]) => !OWN.includes(name) && value.length <= LONGEST_KEPT),
    ),
  }
}

const oneOf = (all: readonly number[], text: string | null): number =>
  all.find((one) => String(one) === text) ?? all[0]!

/** The parameters of a state, without those that are as at the beginning. */
export function parametersOf(state: ReaderState): Record<string, string> {
  const { page, zoom, turn, isWhole, hasThumbnails, kept } = state
  const own = [
    ['pagina', page > 1 ? String(page) : ''],
    ['zoom', zoom === 100 ? '' : String(zoom)],
    ['giro', turn === 0 ? '' : String(turn)],
    ['pantalla', isWhole ? 'completa' : ''],
    ['miniaturas', hasThumbnails ? 'si' : ''],
  ].filter(([, value]) => value !== '')
  return { ...kept, ...Object.fromEntries(own) }
}

/** A link from one state to another on the same page. */
export function linkTo(state: ReaderState, change: Partial<ReaderState>): string {
  return `?${new URLSearchParams(parametersOf({ ...state, ...change }))}#lector`
}

/** The first page of the view before and after this one; undefined at the ends. */
export function neighbours({ state, pages, shown }: ReaderView) {
  const next = state.page + shown.length
  return {
    previous: state.page > 1 ? Math.max(1, state.page - PAGES_OF_VIEW) : undefined,
    next: shown.length > 0 && next <= pages ? next : undefined,
  }
}

/** The next smaller and larger zoom; undefined at the ends. */
export function zoomsBeside(zoom: number) {
  const at = ZOOMS.indexOf(zoom)
  return { smaller: ZOOMS[at - 1], larger: ZOOMS[at + 1] }
}

/** The widths in which the server draws pages, in pixels. */
const WIDTHS = [640, 800, 1000, 1400, 2000]

type Picture = { page: number; width: number; region?: string | undefined }

export function pictureAddress(
  { document, version, state }: Pick<ReaderView, 'document' | 'version' | 'state'>,
  { page, width, region }: Picture,
): string {
  const turn = state.turn === 0 ? '' : `&giro=${state.turn}`
  const part = region === undefined ? '' : `&region=${region}`
  return `${document}/pages/${page}.png?version=${version}&width=${width}${part}${turn}`
}

/** The widths between which the browser chooses. */
export const pictureSet = (view: ReaderView, picture: Omit<Picture, 'width'>): string =>
  WIDTHS.map((width) => `${pictureAddress(view, { ...picture, width })} ${width}w`).join(', ')

/** Above this zoom a page is shown in parts, each of them as sharp as a whole page. */
const WHOLE_PAGE = 200

/** The parts in which a page is drawn, row by row; one without a region is the whole page. */
export function partsAt(zoom: number): { region?: string }[] {
  if (zoom <= WHOLE_PAGE) return [{}]
  return ['2,0,0', '2,0,1', '2,1,0', '2,1,1'].map((region) => ({ region }))
}

/**
 * How wide a picture is on the screen. On a phone less is asked than its screen has: a letter of 10 points is sharp
 * enough, and a page weighs half.
 */
export function sizesAt({ zoom, isWhole }: ReaderState): string {
  const share = (zoom / 100) * (zoom > WHOLE_PAGE ? 0.5 : 1)
  const wide = Math.round((isWhole ? 1400 : 1000) * share)
  const middle = Math.round((isWhole ? 980 : 640) * share)
  return `(width < 68em) ${Math.round(60 * share)}vw, (width < 88em) ${middle}px, ${wide}px`
}

/** The size of a page as it is turned. */
export function turnedSize({ width, height }: ShownPage, turn: number) {
  return turn % 180 === 0 ? { width, height } : { width: height, height: width }
}
