import { expect, test } from 'vitest'
import { ConfigurationError, readConfig } from '#server/config.ts'

const proxiesIn = (text: string) => readConfig('start', { TRUST_PROXY: text }).trustedProxies

const BEHIND_PROXY = { PUBLIC_ORIGIN: 'https://rubrica.notaria.mx', TRUST_PROXY: '127.0.0.1' }
const OWN_TLS = {
  PUBLIC_ORIGIN: 'https://rubrica.notaria.mx',
  TLS_CERT_FILE: 'chain.pem',
  TLS_KEY_FILE: 'key.pem',
}

test('proxy headers are ignored unless the operator configures a proxy', () => {
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

test('dev: keeps its data apart from the demo, unless it is told where', () => {
  const INIT_CWD = '/srv'
  expect(readConfig('dev', { INIT_CWD }).dataFolder).toBe('/srv/data/dev')
  expect(readConfig('demo', { INIT_CWD }).dataFolder).toBe('/srv/data')
  expect(readConfig('dev', { INIT_CWD, DATA_DIR: 'other' }).dataFolder).toBe('/srv/other')
})

test.each([
  ['a network', { HOST: '0.0.0.0', TRUST_PROXY: '127.0.0.1' }],
  ['a public name', BEHIND_PROXY],
  ['TLS', OWN_TLS],
  ['a proxy', { TRUST_PROXY: '127.0.0.1' }],
])('dev: refuses %s', (_, environment) => {
  expect(() => readConfig('dev', environment)).toThrow('solo atiende en esta misma máquina')
})

test('tokens sign by the library that the operator names', () => {
  const { pkcs11Module } = readConfig('start', { PKCS11_MODULE: 'p11.so', INIT_CWD: '/srv' })
  expect(pkcs11Module).toBe('/srv/p11.so')
  expect(readConfig('start', {})).not.toHaveProperty('pkcs11Module')
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
  [
    'https without TLS and without a proxy',
    { PUBLIC_ORIGIN: 'https://rubrica.notaria.mx' },
    'TLS_CERT_FILE',
  ],
  ['files for http', { ...OWN_TLS, PUBLIC_ORIGIN: 'http://localhost:3000' }, 'https://'],
  ['half of the files', { TLS_CERT_FILE: 'chain.pem' }, 'van juntos'],
  ['an open port in clear text', { HOST: '0.0.0.0' }, 'TRUST_PROXY'],
  ['an open port in clear text, IPv6', { HOST: '::' }, 'TRUST_PROXY'],
  ['the whole network as a proxy', { TRUST_PROXY: '0.0.0.0/0' }, 'toda la red'],
  ['the whole network as a proxy, IPv6', { TRUST_PROXY: '::/0' }, 'toda la red'],
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
  ['METRICS_PORT', 'a', 'METRICS_PORT debe ser'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'colector:4317', 'OTEL_EXPORTER_OTLP_ENDPOINT debe ser'],
  ['DRAIN_SECONDS', '301', 'DRAIN_SECONDS debe ser'],
  ['TRUST_PROXY', 'abc', 'direcciones IP o redes'],
])('%s=%s is refused with a sentence that says what to do', (name, value, sentence) => {
  const read = () => readConfig('start', { [name]: value })
  expect(read).toThrow(ConfigurationError)
  expect(read).toThrow(sentence)
  expect(read).not.toThrow(/secreto|Invalid|expected/)
})

test('without a server for mail there is none', () => {
  expect(readConfig('start', {}).mail).toBeUndefined()
})

const MAIL_FROM = 'Notaría 12 <rubrica@notaria.mx>'

test.each([
  ['smtp://correo.notaria.mx', { host: 'correo.notaria.mx', port: 587, security: 'starttls' }],
  ['smtps://correo.notaria.mx', { host: 'correo.notaria.mx', port: 465, security: 'tls' }],
  ['smtp://localhost:2525/', { host: 'localhost', port: 2525, security: 'none' }],
  ['smtp://[::1]:25', { host: '::1', port: 25, security: 'none' }],
  ['smtp://10.1.2.3:25', { host: '10.1.2.3', port: 25, security: 'starttls' }],
  [
    'smtp://ana%40notaria.mx:a%3Ab%2Fc@correo.notaria.mx',
    { credentials: { user: 'ana@notaria.mx', password: 'a:b/c' } },
  ],
])('%s is a server for mail', (SMTP_URL, mail) => {
  expect(readConfig('start', { SMTP_URL, MAIL_FROM }).mail).toMatchObject({
    ...mail,
    from: { name: 'Notaría 12', address: 'rubrica@notaria.mx' },
  })
})

test.each([
  'correo.notaria.mx:587',
  'http://correo.notaria.mx',
  'smtp://',
  'smtp://ana@correo.notaria.mx',
  'smtp://correo.notaria.mx/otro',
  'smtp://correo.notaria.mx?secure=false',
  'smtp://ana:%zz@correo.notaria.mx',
])('%s is no server for mail, and its password is not repeated', (SMTP_URL) => {
  const reading = () => readConfig('start', { SMTP_URL, MAIL_FROM })
  expect(reading).toThrow('SMTP_URL debe ser la dirección de un servidor de correo')
  expect(reading).not.toThrow('%zz')
})

test('a sender is an address, with or without a name', () => {
  const senderOf = (from: string) =>
    readConfig('start', { SMTP_URL: 'smtp://localhost', MAIL_FROM: from }).mail?.from
  expect(senderOf('rubrica@notaria.mx')).toEqual({ name: '', address: 'rubrica@notaria.mx' })
  expect(senderOf('"Notaría 12" <rubrica@notaria.mx>')?.name).toBe('Notaría 12')
  for (const wrong of ['Notaría 12', 'a@b, c@d.mx', 'Notaría\r\nBcc: a@b.mx <rubrica@notaria.mx>'])
    expect(() => senderOf(wrong)).toThrow('MAIL_FROM debe ser el remitente')
})

test('a server and a sender go together', () => {
  expect(() => readConfig('start', { MAIL_FROM })).toThrow('van juntos')
  expect(() => readConfig('start', { SMTP_URL: 'smtp://localhost' })).toThrow('van juntos')
})

test('metrics are published only where a port is given, and on this machine unless a host is', () => {
  expect(readConfig('start', {}).metrics).toBeUndefined()
  expect(readConfig('start', { METRICS_PORT: '9464' }).metrics).toEqual({
    ...{ host: '127.0.0.1', port: 9464 },
  })
  const given = { METRICS_PORT: '9464', METRICS_HOST: '10.0.0.3' }
  expect(readConfig('start', given).metrics?.host).toBe('10.0.0.3')
})

test('traces are sent only where a collector is given', () => {
  expect(readConfig('start', {}).isTraced).toBe(false)
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(readConfig('start', given).isTraced).toBe(true)
})

test('a line for each request is written in real use, and not on the terminal of a demo', () => {
  expect(readConfig('start', {}).logLevel).toBe('info')
  expect(readConfig('demo', {}).logLevel).toBe('warn')
  expect(readConfig('demo', { LOG_LEVEL: 'info' }).logLevel).toBe('info')
})
