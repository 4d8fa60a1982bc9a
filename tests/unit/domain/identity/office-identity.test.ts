import { expect, test } from 'vitest'
import { OfficeIdentity } from '#server/domain/identity/office.ts'

const typed = {
  number: ' 12 ',
  entity: 'Puebla',
  municipality: 'San Andrés  Cholula',
  address: 'Av. Ñandú 14',
  timeZone: 'America/Mexico_City',
  name: 'Notaría 12 de Puebla',
}

test('office identity: input is trimmed and normalized', () => {
  expect(OfficeIdentity.parse(typed)).toEqual({
    ...typed,
    number: 12,
    municipality: 'San Andrés Cholula',
  })
})

test.each([
  ['number', ''],
  ['number', '0'],
  ['number', '10000'],
  ['number', '12 bis'],
  ['address', '   '],
  ['address', 'x'.repeat(301)],
  ['timeZone', 'America/Macondo'],
  ['name', 'Notaría\u0000'],
])('%s is not “%s”', (name, value) => {
  expect(OfficeIdentity.safeParse({ ...typed, [name]: value }).success).toBe(false)
})
