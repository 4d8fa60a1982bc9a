import { expect, test } from 'vitest'
import { ConfigurationError, readConfig } from '#server/config.ts'

const proxiesIn = (text: string) => readConfig('start', { TRUST_PROXY: text }).trustedProxies

const BEHIND_PROXY = { PUBLIC_ORIGIN: 'https://rubrica.notaria.mx', TRUST_PROXY: '127.0.0.1' }
const OWN_TLS = {
  PUBLIC_ORIGIN: 'https://rubrica.notaria.mx',
  TLS_CERT_FILE: 'chain.pem',
  TLS_KEY_FILE: 'key.pem',
}

test('nobody is believed about the address of a visitor unless the operator says so', () => {
  expect(readConfig('start', {}).trustedProxies).toEqual([])
  expect(proxiesIn('127.0.0.1, 10.0.0.0/8 fd00::/8')).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
    'fd00::/8',
  ])
})

test.each(['proxy.notaria.mx', '10.0.0.0/33', '10.0.0.0/8/8', '300.1.1.1', 'true', '1'])(
  '%s is no address of a proxy',
  (text) => {
    expect(() => proxiesIn(text)).toThrow(ConfigurationError)
  },
)

test('without anything it is this very machine', () => {
  expect(readConfig('start', {})).toMatchObject({
    host: 'localhost',
    publicOrigin: 'http://localhost:3000',
  })
  expect(readConfig('start', { PORT: '4000' }).publicOrigin).toBe('http://localhost:4000')
})

test('https is answered by a proxy or by this process', () => {
  expect(readConfig('start', BEHIND_PROXY)).toMatchObject({
    publicOrigin: 'https://rubrica.notaria.mx',
    trustedProxies: ['127.0.0.1'],
  })
  const { tls } = readConfig('start', { ...OWN_TLS, INIT_CWD: '/srv/rubrica' })
  expect(tls).toEqual({ certificate: '/srv/rubrica/chain.pem', key: '/srv/rubrica/key.pem' })
  const { PUBLIC_ORIGIN: _, ...files } = OWN_TLS
  expect(readConfig('start', files).publicOrigin).toBe('https://localhost:3000')
  expect(readConfig('start', { ...OWN_TLS, HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  expect(readConfig('start', { ...BEHIND_PROXY, HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
})

test.each([
  ['clear text for everyone', { PUBLIC_ORIGIN: 'http://rubrica.notaria.mx' }, 'https://'],
  ['a loopback that is no name', { PUBLIC_ORIGIN: 'http://127.0.0.1:3000' }, 'localhost'],
  [
    'an address instead of a name',
    { ...BEHIND_PROXY, PUBLIC_ORIGIN: 'https://10.1.2.3' },
    'nombre',
  ],
  ['a path', { ...BEHIND_PROXY, PUBLIC_ORIGIN: 'https://notaria.mx/rubrica' }, 'solo la dirección'],
  ['a user', { ...BEHIND_PROXY, PUBLIC_ORIGIN: 'https://a@notaria.mx' }, 'solo la dirección'],
  ['https by nobody', { PUBLIC_ORIGIN: 'https://rubrica.notaria.mx' }, 'TLS_CERT_FILE'],
  ['files for http', { ...OWN_TLS, PUBLIC_ORIGIN: 'http://localhost:3000' }, 'https://'],
  ['half of the files', { TLS_CERT_FILE: 'chain.pem' }, 'van juntos'],
  ['an open port in clear text', { HOST: '0.0.0.0' }, 'TRUST_PROXY'],
  ['an open port in clear text, IPv6', { HOST: '::' }, 'TRUST_PROXY'],
  ['everybody as a proxy', { TRUST_PROXY: '0.0.0.0/0' }, 'toda la red'],
  ['everybody as a proxy, IPv6', { TRUST_PROXY: '::/0' }, 'toda la red'],
  ['the name of before', { TRUSTED_PROXIES: '127.0.0.1' }, 'TRUST_PROXY'],
])('refuses %s, and says what to do', (_, environment, said) => {
  const reading = () => readConfig('start', environment)
  expect(reading).toThrow(ConfigurationError)
  expect(reading).toThrow(said)
})

test.each([
  ['PORT', '99999', 'PORT debe ser un número de puerto'],
  ['PUBLIC_ORIGIN', 'rubrica.notaria.mx', 'con https://'],
  ['DATABASE_URL', 'mysql://ana:secreto@servidor/base', 'PostgreSQL'],
  ['LOG_LEVEL', 'todo', 'LOG_LEVEL debe ser'],
  ['TRUST_PROXY', 'abc', 'direcciones IP o redes'],
])('%s=%s is refused with a sentence that says what to do', (name, value, sentence) => {
  const read = () => readConfig('start', { [name]: value })
  expect(read).toThrow(ConfigurationError)
  expect(read).toThrow(sentence)
  expect(read).not.toThrow(/secreto|Invalid|expected/)
})
