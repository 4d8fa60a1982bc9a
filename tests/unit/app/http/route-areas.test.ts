import type { RouteConfigEntry } from '@react-router/dev/routes'
import { matchRoutes, type RouteObject } from 'react-router'
import { beforeAll, expect, test } from 'vitest'
import { areaOf, routesByArea } from '#app/http/route-areas.ts'
import siteMap from '#app/routes.ts'

type Listed = { id: string; parentId?: string; path?: string; index?: boolean }

/** The site map as the build lists it. */
const routes: Record<string, Listed> = {}

function list(entries: readonly RouteConfigEntry[], parentId: string): void {
  for (const { id, file, path, index, children = [] } of entries) {
    const own = id ?? file.replace(/\.tsx?$/, '')
    routes[own] = { id: own, parentId, ...(path && { path }), ...(index && { index }) }
    list(children, own)
  }
}

beforeAll(async () => {
  routes.root = { id: 'root', path: '' }
  list(await siteMap, 'root')
})

function treeOf(listed: Record<string, Listed>, parentId?: string): RouteObject[] {
  return Object.values(listed)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) => {
      const shape = { id, ...(path !== undefined && { path }) }
      return index ? { ...shape, index: true } : { ...shape, children: treeOf(listed, id) }
    })
}

const matched = (listed: Record<string, Listed>, path: string) =>
  matchRoutes(treeOf(listed), path)?.map(({ route, params }) => [route.id, params])

/** A path for each route: each parameter is a word. */
function pathsOf(): string[] {
  const pathTo = (id: string | undefined): string[] => {
    const route = id === undefined ? undefined : routes[id]
    return route ? [...pathTo(route.parentId), ...(route.path ? [route.path] : [])] : []
  }
  const paths = Object.keys(routes).map((id) => `/${pathTo(id).join('/')}`)
  return paths.map((path) => path.replace(/:\w+\??/g, 'x').replace('*', 'no/existe'))
}

test('areas: of each path, the routes of its area match the same as all routes', () => {
  const areas = routesByArea(routes)
  const paths = pathsOf()
  expect(paths.length).toBeGreaterThan(170)
  const unknown = [
    '/dashboard/x',
    '/dashboard/documents/x/y/z/w',
    '/login/x',
    '/verify',
    '/dashboard//documents',
    '/dashboard/documents/',
    '/api/x/y',
  ]
  let found = 0
  for (const path of [...paths, ...unknown]) {
    const own = areas.get(areaOf(path))
    if (!own) continue
    found += 1
    expect([path, matched(own, path)]).toEqual([path, matched(routes, path)])
  }
  expect(found).toBeGreaterThan(170)
})

test('areas: a route comes with the layouts around it, those with a path of their own, too', () => {
  const listed: Record<string, Listed> = {
    root: { id: 'root', path: '' },
    guide: { id: 'guide', parentId: 'root', path: 'guide/:topic' },
    step: { id: 'step', parentId: 'guide', path: 'step' },
    login: { id: 'login', parentId: 'root', path: 'login' },
  }
  const areas = routesByArea(listed)
  expect(Object.keys(areas.get('guide') ?? {})).toEqual(['root', 'guide', 'step'])
  expect(Object.keys(areas.get('login') ?? {})).toEqual(['root', 'login'])
  expect(areas.has('step')).toBe(false)
})

test('areas: the largest has less than two fifths of the routes, that of the sign-in page a tenth', () => {
  const areas = routesByArea(routes)
  const sizes = [...areas.values()].map((own) => Object.keys(own).length)
  const all = Object.keys(routes).length
  expect(Math.max(...sizes)).toBeLessThan((all * 2) / 5)
  expect(Object.keys(areas.get('login') ?? {}).length).toBeLessThan(all / 10)
})

test('area: of the data of a page, it is that of the page', () => {
  expect(areaOf('/dashboard/documents.data')).toBe('dashboard/documents')
  expect(areaOf('/dashboard/documents/x/edit.data')).toBe('dashboard/documents')
  expect(areaOf('/dashboard.data')).toBe('dashboard/')
  expect(areaOf('/login')).toBe('login')
})

test('area: a path in other letters, with two slashes or with escapes has none', () => {
  const areas = routesByArea(routes)
  for (const path of ['/LOGIN', '/%6Cogin', '//', '/Dashboard/documents', '/dashboard/%64ocuments'])
    expect([path, areas.has(areaOf(path))]).toEqual([path, false])
})
