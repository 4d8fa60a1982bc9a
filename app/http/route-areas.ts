/** A route of the build, without what it does. */
type Listed = { id: string; parentId?: string | undefined; path?: string | undefined }

type Routes<Route> = Readonly<Record<string, Route | undefined>>

/** Below it each subject is an area of its own. */
const DASHBOARD = 'dashboard'

/** Of a path with an empty segment at its begin: no area has this name. */
const NONE = '/'

/** `login`, `dashboard/documents`: the segments that decide which routes a path can match. */
export function areaOf(pathname: string): string {
  const [, first = '', second = ''] = pathname.replace(/\.data$/, '').split('/')
  if (first === '' && pathname !== '/') return NONE
  return first === DASHBOARD ? `${first}/${second}` : first
}

/**
 * The routes that a path of each area can match, with the layouts around them. React Router compares a path with each route,
 * three times a page, and lists all routes when it renders: half of the time of a page went there.
 *
 * A path whose first segments are no key here, as one in other letters, may match any route.
 */
export function routesByArea<Route extends Listed>(
  routes: Routes<Route>,
): ReadonlyMap<string, Record<string, Route>> {
  const lines = Object.values(routes).flatMap((route) => (route ? [lineOf(route, routes)] : []))
  const all = lines.map((line) => ({ line, segments: segmentsOf(line) }))
  const areas = new Set(all.flatMap(({ segments }) => areaWithin(segments) ?? []))
  return new Map(
    [...areas].map((area) => {
      const wanted = area.split('/')
      const fitting = all.filter(({ segments }) => canMatch(segments, wanted))
      const kept = new Set(fitting.flatMap(({ line }) => line.map(({ id }) => id)))
      // In their order: of two routes that match as well, React Router takes the first.
      const own = Object.entries(routes).filter((entry): entry is [string, Route] =>
        kept.has(entry[0]),
      )
      return [area, Object.fromEntries(own)]
    }),
  )
}

/** A route and the layouts around it, outermost first. */
function lineOf<Route extends Listed>(route: Route, routes: Routes<Route>): Route[] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId]
  return parent ? [...lineOf(parent, routes), route] : [route]
}

const segmentsOf = (line: readonly Listed[]): string[] =>
  line.flatMap(({ path }) => path?.split('/') ?? []).filter((segment) => segment !== '')

/** Undefined if a pattern decides, not a word. */
function areaWithin([first = '', second = '']: readonly string[]): string | undefined {
  const area = first === DASHBOARD ? `${first}/${second}` : first
  return /[:*?]/.test(area) ? undefined : area
}

/** Whether a path that begins with these segments may match the pattern; it may be longer. */
function canMatch(pattern: readonly string[], [first, second]: readonly string[]): boolean {
  const fits = (place: number, word: string | undefined) => {
    const segment = pattern[place]
    return word === undefined || segment === undefined || segment === word || /[:*?]/.test(segment)
  }
  return fits(0, first) && fits(1, second)
}
