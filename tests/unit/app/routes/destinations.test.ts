import { readFileSync } from 'node:fs'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { describe, expect, test } from 'vitest'
import { DESTINATIONS, destinationsFor } from '#app/routes/search/destinations.ts'
import routes from '#app/routes.ts'
import { CountedKind } from '#server/domain/reports/report-kind.ts'

type Place = { path: string; file: string }

const placesOf = (entries: RouteConfigEntry[], parent = ''): Place[] =>
  entries.flatMap(({ path, file, children }) => {
    const full = [parent, path].filter(Boolean).join('/')
    return children ? placesOf(children, full) : [{ path: `/${full}`, file }]
  })

const isPage = ({ file }: Place) =>
  /export default|export \{ default/.test(readFileSync(`app/${file}`, 'utf8'))

/** One page for each kind of report. */
const withKinds = (place: Place): Place[] =>
  place.path === '/dashboard/reports/:kind'
    ? CountedKind.options.map((kind) => ({ ...place, path: `/dashboard/reports/${kind}` }))
    : [place]

const places = placesOf(await routes).flatMap(withKinds)
const paths = places.map(({ path }) => path)

/** Pages of the dashboard that lead to nothing by themselves. */
const NO_DESTINATIONS: Record<string, string> = {
  '/dashboard/documents/cancel': 'of documents that were chosen in the list',
  '/dashboard/documents/views': 'keeps the filters of a list; the list leads there',
  '/dashboard/profile/authenticator': 'removes the application; the profile leads there',
  '/dashboard/certificates/keys/makers/new': 'from the list of roots',
  '/dashboard/search': 'searches the same',
  '/dashboard/signing/batch/without-scripts': 'the same batch, for browsers without scripts',
}
const names = (...found: Parameters<typeof destinationsFor>) =>
  destinationsFor(...found).map(({ name }) => name)

describe('pages to jump to', () => {
  test.each(DESTINATIONS.map(({ to }) => to))('%s: is a page', (to) => {
    expect(paths).toContain(to)
  })

  test('each page of the dashboard that needs no id is one, or has a reason not to be', () => {
    const pages = places.filter(
      (place) => /^\/dashboard(?:\/[^:*]+)?$/.test(place.path) && isPage(place),
    )
    const destinations = DESTINATIONS.map(({ to }) => to)
    const expected = [...destinations, ...Object.keys(NO_DESTINATIONS)]
    expect(pages.length).toBeGreaterThan(40)
    expect(expected.filter((to) => to.startsWith('/dashboard')).toSorted()).toEqual(
      pages.map(({ path }) => path).toSorted(),
    )
  })

  test('keys, files and reports: are found by what people call them', () => {
    expect(names(['CLERK'], 'yubi')).toEqual(['YubiKeys'])
    expect(names(['ADMIN'], 'llave fisica')).toEqual(['YubiKeys', 'Registrar YubiKey'])
    expect(names(['CLERK'], 'que es')).toEqual(['¿Qué es este archivo?'])
    expect(names(['NOTARY'], 'indice')).toEqual(['Índice de instrumentos'])
  })

  test('text: is found in the name and in other words for it, without accents and case', () => {
    expect(names(['CLERK'], 'audi')).toEqual(['Auditoría'])
    expect(names(['CLERK'], 'BITÁCORA')).toEqual(['Auditoría'])
    expect(names(['CLERK'], 'doc subir')).toEqual(['Subir documento'])
    expect(names(['CLERK'], 'ditoria')).toEqual([])
    expect(names(['CLERK'], '%')).toEqual([])
  })

  test('pages that the roles do not open: are left out', () => {
    expect(names(['CLERK'], 'invitar')).toEqual(['Nueva sesión de firma'])
    expect(names(['ADMIN'], 'invitar')).toEqual(['Invitar a una persona'])
    expect(names(['AUDITOR'], '')).not.toContain('Subir documento')
    expect(names(['ADMIN', 'NOTARY'], '')).toHaveLength(DESTINATIONS.length)
  })
})
