import { expect, test } from 'vitest'
import { zoneChoices, zoneLabel } from '#app/http/office-form.ts'
import { MEXICAN_ZONES } from '#server/domain/time.ts'

test('time zones of an office: those of Mexico, and its own once', () => {
  const zones = (own?: string) => zoneChoices(own).map(({ value }) => value)
  expect(zones()).toEqual(MEXICAN_ZONES)
  expect(zones('America/Mexico_City')).toEqual(MEXICAN_ZONES)
  expect(zones('Europe/Madrid')).toEqual([...MEXICAN_ZONES, 'Europe/Madrid'])
})

test('time zone: its name begins with a capital letter', () => {
  expect(zoneLabel('America/Mexico_City')).toBe('Hora del centro')
  expect(zoneChoices()[0]).toEqual({ value: 'America/Mexico_City', label: 'Hora del centro' })
})
