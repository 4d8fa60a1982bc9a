import { expect, test } from 'vitest'
import { authoritySummary, providerSummary } from '#app/routes/settings/trust/trust-summary.ts'

test('authorities in a line: the trusted and those that wait for a decision, without the removed', () => {
  const states = (...all: ('pinned' | 'accepted' | 'offered' | 'removed')[]) =>
    authoritySummary(all.map((state) => ({ state })))
  expect(states('pinned', 'accepted', 'removed')).toBe('2 de confianza')
  expect(states('pinned', 'offered')).toBe('1 de confianza, 1 sin aceptar')
  expect(states('removed')).toMatch(/^Ninguna de confianza: ninguna verificación/)
  expect(states()).toMatch(/^Ninguna de confianza:/)
})

test('providers in a line: who is asked first of each kind, and how many more', () => {
  const [first, second] = [
    { kind: 'timestamp', name: 'Sellos del Sureste' },
    { kind: 'timestamp', name: 'Sellos del Norte' },
  ] as const
  expect(providerSummary([first, second])).toBe(
    'Sellos de tiempo: Sellos del Sureste y 1 más. Constancias: ninguno.',
  )
  expect(providerSummary([first])).toMatch(/^Sellos de tiempo: Sellos del Sureste\. /)
})
