import { expect, test } from 'vitest'
import { addressIn, isThisMachine, outgoingNetworks } from '#server/domain/outgoing-networks.ts'

const HOST = 'sellos.example'

test.each(['8.8.8.8', '187.141.0.1', '2607:f8b0::1', '172.32.0.1', '100.128.0.1'])(
  'public address %s: allowed',
  (address) => {
    expect(outgoingNetworks([])(address, HOST)).toBe(true)
  },
)

test.each([
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  'fd00::1',
  '::ffff:10.1.2.3',
  '64:ff9b::a01:203',
  '2002:a01:203::1',
])('private address %s: allowed only if the operator named its network', (address) => {
  expect(outgoingNetworks([])(address, HOST)).toBe(false)
  expect(outgoingNetworks(['0.0.0.0/0', '::/0'])(address, HOST)).toBe(true)
  expect(outgoingNetworks([address])(address, HOST)).toBe(true)
})

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  'fe80::1',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  '255.255.255.255',
])('address without a service %s: never allowed', (address) => {
  expect(outgoingNetworks(['0.0.0.0/0', '::/0', address])(address, HOST)).toBe(false)
})

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])(
  'this machine %s: only under its own name',
  (address) => {
    const isAllowed = outgoingNetworks([])
    expect(isAllowed(address, HOST)).toBe(false)
    expect(isAllowed(address, 'localhost.sellos.example')).toBe(false)
    expect(isAllowed(address, 'localhost')).toBe(true)
    expect(isAllowed(address, '127.0.0.1')).toBe(true)
    expect(isAllowed(address, '[::1]')).toBe(true)
  },
)

test('host of a URL: an address without brackets, or a name', () => {
  const hostOf = (url: string) => addressIn(new URL(url).hostname)
  expect(hostOf('http://[::1]:80/')).toBe('::1')
  expect(hostOf('http://0x7f.1/')).toBe('127.0.0.1')
  expect(hostOf('http://2130706433/')).toBe('127.0.0.1')
  expect(hostOf('https://sellos.example/')).toBeUndefined()
  expect(isThisMachine(new URL('http://0177.0.0.1/').hostname)).toBe(true)
})
