import type { RouteConfigEntry } from '@react-router/dev/routes'
import { describe, expect, test } from 'vitest'
import { DESTINATIONS, destinationsFor } from '#app/routes/search/destinations.ts'
import routes from '#app/routes.ts'

const pathsOf = (entries: RouteConfigEntry[], parent = ''): string[] =>
  entries.flatMap(({ path, children }) => {
    const full = [parent, path].filter(Boolean).join('/')
    return [`/${full}`, ...pathsOf(children ?? [], full)]
  })

const paths = pathsOf(await routes)
const names = (...found: Parameters<typeof destinationsFor>) =>
  destinationsFor(...found).map(({ name }) => name)

describe('pages to jump to', () => {
  test.each(DESTINATIONS.map(({ to }) => to))('%s: is a page', (to) => {
    expect(paths).toContain(to)
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
