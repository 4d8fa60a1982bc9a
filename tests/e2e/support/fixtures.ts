import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import { type Deed, signDeed, uploadDeed } from './deeds.ts'
import { signedInClient } from './http.ts'
import { openSession } from './signing-session.ts'

export { expect } from '@playwright/test'

export type Role = 'ADMIN' | 'NOTARY' | 'LAWYER' | 'CLERK' | 'AUDITOR'

type Fixtures = {
  demo: Demo
  /** A user of the demo, by role or by the beginning of the email address. */
  person: (who: Role | 'titular' | 'suplente' | 'administrador') => DemoUser
  /** Gives the browser a session of this user; returns the user. */
  signedInAs: (who: Parameters<Fixtures['person']>[0], userAgent?: string) => Promise<DemoUser>
  /** A draft of the clerk. */
  uploadedDeed: (bytes?: Uint8Array) => Promise<Deed>
  /** A deed signed by one notary, or by several in this order. */
  signedDeed: (...signers: DemoUser[]) => Promise<Deed>
  /** Whether this project runs the scripts of pages. */
  hasScripts: boolean
  /** Errors of the pages so far; a test that expects one removes it. */
  faults: string[]
}

/**
 * The base of every e2e test: relative URLs refer to the demo office. A test fails if a page violates its CSP,
 * throws, or logs an error.
 */
export const test = base.extend<Fixtures>({
  demo: async ({}, use) => {
    await use(JSON.parse(process.env.DEMO_JSON ?? '{}'))
  },
  baseURL: async ({ demo }, use) => {
    await use(demo.origin)
  },
  hasScripts: async ({ javaScriptEnabled }, use) => {
    await use(javaScriptEnabled !== false)
  },
  faults: async ({}, use) => {
    await use([])
  },
  context: async ({ context, faults }, use) => {
    watch(context, faults)
    await use(context)
    expect(faults, 'faults in the page').toEqual([])
  },
  person: async ({ demo }, use) => {
    await use((who) => {
      const user =
        demo.users.find(({ email }) => email.startsWith(`${who}@`)) ??
        demo.users.find(({ roles }) => roles[0] === who)
      if (!user) throw new Error(`the demo has no ${who}`)
      return user
    })
  },
  signedInAs: async ({ context, demo, person }, use) => {
    await use(async (who, userAgent) => {
      const user = person(who)
      const { cookies } = await signedInClient(demo.origin, user, userAgent)
      await context.clearCookies()
      await context.addCookies(
        [...cookies].map(([name, value]) => ({
          name,
          value,
          domain: 'localhost',
          path: '/',
          // Cookies without the prefix are readable by scripts.
          httpOnly: name.startsWith('__Host-'),
          secure: true,
          sameSite: name.startsWith('__Host-') ? ('Lax' as const) : ('Strict' as const),
        })),
      )
      return user
    })
  },
  uploadedDeed: async ({ demo, person }, use) => {
    await use((bytes) => uploadDeed(demo.origin, person('CLERK'), bytes))
  },
  signedDeed: async ({ demo, person, uploadedDeed }, use) => {
    await use(async (...signers) => {
      const deed = await uploadedDeed()
      const people = signers.length > 0 ? signers : [person('titular')]
      const asked = people.map(({ firstName, lastName }, index) => ({
        colleague: `${firstName} ${lastName}`,
        step: index + 1,
      }))
      const isAlone = people.length === 1
      if (!isAlone) await openSession(demo.origin, person('CLERK'), [deed], asked)
      for (const [index, signer] of people.entries())
        await signDeed(demo.origin, deed, signer, isAlone ? 1 : index + 2)
      return deed
    })
  },
})

/** Finds controls as a user does: inside `<main>`, by the whole label, visible. */
export function inMain(page: Page) {
  const main = page.getByRole('main')
  return {
    main,
    field: (label: string) => main.getByLabel(label, { exact: true }).filter({ visible: true }),
    button: (name: string) =>
      main.getByRole('button', { name, exact: true }).filter({ visible: true }),
    link: (name: string) => main.getByRole('link', { name, exact: true }).filter({ visible: true }),
    text: (text: string) => main.getByText(text, { exact: true }).filter({ visible: true }),
  }
}

/** The message about the last action: a toast, or without scripts an alert in the page. */
export function messageOn(page: Page, hasScripts: boolean) {
  const place = hasScripts ? 'section[aria-label="Avisos"] p' : 'main [role=alert]'
  return page.locator(place).filter({ visible: true })
}

/** The button of a message that undoes what it says. */
export const offerOn = (page: Page, hasScripts: boolean) =>
  page
    .locator(hasScripts ? 'section[aria-label="Avisos"]' : 'main [role=alert]')
    .getByRole('button', { name: 'Deshacer' })
    .filter({ visible: true })

/** Through the page, as a person does. */
export async function signIn(page: Page, user: Pick<DemoUser, 'email' | 'password'>) {
  const { field, button } = inMain(page)
  await field('Correo electrónico').fill(user.email)
  await field('Contraseña').fill(user.password)
  await button('Iniciar Sesión').click()
}

/** Fills in the form that this browser shows on the page for signing; without scripts, with consent. */
export async function fillSigning(
  page: Page,
  files: { cer?: FileInput; key?: FileInput; pkcs12?: FileInput; keyPassword?: string },
) {
  const { field, text } = inMain(page)
  if (files.pkcs12 !== undefined) {
    await text('Usar un archivo PKCS#12 en su lugar').click()
    await field('Archivo PKCS#12 (.p12 o .pfx)').setInputFiles(files.pkcs12)
  }
  if (files.cer !== undefined) await field('Certificado (.cer)').setInputFiles(files.cer)
  if (files.key !== undefined) await field('Clave privada (.key)').setInputFiles(files.key)
  if (files.keyPassword !== undefined)
    await field('Contraseña de la clave privada').fill(files.keyPassword)
  const consent = page.getByRole('checkbox', { name: /^Autorizo/ }).filter({ visible: true })
  if ((await consent.count()) > 0) await consent.check()
  await readToTheEnd(page)
}

/** The page asks before it signs what was not shown: pictures below the window come when they are scrolled to. */
async function readToTheEnd(page: Page) {
  const last = page.locator('figure[data-page] img').last()
  if ((await last.count()) === 0) return
  await last.scrollIntoViewIfNeeded()
  await expect(last).toHaveJSProperty('complete', true)
}

export type FileInput = string | { name: string; mimeType: string; buffer: Buffer }

export const aFile = (name: string, content: string | Uint8Array): FileInput => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content as Uint8Array),
})

/** Collects faults: CSP violations, exceptions, failed hydration. */
function watch(context: BrowserContext, faults: string[]): void {
  context.on('weberror', (error) => faults.push(String(error.error())))
  context.on('console', (message) => {
    const text = message.text()
    // A refused form is answered with a status of 4xx on purpose, and the browser logs it.
    if (message.type() === 'error' && !/Failed to load resource/.test(text)) faults.push(text)
  })
}
