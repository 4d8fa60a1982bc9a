/** Dashboard pages hydrate; signing pages and files do not. */
const HYDRATED =
  /^\/dashboard(?![^/?#])(?!\/documents\/[^/]+\/(?:sign|pages|download|revision|presence|evidence|constancia|verdict|text)|\/certificates\/[^/]+\/download|\/signing\/(?:batch|[^/]+\/sheets))/

/** Routes without a hydrated page to which hydrated pages send forms. */
const SENT_TO = /^\/(?:theme|dashboard\/documents\/[^/]+\/constancia)$/

/** Whether the page at `path` runs React in the browser. */
export const isHydratedPath = (path: string) => HYDRATED.test(path)

/** Whether a hydrated page opens `path` or sends a form to it. */
export const isKnownToBrowser = (path: string) => isHydratedPath(path) || SENT_TO.test(path)

/** A route of React Router's manifest, without what its client needs to load it. */
type Listed = { id: string; parentId?: string | undefined; path?: string | undefined }

/**
 * Selects the routes that a hydrated page opens or sends a form to, and the layouts around them. React
 * Router compiles a pattern for each route that the browser knows, twice, before the page works: with all
 * of them that took a tenth of the start.
 *
 * @param routes by id
 */
export function routesOfBrowser<Route extends Listed>(
  routes: Readonly<Record<string, Route>>,
): Record<string, Route> {
  const kept: Record<string, Route> = {}
  for (const route of Object.values(routes)) {
    const line = lineOf(route, routes)
    const path = `/${line.flatMap((one) => one.path || []).join('/')}`
    if (isKnownToBrowser(path)) for (const one of line) kept[one.id] = one
  }
  return kept
}

/** A route and the layouts around it, outermost first. */
function lineOf<Route extends Listed>(
  route: Route,
  routes: Readonly<Record<string, Route>>,
): Route[] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId]
  return parent ? [...lineOf(parent, routes), route] : [route]
}
