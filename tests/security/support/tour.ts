import { DASHBOARD_STOPS, PUBLIC_STOPS } from '#tests/e2e/support/site-map.ts'
import { type Answered, type Client, expect } from './suite.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Pages that send a clerk to the dashboard. */
const FOR_ADMINISTRATORS =
  /^\/dashboard\/(?:users\/new|settings\/(?!(?:obligations(?:\/days)?|roles|authorities|providers)$).+|certificates\/keys\/(?:makers\/)?new)$/
/** Pages that a clerk may not see, without a guard before them. */
const REFUSED =
  /^\/dashboard\/(?:certificates\/keys\/makers|consents|retention|arco|arco\/new|reports\/(?:activity|accesses))$/

/**
 * One answer of every kind, by its request: pages, data, calls, files, refusals. Fails unless each has its expected
 * status, so that no test checks error pages only.
 *
 * @param client in which a clerk has signed in
 */
export async function tour(client: Client, stranger: Client): Promise<Map<string, Answered>> {
  const answers = new Map<string, Answered>()
  const add = (what: string, status: number, answer: Answered) => {
    expect([what, answers.has(what), answer.status]).toEqual([what, false, status])
    answers.set(what, answer)
  }
  const ask = async (who: Client, status: number, path: string, sent: Asked = {}) => {
    const { as = '', method = 'GET', ...rest } = sent
    const whose = who === client ? 'a person' : 'a stranger'
    add(`${method} ${path}${as} by ${whose}`, status, await who.raw(path, { method, ...rest }))
  }
  for (const { path } of DASHBOARD_STOPS)
    await ask(client, REFUSED.test(path) ? 403 : FOR_ADMINISTRATORS.test(path) ? 302 : 200, path)
  for (const path of ['/dashboard/documents.data', '/setup-mfa']) await ask(client, 200, path)
  await ask(client, 404, '/dashboard/no-such-page')
  for (const path of ['sessions', 'session', 'session/validate', 'webauthn/credentials'])
    await ask(client, 200, `/api/v1/auth/${path}`)

  for (const { path } of PUBLIC_STOPS) await ask(stranger, 200, path)
  for (const [path, status] of [
    ['/dashboard', 302],
    ['/dashboard.data', 202],
    ['/mfa', 303],
    ['/no-such-page', 404],
    ['/robots.txt', 200],
    ['/api', 404],
    ['/api/v1/auth/sessions', 401],
    ['/api/v1/auth/health', 200],
    ['/api/v1/nothing', 404],
  ] as const)
    await ask(stranger, status, path)
  await ask(stranger, 200, '/favicon.svg')
  await ask(stranger, 200, assetIn(answers.get('GET /dashboard by a person')))
  await ask(stranger, 404, '/assets/no-such-file.js')

  await ask(stranger, 405, '/', { method: 'TRACE' })
  await ask(stranger, 405, '/login', { method: 'PUT' })
  await ask(stranger, 405, '/login', { method: 'OPTIONS' })
  await ask(stranger, 405, '/api/v1/auth/login', { method: 'PATCH' })
  const post = { method: 'POST', body: 'email=a' }
  const foreign = { ...post, headers: { ...FORM, Origin: 'https://evil.example' } }
  const ours = { ...post, headers: { ...FORM, Origin: client.origin } }
  for (const path of ['/login', '/api/v1/auth/login']) {
    await ask(stranger, 403, path, { ...foreign, as: ' from another site' })
    await ask(stranger, 403, path, { ...ours, as: ' without a token' })
  }
  await ask(stranger, 405, '/', ours)
  await ask(stranger, 421, '/login', { headers: { Host: 'evil.example' }, as: ' of another host' })
  add('POST /login, wrong', 401, await stranger.post('/login', { email: 'a@b.mx', password: 'x' }))
  add('POST /login, empty', 422, await stranger.post('/login', {}))
  return answers
}

type Asked = Parameters<Client['raw']>[1] & {
  /** Distinguishes two requests with the same URL. */
  as?: string
}

function assetIn(page: Answered | undefined): string {
  const found = /(?:src|href)="(\/assets\/[^"]+\.js)"/.exec(page?.text ?? '')?.[1]
  if (!found) throw new Error('the page has no script')
  return found
}

export const isPage = ({ headers }: Answered) => /text\/html/.test(headers['content-type'] ?? '')
export const typeOf = ({ headers }: Answered) => headers['content-type'] ?? ''
