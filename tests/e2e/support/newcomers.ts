import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  ACTIVATION_CODE_BYTES,
  activationCodeFrom,
  groupedActivationCode,
  hashOfActivationCode,
} from '#server/domain/identity/activation-code.ts'
import { judge } from '#tests/support/judges.ts'
import { test as base, expect, inMain, signIn } from './fixtures.ts'
import { type OfficeDatabase, officeDatabase } from './office-database.ts'

export type Newcomer = { id: string; email: string; password: string; name: string }
type Row = Record<string, string | number | null | Uint8Array>

type Fixtures = {
  rows: OfficeDatabase
  /** A new user for this test, with the common password: their factors do not affect other tests. */
  newcomer: Newcomer
  /** A user who was invited and has not activated the account, and the code of the link. */
  invited: Newcomer & { code: string }
  /** A user with a password who forgot it, and the code of the link. */
  forgetful: Newcomer & { code: string }
}

/** For tests about one account: each gets a new one, inserted into the database of the server. */
export const test = base.extend<Fixtures>({
  rows: async ({}, use) => {
    const rows = officeDatabase(process.env.DEMO_DATA ?? '')
    await use(rows)
    rows.close()
  },
  newcomer: async ({ rows, person }, use) => {
    await use(insertPerson(rows, person('CLERK'), 'active'))
  },
  invited: async ({ rows, person }, use) => {
    const newcomer = insertPerson(rows, person('CLERK'), 'invited')
    await use({ ...newcomer, code: insertLink(rows, newcomer.id, 'activation') })
  },
  forgetful: async ({ rows, person }, use) => {
    const newcomer = insertPerson(rows, person('CLERK'), 'active')
    await use({ ...newcomer, code: insertLink(rows, newcomer.id, 'recovery') })
  },
})

function insertPerson(
  rows: OfficeDatabase,
  model: { email: string; password: string },
  state: 'active' | 'invited',
): Newcomer {
  const [row] = rows.all<Row>('select * from users where email = ?', model.email)
  const id = randomUUID()
  const email = `persona-${id.slice(0, 8)}@notaria.example`
  insert(rows, 'users', {
    ...row,
    id,
    email,
    first_name: 'Ángela',
    last_name: 'Ruiz Peña',
    state,
    ...(state === 'invited' && { password_hash: null, password_changed_at: null }),
  })
  const role = { user_id: id, role: 'CLERK', granted_at: Date.now(), granted_by: null }
  insert(rows, 'user_roles', role)
  return { id, email, password: model.password, name: 'Ángela Ruiz Peña' }
}

function insertLink(
  rows: OfficeDatabase,
  userId: string,
  purpose: 'activation' | 'recovery',
): string {
  const code = activationCodeFrom(randomBytes(ACTIVATION_CODE_BYTES))
  const now = Date.now()
  insert(rows, 'activations', {
    id: randomUUID(),
    code_hash: hashOfActivationCode(code),
    user_id: userId,
    purpose,
    created_at: now,
    created_by: null,
    expires_at: now + 86_400_000,
    state: 'open',
    state_since: now,
  })
  return groupedActivationCode(code)
}

function insert(rows: OfficeDatabase, table: string, row: Row): void {
  const names = Object.keys(row)
  const places = names.map(() => '?').join(', ')
  rows.change(
    `insert into ${table} (${names.join(', ')}) values (${places})`,
    ...names.map((name) => row[name]),
  )
}

/** A registered security key without a private key. */
export function insertKey(rows: OfficeDatabase, { id }: Newcomer): void {
  const now = Date.now()
  insert(rows, 'webauthn_credentials', {
    id: randomUUID(),
    user_id: id,
    credential_id: randomBytes(16).toString('base64url'),
    public_key: randomBytes(77),
    algorithm: -7,
    counter: 0,
    transports: '["usb"]',
    aaguid: '00000000-0000-0000-0000-000000000000',
    device_type: 'single-device',
    backup: 'not-backed-up',
    user_verification: 'not-verified',
    attestation: randomBytes(8),
    rp_id: 'localhost',
    name: 'Llave vieja',
    created_at: now,
    last_used_at: null,
    state: 'active',
    state_since: now,
    state_by: null,
  })
}

/** Another office with a mandatory second factor. Returns its id. */
export function copyOffice(rows: OfficeDatabase, officeId: string): string {
  const [row] = rows.all<Row>('select * from offices where id = ?', officeId)
  const id = randomUUID()
  const number = 100 + Math.floor(Math.random() * 9_000)
  insert(rows, 'offices', { ...row, id, number, second_factor_grace_ms: 0 })
  return id
}

/** An account of the same person in another office, with the same password; returns its address and the office's name. */
export function copyIntoOtherOffice(rows: OfficeDatabase, { id }: Newcomer) {
  const [row] = rows.all<Row>('select * from users where id = ?', id)
  const officeId = copyOffice(rows, String(row?.office_id))
  const name = `Notaría vecina ${officeId.slice(0, 8)}`
  const change = 'update offices set name = ?, second_factor_grace_ms = null where id = ?'
  rows.change(change, name, officeId)
  const [user_id, email] = [randomUUID(), `vecina-${officeId.slice(0, 8)}@notaria.example`]
  insert(rows, 'users', { ...row, id: user_id, office_id: officeId, email })
  insert(rows, 'user_roles', { user_id, role: 'AUDITOR', granted_at: 1, granted_by: null })
  return { email, name }
}

/** The current TOTP code, as oathtool computes it. */
export function codeOf(secret: string): string {
  return judge('oathtool')('--totp', '--base32', secret).output.trim()
}

/** Half a minute goes by for the apps of this person: the code of now counts once more. */
export function allowNextCode(rows: OfficeDatabase, { id }: Newcomer): void {
  rows.change('update totp_factors set last_step = last_step - 2 where user_id = ?', id)
}

/** The user signs in with the password, sets up an app and continues to the dashboard. */
export async function setUpApp(page: Page, newcomer: Newcomer) {
  await page.goto('/login')
  await signIn(page, newcomer)
  await page.waitForURL('/dashboard')
  await page.goto('/setup-mfa')
  const made = await setUpAppHere(page)
  await page.waitForURL('/dashboard')
  return made
}

/** From the choice of factors to the requested page; `code` is used up. */
export async function setUpAppHere(page: Page) {
  const { field, button, main } = inMain(page)
  await main.getByRole('button', { name: /^Aplicación de autenticación/ }).click()
  const secret = await secretOn(page)
  const code = codeOf(secret)
  await field('Código de verificación').fill(code)
  await button('Activar').click()
  const codes = await codesOn(page)
  await button('Continuar').click()
  return { secret, code, codes }
}

export async function secretOn(page: Page): Promise<string> {
  return (await page.getByRole('main').locator('dd code').innerText()).replace(/\s/g, '')
}

/** The backup codes that the page shows. */
export async function codesOn(page: Page): Promise<string[]> {
  await page.waitForURL(/\/setup-mfa\/backup-codes/)
  const codes = page.getByRole('main').getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return await codes.allInnerTexts()
}

/** Leaves, and shows the password again. */
export async function backToSecondStep(page: Page, newcomer: Newcomer): Promise<void> {
  await page.context().clearCookies({ name: /session|refresh/ })
  await page.goto('/login')
  await signIn(page, newcomer)
  await page.waitForURL(/\/mfa/)
}
