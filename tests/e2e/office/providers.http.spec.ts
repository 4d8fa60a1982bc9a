import { randomUUID } from 'node:crypto'
import { expect } from '#tests/e2e/support/fixtures.ts'
import { type Client, signedInClient } from '#tests/e2e/support/http.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'
import { expectForbidden, expectPageSendsAway } from '#tests/e2e/support/sent-away.ts'
import { ROLES } from '#tests/e2e/support/site-map.ts'

/** Every form takes effect at the end, which would concern the tests of the shared office. */
const test = withOwnOffice()

const SETTINGS = '/dashboard/settings'
const name = 'Sellos del Sureste'
const PROVIDER = {
  kind: 'timestamp',
  name,
  url: 'https://sellos.example/tsa',
  policy: '',
  username: '',
  password: '',
}
const OFFICE = {
  name: 'Notaría Pública Número Cuarenta',
  number: '40',
  entity: 'YUC',
  municipality: 'Mérida',
  address: 'Calle 60 número 1',
  timeZone: 'America/Merida',
}

/** One form for each page of office settings; each of them changes the current value. */
const FORMS: readonly (readonly [page: string, form: Record<string, string>])[] = [
  ['providers/new', PROVIDER],
  ['office', OFFICE],
  ['timestamps', { timestampPolicy: 'none' }],
  ['constancias', { constanciaPolicy: 'none' }],
  ['privacy', { short: 'Un aviso', full: 'Un aviso más largo' }],
  ['presence', { presence: 'required' }],
  ['server-signing', { serverSigning: 'disabled' }],
  ['second-factor', { secondFactorGrace: '30' }],
  ['public-page', { publicNames: 'initials', publicDownloads: 'disabled' }],
  ['upload-limit', { uploadLimit: '10' }],
  ['reminders', { reminders: '3,7' }],
  ['reports', { reportSchedule: 'monthly' }],
  ['idle', { sessionIdle: '120' }],
  ['session-length', { sessionAbsolute: '4' }],
]
const OF_ONE: readonly Record<string, string>[] = [
  { intent: 'move', direction: 'earlier' },
  { intent: 'remove' },
]

test('providers: only an administrator changes them', async ({ demo, person }) => {
  test.setTimeout(120_000)
  const rows = officeDatabase(demo.dataFolder ?? '')
  const stored = () =>
    ['offices', 'service_providers', 'privacy_notices'].map((table) =>
      rows.all<Record<string, unknown>>(`select * from ${table}`),
    )
  const [office] = rows.all<{ id: string }>('select id from offices')
  const id = randomUUID()
  rows.change(
    `insert into service_providers (id, office_id, kind, name, url, position, state, state_since)
     values (?, ?, 'timestamp', 'El segundo', 'http://segundo.example/', 90, 'active', 1)`,
    id,
    office?.id,
  )
  const path = `${SETTINGS}/providers/${id}`
  const before = stored()
  for (const role of ROLES.filter((role) => role !== 'ADMIN')) {
    const client = await signedInClient(demo.origin, person(role === 'NOTARY' ? 'suplente' : role))
    for (const [page, form] of FORMS) {
      await expectPageSendsAway(client, `${SETTINGS}/${page}`)
      expectForbidden(`${role} ${page}`, await client.post(`${SETTINGS}/${page}`, form))
      const wrong = await client.post(`${SETTINGS}/${page}`, {})
      expect([page, wrong.status, wrong.headers.location]).toEqual([page, 303, '/dashboard'])
    }
    await expectPageSendsAway(client, path)
    for (const form of OF_ONE)
      expectForbidden(`${role} ${form.intent}`, await client.post(path, form))
    await expectListWithoutWays(client)
  }
  expect(stored()).toEqual(before)

  // For an administrator each form changes a row or adds one.
  const administrator = await signedInClient(demo.origin, person('administrador'))
  const forms = [
    ...FORMS.map(([page, form]) => [`${SETTINGS}/${page}`, form] as const),
    ...OF_ONE.map((form) => [path, form] as const),
  ]
  for (const [address, form] of forms) {
    const earlier = stored()
    const { status } = await administrator.post(address, form)
    expect([address, form, status]).toEqual([address, form, 303])
    expect([address, form, stored()]).not.toEqual([address, form, earlier])
  }
  rows.close()
})

async function expectListWithoutWays(client: Client) {
  const { status, text } = await client.get(`${SETTINGS}/providers`)
  expect(status).toBe(200)
  expect(text).toContain('Constancias de conservación (NOM-151)')
  expect(text).toContain('El segundo')
  for (const way of ['Agregar proveedor', `href="${SETTINGS}/providers/`])
    expect(text).not.toContain(way)
}

test('providers: an unknown provider is not found', async ({ demo, person }) => {
  const client = await signedInClient(demo.origin, person('administrador'))
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nada', '%00']) {
    const path = `/dashboard/settings/providers/${id}`
    expect([id, (await client.get(path)).status]).toEqual([id, 404])
    expect([id, (await client.post(path, { intent: 'remove' })).status]).toEqual([id, 404])
  }
})
