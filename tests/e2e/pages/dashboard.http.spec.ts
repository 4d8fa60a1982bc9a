import { expect } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'

test('dashboard: four figures, each with the line of its weeks, and the list behind it that the role opens', async ({
  demo,
  person,
}) => {
  const read = async (who: 'ADMIN' | 'CLERK') => {
    const client = await signedInClient(demo.origin, person(who))
    const { status, text } = await client.get('/dashboard')
    expect(status).toBe(200)
    const [, part = ''] = /En los últimos 30 días(.*?)<\/ul>/s.exec(text) ?? []
    return part
  }
  const NAMES = [
    'Documentos subidos',
    'Firmas',
    'Sesiones de firma completadas',
    'Verificaciones del público',
  ]
  const part = await read('ADMIN')
  const figures = part.split('<li').slice(1)
  expect(figures).toHaveLength(4)
  for (const [index, figure] of figures.entries()) {
    expect(figure).toContain(NAMES[index])
    expect(figure).toMatch(/<strong[^>]*>[\d,]+<\/strong>/)
    const [, weeks = ''] = /aria-label="Por semana[^"]*: ([\d, ]+)"/.exec(figure) ?? []
    expect(weeks.split(', ')).toHaveLength(12)
    const [, points = ''] = /<polyline points="([^"]+)"/.exec(figure) ?? []
    expect(points.split(' ')).toHaveLength(12)
  }
  // The demo office has uploaded and signed.
  expect(figures[0]).not.toMatch(/<strong[^>]*>0<\/strong>/)
  expect(figures[0]).toContain('href="/dashboard/documents"')
  expect(figures[3]).toContain('/dashboard/audit?')
  expect(await read('CLERK')).not.toContain('/dashboard/audit?')
})

test('dashboard: the newest alerts of its reader, with what to do, and none of other people', async ({
  demo,
  person,
  newcomer,
  rows,
}) => {
  const other = await signedInClient(demo.origin, person('ADMIN'))
  const reader = await signedInClient(demo.origin, newcomer)
  const [user] = rows.all<{ office_id: string }>(
    'select office_id from users where id = ?',
    newcomer.id,
  )
  const [id, now] = [crypto.randomUUID(), Date.now()]
  rows.change(
    `insert into alerts (id, office_id, user_id, kind, severity, subject_kind, subject_id, facts, occasion, at, state, state_since, occurrences)
     values (?, ?, ?, 'session-late', 'warning', 'nothing', null, '{"session":"Venta de la casa azul","missing":2}', ?, ?, 'open', ?, 1)`,
    ...[id, user?.office_id, newcomer.id, `test:${id}`, now, now],
  )
  const own = (await reader.get('/dashboard')).text
  expect(own).toContain('Sesión de firma vencida')
  expect(own).toContain('Venta de la casa azul')
  expect(own).toContain('faltan 2 firmas. Amplíe el plazo o cancele la sesión en su página.')
  expect(own).toContain('href="/dashboard/alerts"')
  expect((await other.get('/dashboard')).text).not.toContain('Venta de la casa azul')
})

test('pages with linked styles: announce each style sheet before the scripts, others announce none', async ({
  demo,
  person,
}) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  const read = async (path: string) => {
    const { text, headers } = await client.get(path)
    const linked = text.matchAll(/<link[^>]* rel="stylesheet" href="([^"]+)"/g)
    return { linked: Array.from(linked, ([, href]) => href), announced: headers.link }
  }
  for (const path of ['/dashboard', '/dashboard/documents']) {
    const { linked, announced } = await read(path)
    expect(linked.length).toBeGreaterThan(2)
    expect(announced).toBe(linked.map((href) => `<${href}>; rel=preload; as=style`).join(', '))
  }
  expect(await read('/verify/document')).toEqual({ linked: [], announced: undefined })
})
