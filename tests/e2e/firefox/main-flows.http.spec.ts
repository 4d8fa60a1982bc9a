import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'puppeteer-core'
import { aPdf, aTitle, downloadVersion } from '#tests/e2e/support/deeds.ts'
import { newWindow, startFirefox, userOf } from '#tests/e2e/support/firefox.ts'
import { expect } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { allowNextCode, codeOf, test as newcomers } from '#tests/e2e/support/newcomers.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

/* The main flows in the Firefox that offices have. No test here is about one browser's looks: pages that differ are tested in Chromium. */

type User = ReturnType<typeof userOf>

const test = newcomers.extend<{ user: User; folder: string }, { firefox: Browser }>({
  firefox: [
    async ({}, use) => {
      const firefox = await startFirefox()
      await use(firefox).finally(() => firefox.close())
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  user: async ({ firefox }, use) => {
    const { page, context, faults } = await newWindow(firefox)
    await use(userOf(page))
    expect(faults, 'faults in the page').toEqual([])
    await context.close()
  },
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-firefox-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
})

async function signIn(
  user: User,
  origin: string,
  { email, password }: Pick<DemoUser, 'email' | 'password'>,
) {
  await user.open(`${origin}/login`)
  await user.fill('Correo electrónico', email)
  await user.fill('Contraseña', password)
  await user.press('Iniciar Sesión')
}

async function signWith(user: User, { cer, key, keyPassword }: DemoUser) {
  await user.choose('Certificado (.cer)', cer)
  await user.choose('Clave privada (.key)', key)
  await user.fill('Contraseña de la clave privada', keyPassword)
  await user.press('Firmar documento')
}

test('Firefox: a user signs in with a password and a code', async ({
  firefox,
  user,
  demo,
  rows,
  newcomer,
}) => {
  await signIn(user, demo.origin, newcomer)
  await user.isAt(/^\/dashboard$/)
  await user.open(`${demo.origin}/setup-mfa`)
  await user.press('Aplicación de autenticación')
  await user.isAt(/^\/setup-mfa\/app$/)
  const secret = (await user.text('main dd code')).replace(/\s/g, '')
  await user.fill('Código de verificación', codeOf(secret))
  await user.press('Activar')
  await user.isAt(/^\/setup-mfa\/backup-codes/)

  allowNextCode(rows, newcomer)
  const { page, context } = await newWindow(firefox)
  const again = userOf(page)
  await signIn(again, demo.origin, newcomer)
  await again.isAt(/^\/mfa/)
  await again.fill('Código de verificación', codeOf(secret))
  await again.press('Verificar')
  await again.isAt(/^\/dashboard$/)
  await context.close()
})

test('Firefox: a clerk uploads a document', async ({ user, demo, person, folder }) => {
  const title = aTitle('Compraventa')
  const file = path.join(folder, 'compraventa.pdf')
  writeFileSync(file, aPdf())
  await signIn(user, demo.origin, person('CLERK'))
  await user.isAt(/^\/dashboard$/)
  await user.open(`${demo.origin}/dashboard/documents/new`)
  await user.choose('Archivo PDF', file)
  await user.fill('Título', title)
  await user.press('Subir')
  await user.isAt(/^\/dashboard\/documents\/[0-9a-f-]{36}$/)
  await user.reads(title)
  await user.reads('Borrador')
})

test('Firefox: a notary signs in the page', async ({ user, demo, person, uploadedDeed }) => {
  const deed = await uploadedDeed()
  await signIn(user, demo.origin, person('titular'))
  await user.isAt(/^\/dashboard$/)
  await user.open(`${demo.origin}/dashboard/documents/${deed.id}/sign`)
  await signWith(user, person('titular'))
  await user.isAt(new RegExp(`^/dashboard/documents/${deed.id}$`))
  await user.reads('Firmado')
})

test('Firefox: an external signer reads, accepts the aviso de privacidad and signs', async ({
  user,
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  await user.open(`${demo.origin}/sign#${await asked.newCode()}`)
  await user.press('Abrir mis documentos')
  await user.isAt(/^\/sign\/documents$/)
  await user.follow('Leer')
  await user.isAt(/^\/sign\/documents\/[0-9a-f-]{36}$/)
  await user.press('Acepto y continúo')
  await user.reads('Marque la casilla')
  await user.tick('Leí el aviso de privacidad y estoy de acuerdo')
  await user.press('Acepto y continúo')
  await signWith(user, asked.signer)
  await user.reads('El documento tiene todas sus firmas.')
})

test('Firefox: the public verifies a document by its address and by its file', async ({
  user,
  demo,
  person,
  signedDeed,
  folder,
}) => {
  const deed = await signedDeed()
  await user.open(`${demo.origin}/verify/${deed.id}`)
  await user.reads('Documento íntegro y firmado.')
  const client = await signedInClient(demo.origin, person('NOTARY'))
  const file = path.join(folder, 'firmado.pdf')
  writeFileSync(file, await downloadVersion(client, deed, 2))
  await user.open(`${demo.origin}/verify/document`)
  await user.choose('Archivo PDF', file)
  await user.press('Verificar archivo')
  await user.reads('Documento íntegro y firmado.')
})
