import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '#app/routes.ts'

/** A route of the site map, and the guards that stand before it. */
export type RouteFacts = {
  id: string
  path: string
  guards: readonly Guard[]
  /** Files, and addresses that only take forms, are modules without JSX. */
  isPage: boolean
}

export type Guard =
  | 'guest'
  | 'signed-in'
  | 'with-duty'
  | 'checklist-managers'
  | 'number-series-managers'
  | 'obligation-managers'
  | 'office-managers'
  | 'user-managers'
  | 'yubikey-managers'

/** The routes with an address, as `app/routes.ts` lists them, by id. */
const ROUTES: ReadonlyMap<string, RouteFacts> = new Map(
  routes.flatMap((entry) => routesIn(entry, '', [])).map((facts) => [facts.id, facts]),
)

export const ROUTE_IDS: readonly string[] = [...ROUTES.keys()]

/** @throws {Error} if the site map has no such route */
export function routeCalled(id: string): RouteFacts {
  const found = ROUTES.get(id)
  if (!found) throw new Error(`no route ${id}`)
  return found
}

function routesIn(entry: RouteConfigEntry, above: string, guards: readonly Guard[]): RouteFacts[] {
  const id = entry.id ?? entry.file.replace(/\.tsx?$/, '')
  const path = entry.path === undefined ? above : `${above}/${entry.path}`
  const [, guard] = /^guards\/(.+)$/.exec(id) ?? []
  const passed = guard ? [...guards, guard as Guard] : guards
  if (!entry.children)
    return [{ id, path: path || '/', guards, isPage: entry.file.endsWith('.tsx') }]
  return entry.children.flatMap((child) => routesIn(child, path, passed))
}
