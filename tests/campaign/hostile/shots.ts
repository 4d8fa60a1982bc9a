import { multipart, type Part } from '#tests/e2e/support/http.ts'
import type { Random } from '#tests/fuzz/random.ts'
import type { FileKind, HostileFile } from './files.ts'
import { aJson, aName, aText } from './texts.ts'

/** One hostile input. */
export type Shot = {
  family: string
  /** Who sends it; signed-in users have valid cookies and tokens of forms. */
  as: 'stranger' | 'staff'
  method: string
  path: string
  headers: Record<string, string>
  body?: Uint8Array | string
  /** Sent as it is over a connection of its own, instead of all this. */
  raw?: Uint8Array
}

export type Ammunition = {
  /** Paths with an action. */
  forms: readonly string[]
  /** Paths of calls. */
  calls: readonly { method: string; path: string }[]
  file: HostileFile
  /** Of the key in these files. */
  keyPassword: string
  /** The host, for raw requests. */
  host: string
}

type Family = {
  weight: number
  make(random: Random, ammunition: Ammunition): Omit<Shot, 'family'>
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const FORM = 'application/x-www-form-urlencoded'

const FAMILIES: Record<string, Family> = {
  forms: { weight: 18, make: aForm },
  JSON: { weight: 18, make: aCall },
  multipart: { weight: 12, make: aMultipart },
  headers: { weight: 12, make: headersOf },
  cookies: { weight: 10, make: cookiesOf },
  addresses: { weight: 10, make: anAddress },
  'raw requests': { weight: 6, make: aRawRequest },
  PDF: { weight: 5, make: fileTo('pdf', '/verify/document/report.json', 'file') },
  'PDF upload': { weight: 1, make: anUpload },
  certificates: { weight: 2, make: aPreparation },
  'e.firmas': { weight: 2, make: anEfirma },
  'PKCS#12': { weight: 1, make: aPkcs12 },
  CMS: { weight: 2, make: fileTo('cms', '/dashboard/settings/authorities/new', 'file') },
  zip: { weight: 1, make: fileTo('zip', '/dashboard/settings/authorities/new', 'file') },
}

const LOT = Object.entries(FAMILIES).flatMap(([name, { weight }]) =>
  Array.from({ length: weight }, () => name),
)

/** Stands for the token of the sender's forms. */
export const TOKEN = 'the-token-of-the-sender'

export function aShot(random: Random, ammunition: Ammunition): Shot {
  const family = random.pick(LOT)
  const shot = FAMILIES[family]?.make(random, ammunition)
  if (!shot) throw new Error(family)
  return { ...shot, family }
}

const some = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: random.below(most) }, make)

function pairsOf(random: Random): [string, string][] {
  const token = random.below(4) === 0 ? aText(random) : TOKEN
  const length = random.below(50) === 0 ? 5_000 : 8
  return [
    ['csrf', token],
    ...some(random, length, (): [string, string] => [aName(random), aText(random)]),
  ]
}

function aForm(random: Random, { forms }: Ammunition): Omit<Shot, 'family'> {
  const text = new URLSearchParams(pairsOf(random)).toString()
  const broken = [
    `${text}&%`,
    `${text}&%zz=%ff`,
    text.replaceAll('&', ';'),
    `${text}\0`,
    `&&&${text}`,
  ]
  const body = random.below(4) === 0 ? random.pick(broken) : text
  return { ...to(random, 'POST', random.pick(forms)), headers: { 'Content-Type': FORM }, body }
}

function aCall(random: Random, { calls }: Ammunition): Omit<Shot, 'family'> {
  const { method, path } = random.pick(calls)
  const place = path.replace(/\{[^}]*\}/g, () => encoded(aText(random).slice(0, 200)))
  const type = random.pick([
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    '',
  ])
  const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type }
  const body = method === 'GET' ? {} : { body: aJson(random) }
  return { ...to(random, method, place), headers, ...body }
}

function aMultipart(random: Random, { forms, file }: Ammunition): Omit<Shot, 'family'> {
  const parts: Part[] = pairsOf(random).map(([name, content]) => ({
    name: name.replace(/["\r\n]/g, ''),
    content: content.slice(0, 20_000),
    ...(random.below(4) === 0 && {
      fileName: aText(random)
        .replace(/["\r\n]/g, '')
        .slice(0, 500),
    }),
  }))
  if (random.below(3) === 0)
    parts.push({ name: 'file', fileName: 'a', content: file('pdf', random) })
  const { type, body } = multipart(parts)
  const cut = random.below(3) === 0 ? body.slice(0, random.below(body.length)) : body
  const boundaries = [type, 'multipart/form-data', 'multipart/form-data; boundary=', `${type}x`]
  const types = [
    ...boundaries,
    'multipart/mixed; boundary=rubrica-3f1c9a',
    `${type}; charset=utf-7`,
  ]
  const headers = { 'Content-Type': random.below(2) === 0 ? type : random.pick(types) }
  return { ...to(random, 'POST', random.pick(forms)), headers, body: cut }
}

const HEADERS: readonly string[] = [
  ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Authorization', 'Range', 'If-None-Match'],
  ...[
    'If-Modified-Since',
    'If-Range',
    'Origin',
    'Referer',
    'User-Agent',
    'Content-Type',
    'X-Request-Id',
  ],
  ...[
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'Forwarded',
    'Sec-Fetch-Site',
    'Expect',
    'Upgrade',
    'TE',
  ],
  ...[
    'Content-Encoding',
    'X-HTTP-Method-Override',
    'Via',
    'Host',
    'Connection',
    'Date',
    'DNT',
    'Cookie2',
  ],
]
const VALUES: readonly string[] = [
  ...[
    'bytes=0-',
    'bytes=-1',
    'bytes=0-0,1-1,2-2',
    'bytes=99999999999999999999-',
    'gzip;q=1.5',
    'br, gzip, *',
  ],
  ...[
    'Bearer ',
    'Bearer a.b.c',
    'Basic Og==',
    'null',
    'https://evil.example',
    'websocket',
    '100-continue',
  ],
  ...[
    'es-MX;q=0.00000001',
    'a'.repeat(8_000),
    `${'a,'.repeat(4_000)}b`,
    'for="[::1"',
    'chunked',
    'deflate',
  ],
]

function headersOf(random: Random, { forms }: Ammunition): Omit<Shot, 'family'> {
  const value = () => printable(random.below(2) === 0 ? random.pick(VALUES) : aText(random))
  const headers = Object.fromEntries(some(random, 6, () => [random.pick(HEADERS), value()]))
  return {
    ...to(random, random.pick(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']), random.pick(forms)),
    headers,
  }
}

/** What Node's client sends at all; raw requests hold the rest. */
const printable = (text: string) => text.replace(/[^\t\x20-\x7e]/g, '?').slice(0, 8_000)

const COOKIES: readonly string[] = [
  ...['__Host-session', '__Host-refresh_token', '__Host-sign-in', '__Host-flash', '__Host-browser'],
  ...[
    'csrftoken',
    '__Host-activation',
    '__Host-signing-link',
    '__Host-backup-codes',
    'theme',
    '__proto__',
  ],
]

function cookiesOf(random: Random, { forms }: Ammunition): Omit<Shot, 'family'> {
  const value = () =>
    random.pick([
      () => encoded(aText(random).slice(0, 1_000)),
      () => Buffer.from(random.bytes(random.below(100))).toString('base64url'),
      () => printable(aText(random)).slice(0, 1_000),
    ])()
  const pairs = some(
    random,
    random.below(20) === 0 ? 200 : 6,
    () => `${random.pick(COOKIES)}=${value()}`,
  )
  const Cookie = pairs.join(random.pick(['; ', ';', ',', '; ; '])).slice(0, 12_000)
  return { ...to(random, random.pick(['GET', 'POST']), random.pick(forms)), headers: { Cookie } }
}

function anAddress(random: Random, { forms }: Ammunition): Omit<Shot, 'family'> {
  const piece = () => encoded(aText(random).slice(0, 2_000))
  const base = random.pick(forms).replace(/[0-9a-f-]{36}/g, piece)
  const query = new URLSearchParams(
    some(random, 5, () => [aName(random), aText(random).slice(0, 2_000)]),
  )
  const odd = [
    '%',
    '%00',
    '/..%2f..%2fetc/passwd',
    '//',
    '/.',
    '.data',
    '.data?_routes=',
    '%ff%fe',
    '/%2e%2e/',
  ]
  const path = `${base}${random.below(2) === 0 ? random.pick(odd) : ''}?${query}`.slice(0, 14_000)
  return { ...to(random, random.pick(['GET', 'HEAD', 'POST']), path), headers: {} }
}

/** What no client library sends: wrong framing, broken lines, control characters. */
function aRawRequest(random: Random, { host, forms }: Ammunition): Omit<Shot, 'family'> {
  const path = random.pick(forms)
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n`
  const wrong = [
    `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nabc`,
    `${head}Transfer-Encoding: chunked\r\n\r\n5;${'a'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`,
    `${head}Transfer-Encoding: xchunked\r\n\r\n`,
    `${head}Content-Length: -1\r\n\r\n`,
    `${head}Content-Length: 99999999999999999999\r\n\r\nabc`,
    `${head}${'X: a\r\n'.repeat(3_000)}\r\n`,
    `${head}X: ${'a'.repeat(40_000)}\r\n\r\n`,
    `${head}Host: evil.example\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n\r\n`,
    `GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET * HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n`,
    `GET ${path} HTTP/9.9\r\nHost: ${host}\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00',
  ].map((text) => Buffer.from(text, 'latin1'))
  const raw = Buffer.from(random.pick(wrong))
  // A byte or two of it may be different.
  for (let count = random.below(3); count > 0; count--)
    raw[random.below(raw.length)] = random.below(256)
  return { as: 'stranger', method: 'raw', path, headers: {}, raw }
}

function fileTo(kind: FileKind, path: string, name: string): Family['make'] {
  return (random, { file }) =>
    sentParts(path, [
      { name: 'csrf', content: TOKEN },
      { name, fileName: `a.${kind}`, content: file(kind, random) },
    ])
}

function anUpload(random: Random, { file }: Ammunition): Omit<Shot, 'family'> {
  return sentParts('/dashboard/documents/new', [
    { name: 'csrf', content: TOKEN },
    { name: 'title', content: aText(random).slice(0, 200) || 'Escritura' },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'a.pdf', content: file('pdf', random) },
  ])
}

const documentIn = (random: Random, { forms }: Ammunition) =>
  random.pick(forms.filter((path) => /^\/dashboard\/documents\/[0-9a-f-]{36}\/sign$/.test(path)))

function aPreparation(random: Random, ammunition: Ammunition): Omit<Shot, 'family'> {
  const certificate = Buffer.from(ammunition.file('certificate', random)).toString('base64')
  const body = new URLSearchParams({ csrf: TOKEN, version: '1', certificate }).toString()
  const headers = { 'Content-Type': FORM }
  const path = `${documentIn(random, ammunition)}/prepare`
  return { as: 'staff', method: 'POST', path, headers, body }
}

const signing = (random: Random, ammunition: Ammunition, files: readonly Part[]) =>
  sentParts(`${documentIn(random, ammunition)}/without-scripts`, [
    { name: 'csrf', content: TOKEN },
    { name: 'version', content: '1' },
    { name: 'consent', content: 'yes' },
    { name: 'password', content: random.below(3) === 0 ? aText(random) : ammunition.keyPassword },
    ...files,
  ])

function anEfirma(random: Random, ammunition: Ammunition): Omit<Shot, 'family'> {
  const [certificate, key] = [
    ammunition.file('certificate', random),
    ammunition.file('key', random),
  ]
  return signing(random, ammunition, [
    { name: 'certificate', fileName: 'e.cer', content: certificate },
    { name: 'privateKey', fileName: 'e.key', content: key },
  ])
}

function aPkcs12(random: Random, ammunition: Ammunition): Omit<Shot, 'family'> {
  const content = ammunition.file('pkcs12', random)
  return signing(random, ammunition, [{ name: 'pkcs12', fileName: 'e.p12', content }])
}

function sentParts(path: string, parts: readonly Part[]): Omit<Shot, 'family'> {
  const { type, body } = multipart(parts)
  return { as: 'staff', method: 'POST', path, headers: { 'Content-Type': type }, body }
}

const to = (random: Random, method: string, path: string) => ({
  as: random.below(2) === 0 ? ('stranger' as const) : ('staff' as const),
  method,
  path,
})
