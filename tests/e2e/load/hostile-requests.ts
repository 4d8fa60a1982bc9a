import { randomUUID } from 'node:crypto'
import { multipart, type Part } from '#tests/e2e/support/http.ts'
import { mutatingRoutes } from '#tests/security/support/routes.ts'
import type { FullOffice } from '#tests/support/office/full-office.ts'

/** A request that a stranger, a guest or a user with bad intentions could send. */
export type Hostile = {
  /** For the list of what takes long. */
  name: string
  as: 'stranger' | 'guest' | 'member'
  method: string
  path: string
  headers?: Record<string, string>
  /** The token is that of the sender's browser. */
  body?: (token: string) => { type: string; content: string | Uint8Array }
}

/** The largest form that is read. */
const FORM = 500 * 1024
const URL_ENCODED = 'application/x-www-form-urlencoded'

/** Bodies for every form: what is large, nested, repeated or malformed. */
const FORMS: Record<string, (token: string) => string> = {
  'one field of 500 KB': (csrf) => `csrf=${csrf}&a=${'a'.repeat(FORM)}`,
  'percent signs': (csrf) => `csrf=${csrf}&a=${'%'.repeat(60_000)}`,
  'encoded letters': (csrf) => `csrf=${csrf}&title=${'%C3%A1'.repeat(80_000)}`,
  'broken encoding': (csrf) => `csrf=${csrf}&title=${'%F0%9F'.repeat(80_000)}`,
  'many fields': (csrf) => `csrf=${csrf}${'&a=b'.repeat(120_000)}`,
  'one name many times': (csrf) => `csrf=${csrf}${'&document=1'.repeat(500)}`,
  'combining marks': (csrf) => `csrf=${csrf}&title=a${'%CC%81'.repeat(80_000)}`,
  'every field at once': (csrf) => `csrf=${csrf}&${namesWith('x'.repeat(8000))}`,
  'every field of spaces': (csrf) => `csrf=${csrf}&${namesWith('+'.repeat(8000))}`,
}

/** Names that forms of this system read. */
const NAMES = [
  'email',
  'password',
  'code',
  'title',
  'reason',
  'name',
  'rfc',
  'message',
  'deadline',
  'text',
  'newPassword',
  'confirmPassword',
  'certificate',
  'character',
  'url',
  'short',
  'full',
]
const namesWith = (value: string) => NAMES.map((name) => `${name}=${value}`).join('&')

/** Each form with each body. */
export function hostileForms(): Hostile[] {
  return [...mutatingRoutes(), '/verify'].flatMap((path) =>
    Object.entries(FORMS).map(([name, content]) => ({
      ...{ name: `form ${name}`, as: path.startsWith('/dashboard') ? 'member' : 'stranger' },
      ...{ method: 'POST', path },
      body: (token: string) => ({ type: URL_ENCODED, content: content(token) }),
    })),
  ) as Hostile[]
}

/** The largest JSON that is read. */
const JSON_BYTES = 64_000

const JSONS: Record<string, string> = {
  'arrays in arrays': '['.repeat(JSON_BYTES / 2) + ']'.repeat(JSON_BYTES / 2),
  'objects in objects': `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
  'many names': `{${Array.from({ length: 5000 }, (_, at) => `"a${at}":1`).join(',')}}`,
  'one name twice': `{"email":"a","email":"b"${',"x":1'.repeat(9000)}}`,
  'a long number': `{"version":${'9'.repeat(JSON_BYTES)}}`,
  'a long text': JSON.stringify({ email: 'a'.repeat(JSON_BYTES), password: 'x' }),
  'an address of dots': JSON.stringify({ email: `${'a.'.repeat(30_000)}@b.mx`, password: 'x' }),
  escapes: `{"code":"${'\\u0061'.repeat(10_000)}"}`,
  'lone surrogates': `{"name":"${'\\ud800'.repeat(10_000)}"}`,
  base64: JSON.stringify({ version: 1, certificate: 'A'.repeat(16_384), signature: 'A' }),
}

/** Each call that takes a body, with each body. */
export function hostileCalls(calls: readonly { method: string; template: string }[]): Hostile[] {
  return calls
    .filter(({ method }) => method !== 'GET')
    .flatMap(({ method, template }) =>
      Object.entries(JSONS).map(([name, content]) => ({
        ...{ name: `JSON ${name}`, as: 'member' as const, method },
        path: `/api/v1${template.replaceAll(/\{\w+\}/g, randomUUID())}`,
        body: () => ({ type: 'application/json', content }),
      })),
    )
}

const HEADERS: Record<string, Record<string, string>> = {
  'many cookies': { Cookie: Array.from({ length: 900 }, (_, at) => `c${at}=1`).join('; ') },
  'a long cookie': { Cookie: `__Host-session=${'a'.repeat(12_000)}` },
  'cookies of separators': { Cookie: ';='.repeat(6000) },
  'encoded cookies': { Cookie: `flash=${'%E1%'.repeat(3000)}` },
  'a range of many': { Range: `bytes=${'0-1,'.repeat(3000)}` },
  'many entity tags': { 'If-None-Match': '"a",'.repeat(3000) },
  'many languages': { 'Accept-Language': 'es-MX;q=0.1,'.repeat(1000) },
  'many encodings': { 'Accept-Encoding': 'gzip;q=0.1,'.repeat(1000) },
  'a long token': { Authorization: `Bearer ${'a.'.repeat(6000)}` },
  'a long browser': { 'User-Agent': 'Mozilla/5.0 (('.repeat(900) },
  'many hosts before': { 'X-Forwarded-For': '1.1.1.1,'.repeat(1500) },
}

/** Each header at pages of each kind, and addresses as hostile. */
export function hostileHeaders({ signed }: FullOffice): Hostile[] {
  const pages = ['/', '/login', '/verify/document', `/verify/${signed.id}`, '/dashboard', '/sign']
  const asked = (path: string, name: string, headers: Record<string, string> = {}): Hostile => ({
    ...{ name, as: 'stranger', method: 'GET', path, headers },
  })
  return [
    ...pages.flatMap((path) =>
      Object.entries(HEADERS).map(([name, headers]) => asked(path, `header ${name}`, headers)),
    ),
    ...[
      `/verify/${'a'.repeat(14_000)}`,
      `/${'%2e%2e/'.repeat(2000)}`,
      `/${'a/'.repeat(7000)}`,
      `/login?returnUrl=${'%2F'.repeat(4000)}`,
      `/dashboard/documents?text=${'%25'.repeat(4000)}`,
      `/dashboard/audit?from=${'9'.repeat(10_000)}`,
      `/verify?code=${'A-'.repeat(6000)}`,
    ].map((path) => asked(path, 'address')),
  ]
}

const file = (content: string | Uint8Array, name = 'file', fileName = 'a.pdf'): Part => ({
  ...{ name, fileName, content },
})

/** A file in the form at this address. */
export const hostileFile = (
  name: string,
  { as, path, field = 'file', more = [] }: FileForm,
  content: Uint8Array,
): Hostile => ({
  ...{ name, as, path, method: 'POST' },
  body(token) {
    const parts = [{ name: 'csrf', content: token }, ...more, file(content, field)]
    const { type, body } = multipart(parts)
    return { type, content: body }
  },
})

export type FileForm = {
  as: Hostile['as']
  path: string
  field?: string
  more?: readonly Part[]
}

/** Multipart bodies that are none, or of nothing but boundaries and headers. */
export function hostileMultiparts(): Hostile[] {
  const type = 'multipart/form-data; boundary=x'
  const bodies: Record<string, string> = {
    'boundaries alone': '--x\r\n'.repeat(100_000),
    'a boundary that never comes': '--x\r\n\r\n'.concat('\r\n--'.repeat(100_000)),
    'headers alone': `--x\r\n${'A: b\r\n'.repeat(80_000)}\r\n--x--`,
    'one long header': `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(400_000)}"\r\n\r\n--x--`,
    'quoted names': `--x\r\nContent-Disposition: form-data; name="${'\\"'.repeat(100_000)}"\r\n\r\n--x--`,
    'many parts': '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(8000),
  }
  return ['/verify/document', '/login', '/dashboard/documents/new'].flatMap((path) =>
    Object.entries(bodies).map(([name, content]) => ({
      ...{ name: `multipart ${name}`, method: 'POST', path },
      as: path.startsWith('/dashboard') ? ('member' as const) : ('stranger' as const),
      body: () => ({ type, content }),
    })),
  )
}
