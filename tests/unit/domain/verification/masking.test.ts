import { expect, test } from 'vitest'
import { initialsOnly, maskName, maskRfc } from '#server/domain/verification/masking.ts'

test.each([
  ['MARÍA FERNANDA NÚÑEZ', 'M**** F******* N****'],
  ['  José  de la Peña ', 'J*** d* l* P***'],
  ['NU\u0301N\u0303EZ', 'N****'],
  ['Ana-María O’Farrill', 'A** M**** O********'],
  ['', ''],
])('the name %s', (name, masked) => {
  expect(maskName(name)).toBe(masked)
})

test.each([
  ['MARÍA FERNANDA NÚÑEZ', 'M. F. N.'],
  ['  José  de la Peña ', 'J. d. l. P.'],
  ['A\u0301lvaro-Íñigo', 'Á. Í.'],
  ['', ''],
])('the initials of %s', (name, initials) => {
  expect(initialsOnly(name)).toBe(initials)
})

test.each([
  ['NUÑF800101AB1', 'NUÑ*******AB1'],
  ['S&S051221SE2', 'S&S******SE2'],
  ['corto', '*****'],
])('the RFC %s', (rfc, masked) => {
  expect(maskRfc(rfc)).toBe(masked)
})
