import { readFileSync } from 'node:fs'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, test } from 'vitest'
import routes from '#app/routes.ts'
import {
  ACCOUNT_STOPS,
  DASHBOARD_STOPS,
  PUBLIC_STOPS,
  stopsOf,
  stopsOfDraft,
  THING_STOPS,
} from '#tests/e2e/support/site-map.ts'

type Place = { path: string; file: string }

const placesOf = (entries: RouteConfigEntry[], parent = ''): Place[] =>
  entries.flatMap(({ path, file, children }) => {
    const full = [parent, path].filter(Boolean).join('/')
    return children ? placesOf(children, full) : [{ path: `/${full}`, file }]
  })

const isPage = ({ file }: Place) => /export default/.test(readFileSync(`app/${file}`, 'utf8'))

/** The patterns of all pages: `/dashboard/users/:id`. */
const pages = placesOf(await routes)
  .filter(isPage)
  .map(({ path }) => path)

const deed = { id: 'ID', title: 'Escritura' }
const stops = [
  ...[...PUBLIC_STOPS, ...DASHBOARD_STOPS, ...stopsOf(deed), ...stopsOfDraft(deed)].map(
    ({ path }) => path,
  ),
  ...[...THING_STOPS, ...ACCOUNT_STOPS],
].map((path) => path.replace(/\?.*/, '').replace(/\{number\}/, 'ID/ID'))

const GUESTS = 'of an external signer, whose browser has no session of the office'
const STATE = 'only in a state in which the demo office is not'

/** Pages that the specs about all pages do not open, with the reason. */
const NOT_VISITED: Record<string, string> = {
  '/*': 'an address without a page; each spec opens one of its own',
  '/dashboard/*': 'an address without a page; each spec opens one of its own',
  '/verify/document/report.json': 'answers a form with a file, or shows the page of the form',
  '/verify/document/report.pdf': 'answers a form with a file, or shows the page of the form',
  '/verify/document/signed.pdf': 'answers a form with a file, or shows the page of the form',
  '/sign/documents': GUESTS,
  '/sign/documents/:id': GUESTS,
  '/sign/documents/:id/without-scripts': GUESTS,
  '/sign/documents/:id/acknowledge': GUESTS,
  '/sign/documents/:id/verdict': GUESTS,
  '/sign/documents/:id/text': GUESTS,
  '/sign/batch': GUESTS,
  '/sign/batch/without-scripts': GUESTS,
  '/sign/reject': GUESTS,
  '/sign/privacy': GUESTS,
  '/mfa': 'between the password and the second factor; sign-in-pages.scripts.spec.ts opens it',
  '/activate/installation': 'only while the installation has no administrator',
  '/setup-mfa/app':
    'only after an application was asked for; sign-in-pages.scripts.spec.ts opens it',
  '/setup-mfa/backup-codes': 'only with a second factor, which would change a user of the demo',
  '/dashboard/profile/authenticator': 'only with a second factor, as above',
  '/dashboard/profile/keys/:id': 'only with a second factor, as above',
  '/step-up/:id': 'the same page as /step-up, with a form that is kept',
  '/verify/:uuid/pages': `an office that shows the public its pages: ${STATE}`,
  '/dashboard/retention/:id': `a document whose term is over: ${STATE}`,
  '/dashboard/documents/:id/stamp': `a draft that arrived with a signature: ${STATE}`,
  '/dashboard/documents/:id/sign/acknowledge': `a file that is not green: ${STATE}`,
  '/dashboard/documents/:id/sign/token': `a server with a PKCS#11 module: ${STATE}`,
  '/dashboard/documents/:id/sign/presence': `an office that asks for presence: ${STATE}`,
}

const fits = (page: string, stop: string) =>
  new RegExp(`^${page.replaceAll('*', '.*').replace(/:\w+/g, '[^/]+')}$`).test(stop)

/** The page that React Router shows: a fixed part counts more than a parameter, and that more than a splat. */
const pageOf = (stop: string) =>
  pages
    .filter((page) => fits(page, stop))
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))[0]
const parametersIn = (page: string) =>
  page.split('/').filter((part) => part.startsWith(':')).length + (page.includes('*') ? 10 : 0)

test('site map: every page is in it, or has a reason not to be', () => {
  const visited = new Set(stops.map(pageOf))
  expect(stops.filter((stop) => !pageOf(stop))).toEqual([])
  const missing = pages.filter((page) => !visited.has(page))
  expect(missing.toSorted()).toEqual(Object.keys(NOT_VISITED).toSorted())
})
