import { expect, test } from 'vitest'
import { ConfigurationError, readConfig } from '#server/config.ts'

const proxiesIn = (text: string) => readConfig('start', { TRUSTED_PROXIES: text }).trustedProxies

test('nobody is believed about the address of a visitor unless the operator says so', () => {
  expect(readConfig('start', {}).trustedProxies).toEqual([])
  expect(proxiesIn('127.0.0.1, 10.0.0.0/8 fd00::/8')).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
    'fd00::/8',
  ])
})

test.each(['proxy.notaria.mx', '10.0.0.0/33', '10.0.0.0/8/8', '300.1.1.1', 'true'])(
  '%s is no address of a proxy',
  (text) => {
    expect(() => proxiesIn(text)).toThrow(ConfigurationError)
  },
)
