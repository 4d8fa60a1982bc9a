import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, test } from 'vitest'
import { isHydratedPath, isKnownToBrowser, routesOfBrowser } from '#app/hydrated-paths.ts'
import routes from '#app/routes.ts'

/*
 * A link to a page without scripts must load the document, so a link has to know which pages those are.
 * The pages say it themselves; here both are held together.
 */

const APP = path.resolve(import.meta.dirname, '../../../app')
const ID = '3f2c8a52-5a3c-4a56-9d0c-0d8e7a3a1c11'

type Leaf = { path: string; source: string }

function leavesOf(entries: RouteConfigEntry[], parent = ''): Leaf[] {
  return entries.flatMap((entry) => {
    const full = [parent, entry.path].filter(Boolean).join('/')
    if (entry.children) return leavesOf(entry.children, full)
    const sample = `/${full.replace(/:\w+/g, ID).replace('*', 'nada')}`
    return [{ path: sample, source: readFileSync(path.join(APP, entry.file), 'utf8') }]
  })
}

const leaves = leavesOf(await routes)
const pages = leaves.filter(({ source }) => /export default/.test(source))

test('the site map has pages with scripts and pages without', () => {
  expect(new Set(pages.map(({ path }) => isHydratedPath(path)))).toEqual(new Set([true, false]))
})

test.each(pages)('$path hydrates exactly if its links expect it', ({ path, source }) => {
  expect(isHydratedPath(path)).toBe(/handle\b.*=\s*\{[^}]*hydrate: true/.test(source))
})

test.each([
  ['/dashboard?x=1', true],
  ['/dashboard/documents?state=draft', true],
  ['/dashboards', false],
  [`/dashboard/documents/${ID}/download/1`, false],
  [`/dashboard/documents/${ID}/pages/1.png`, false],
  ['/', false],
])('%s', (path, expected) => {
  expect(isHydratedPath(path)).toBe(expected)
})

test('the browser knows hydrated pages, the layouts around them and the theme, and no other route', () => {
  const list = (id: string, path?: string, parentId?: string) => ({ id, path, parentId })
  const all = [
    list('root', ''),
    list('signed-in', undefined, 'root'),
    list('shell', undefined, 'signed-in'),
    list('documents', 'dashboard/documents', 'shell'),
    list('unknown', 'dashboard/*', 'shell'),
    list('sign', 'dashboard/documents/:id/sign', 'shell'),
    list('other-sessions', 'dashboard/profile/other-sessions', 'signed-in'),
    list('theme', 'theme', 'root'),
    list('public', undefined, 'root'),
    list('verify', 'verify/:uuid', 'public'),
    list('login', 'login', 'root'),
  ]
  const kept = routesOfBrowser(Object.fromEntries(all.map((route) => [route.id, route])))
  const names = ['root', 'signed-in', 'shell', 'documents', 'unknown', 'other-sessions', 'theme']
  expect(Object.keys(kept)).toEqual(names)
})

/** Their pages do not hydrate. */
const LIGHT = /^routes\/(?:auth|mfa|verification|signing\/(?:one|guests|presence|batch))\//

/** The addresses of forms that React Router sends, with `ID` for what a page fills in. */
const sentForms = globSync('**/*.tsx', { cwd: APP }).flatMap((file) => {
  if (LIGHT.test(file)) return []
  const source = readFileSync(path.join(APP, file), 'utf8')
  const tags = [...source.matchAll(/<(?:Post)?Form\b(?:=>|\{[^}]*\}+|[^>{])*>/g)].map(
    ([tag]) => tag,
  )
  return tags
    .filter((tag) => !/reloadDocument|isNative/.test(tag))
    .flatMap((tag) => /\baction=\{?["`]?(.*?)["`]?\}?[\s>]/.exec(tag)?.[1] ?? [])
    .map((action) => new RegExp(`const ${action} = ['\`](.*)['\`]`).exec(source)?.[1] ?? action)
    .map((action) => ({ file, action: action.replace(/\$\{[^}]*\}/g, ID) }))
})

test('forms with an address of their own are found, also where a constant has it', () => {
  const actions = sentForms.map(({ action }) => action)
  expect(actions).toContain('/theme')
  expect(actions).toContain(`/dashboard/documents/${ID}/constancia`)
})

test.each(sentForms)('$file: the browser knows the route $action of its form', ({ action }) => {
  expect(action).toMatch(/^\//)
  expect(isKnownToBrowser(action)).toBe(true)
})
