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

const sources = globSync('**/*.tsx', { cwd: APP })
  .filter((file) => !LIGHT.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(APP, file), 'utf8') }))

type Sent = { file: string; action: string }

/** The addresses of the tags with these names, with `ID` for what a page fills in. */
const actionsOf = (names: string): Sent[] =>
  sources.flatMap(({ file, source }) => {
    const tag = new RegExp(`<(?:${names})\\b(?:=>|\\{[^}]*\\}+|[^>{])*>`, 'g')
    return [...source.matchAll(tag)]
      .filter(([text]) => !/reloadDocument|isNative/.test(text))
      .flatMap(([text]) => /\baction=\{?["`]?(.*?)["`]?\}?[\s>]/.exec(text)?.[1] ?? [])
      .map((action) => new RegExp(`const ${action} = ['\`](.*)['\`]`).exec(source)?.[1] ?? action)
      .map((action) => ({ file, action: action.replace(/\$\{[^}]*\}/g, ID) }))
  })

/** A component that gets the address of its form as a property: the pages around it know the address. */
const isProperty = ({ action }: Sent) => action === 'action'
const componentIn = ({ file }: Sent) =>
  /export function (\w+)/.exec(readFileSync(path.join(APP, file), 'utf8'))?.[1]

const ownForms = actionsOf('Form|PostForm')
const formsWithProperty = ownForms.filter(isProperty).map(componentIn)

/** The addresses of forms that React Router sends. */
const sentForms = [
  ...ownForms.filter((form) => !isProperty(form)),
  ...(formsWithProperty.length > 0 ? actionsOf(formsWithProperty.join('|')) : []),
]

test('forms with an address of their own are found, also where a constant has it or a property brings it', () => {
  const actions = sentForms.map(({ action }) => action)
  expect(actions).toContain('/theme')
  expect(actions).toContain(`/dashboard/documents/${ID}/constancia`)
  expect(actions).toContain(`/dashboard/documents/${ID}/picture-consent`)
})

test.each(sentForms)('$file: the browser knows the route $action of its form', ({ action }) => {
  expect(action).toMatch(/^\//)
  expect(isKnownToBrowser(action)).toBe(true)
})
