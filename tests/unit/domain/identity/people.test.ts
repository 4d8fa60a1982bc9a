import { expect, test } from 'vitest'
import { networkOf, networksOf } from '#server/domain/identity/attempts/network.ts'
import { deviceName } from '#server/domain/identity/device-name.ts'
import { Email } from '#server/domain/identity/email.ts'
import { initials, PersonName } from '#server/domain/identity/person-name.ts'
import { searchable } from '#server/domain/identity/text.ts'

test.each([
  ['Juan Carlos', 'Pérez Soto', 'JP'],
  ['María', 'de la Peña Güereca', 'MP'],
  ['álvaro', 'ñúñez', 'ÁÑ'],
  ['Ana', 'De la', 'AD'],
])('%s %s is %s', (firstName, lastName, expected) => {
  expect(initials({ firstName, lastName })).toBe(expected)
})

test('a name is one tidy line', () => {
  expect(PersonName.parse('  Mari\u0301a   José ')).toBe('María José')
  expect(PersonName.safeParse('María\0').success).toBe(false)
  expect(PersonName.safeParse('   ').success).toBe(false)
})

test('an address is compared in lower case', () => {
  expect(Email.parse(' Ana.Peña@Notaria.example'.replace('ñ', 'n'))).toBe(
    'ana.pena@notaria.example',
  )
  expect(Email.safeParse('ana').success).toBe(false)
})

test('search ignores accents and case', () => {
  expect(searchable('Donación Ñandú ÍNTIMA')).toBe('donacion nandu intima')
})

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36'
test.each([
  [`${WINDOWS} ${CHROME}`, 'Chrome en Windows'],
  [`${WINDOWS} ${CHROME} Edg/109.0.1518.140`, 'Edge en Windows'],
  ['Mozilla/5.0 (Windows NT 6.1; rv:115.0) Gecko/20100101 Firefox/115.0', 'Firefox en Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    'Safari en iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`, 'Chrome en Android'],
  ['curl/8.5.0', 'Dispositivo desconocido'],
  [undefined, 'Dispositivo desconocido'],
])('%s is recognised', (userAgent, expected) => {
  expect(deviceName(userAgent)).toBe(expected)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s belongs to the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('networks: an IPv6 address has three, and larger ones allow more', () => {
  expect(networksOf('2001:db8:1:02ff::9')).toEqual([
    { name: '2001:db8:1:2ff::/64', factor: 1 },
    { name: '2001:db8:1:200::/56', factor: 2 },
    { name: '2001:db8:1::/48', factor: 4 },
  ])
  expect(networksOf('2001:db8:1:3ff::9')[1]?.name).toBe('2001:db8:1:300::/56')
  expect(networksOf('::1').map(({ name }) => name)).toEqual([
    '0:0:0:0::/64',
    '0:0:0:0::/56',
    '0:0:0::/48',
  ])
})

test.each(['203.0.113.7', '::ffff:203.0.113.7'])('networks: %s is its own only one', (ip) => {
  expect(networksOf(ip)).toEqual([{ name: '203.0.113.7', factor: 1 }])
})
