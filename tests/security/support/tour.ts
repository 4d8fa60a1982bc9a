import { DASHBOARD_STOPS, PUBLIC_STOPS } from '#tests/e2e/support/site-map.ts'
import type { Answered, Client } from './suite.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** One answer of every kind that the service has, by what was asked: pages, data, calls, files, refusals. */
export async function tour(client: Client, stranger: Client): Promise<Map<string, Answered>> {
  const answers = new Map<string, Answered>()
  const ask = async (who: Client, method: string, path: string, sent = {}) => {
    const whose = who === client ? 'a person' : 'a stranger'
    answers.set(`${method} ${path} by ${whose}`, await who.raw(path, { method, ...sent }))
  }
  for (const { path } of DASHBOARD_STOPS) await ask(client, 'GET', path)
  for (const path of ['/dashboard/documents.data', '/dashboard/no-such-page', '/setup-mfa'])
    await ask(client, 'GET', path)
  for (const path of ['sessions', 'session', 'session/validate', 'webauthn/credentials'])
    await ask(client, 'GET', `/api/v1/auth/${path}`)

  for (const { path } of PUBLIC_STOPS) await ask(stranger, 'GET', path)
  for (const path of ['/dashboard', '/dashboard.data', '/mfa', '/no-such-page', '/robots.txt'])
    await ask(stranger, 'GET', path)
  for (const path of ['/api', '/api/v1/auth/sessions', '/api/v1/auth/health', '/api/v1/nothing'])
    await ask(stranger, 'GET', path)
  await ask(stranger, 'GET', assetIn(answers.get('GET / by a stranger')))
  await ask(stranger, 'GET', '/assets/no-such-file.js')

  await ask(stranger, 'TRACE', '/')
  await ask(stranger, 'PUT', '/login')
  await ask(stranger, 'OPTIONS', '/login')
  await ask(stranger, 'PATCH', '/api/v1/auth/login')
  const foreign = { ...FORM, Origin: 'https://evil.example' }
  await ask(stranger, 'POST', '/login', { headers: foreign, body: 'email=a' })
  await ask(stranger, 'POST', '/api/v1/auth/login', { headers: foreign, body: 'email=a' })
  const ours = { ...FORM, Origin: client.origin }
  await ask(stranger, 'POST', '/login', { headers: ours, body: 'email=a' })
  await ask(stranger, 'POST', '/', { headers: ours, body: 'email=a' })
  await ask(stranger, 'POST', '/api/v1/auth/login', { headers: ours, body: 'email=a' })
  await ask(stranger, 'GET', '/login', { headers: { Host: 'evil.example' } })
  answers.set(
    'POST /login, wrong',
    await stranger.post('/login', { email: 'a@b.mx', password: 'x' }),
  )
  answers.set('POST /login, empty', await stranger.post('/login', {}))
  return answers
}

function assetIn(page: Answered | undefined): string {
  const found = /(?:src|href)="(\/assets\/[^"]+)"/.exec(page?.text ?? '')?.[1]
  return found ?? '/favicon.svg'
}

export const isPage = ({ headers }: Answered) => /text\/html/.test(headers['content-type'] ?? '')
export const typeOf = ({ headers }: Answered) => headers['content-type'] ?? ''
