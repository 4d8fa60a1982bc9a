import { expect } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { codeOf, test } from '#tests/e2e/support/newcomers.ts'

test('new backup codes are sealed for their session and appear in no URL', async ({
  demo,
  newcomer,
  person,
}) => {
  const client = await signedInClient(demo.origin, newcomer)
  await client.post('/setup-mfa', { method: 'TOTP' })
  const setup = await client.get('/setup-mfa/app')
  expect(setup.headers['cache-control']).toBe('no-store')
  const secret = /secret=([A-Z2-7]+)/.exec(setup.text)?.[1] ?? ''
  const made = await client.post('/setup-mfa/app', { code: codeOf(secret) })
  expect([made.status, made.headers.location]).toEqual([
    303,
    '/setup-mfa/backup-codes?returnUrl=%2Fdashboard',
  ])
  const line = made.headers['set-cookie']?.find((one) => one.startsWith('__Host-backup-codes='))
  expect(line).toMatch(/; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/)

  const page = await client.get('/setup-mfa/backup-codes')
  expect(page.headers['cache-control']).toBe('no-store')
  const codes = [...page.text.matchAll(/<code>([0-9A-Z-]{14})<\/code>/g)].map(([, code]) => code)
  expect(codes).toHaveLength(10)
  const file = await client.get('/setup-mfa/backup-codes.txt')
  expect(file.headers['content-disposition']).toContain('attachment')
  expect(file.headers['cache-control']).toBe('no-store')
  for (const code of codes) {
    expect(file.text).toContain(code)
    expect(Buffer.from(line ?? '', 'base64').toString('latin1')).not.toContain(code)
    expect(line).not.toContain(code)
  }

  const sealed = client.cookies.get('__Host-backup-codes') ?? ''
  const stranger = await signedInClient(demo.origin, person('CLERK'))
  for (const value of [sealed, sealed.slice(0, -2), `9${sealed}`, 'x', '1.']) {
    stranger.cookies.set('__Host-backup-codes', value)
    const answer = await stranger.get('/setup-mfa/backup-codes')
    expect([value, answer.status]).toEqual([value, 200])
    expect(answer.text).toContain('Los códigos ya no se muestran.')
    stranger.cookies.set('__Host-backup-codes', value)
    expect((await stranger.get('/setup-mfa/backup-codes.txt')).status).toBe(302)
  }
  await client.post('/setup-mfa/backup-codes', {})
  expect(client.cookies.has('__Host-backup-codes')).toBe(false)
})
