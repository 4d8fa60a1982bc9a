import type { Locator, Page } from '@playwright/test'
import { renderSampleDeed } from '#server/demo/sample-deed.ts'
import { SAMPLE_DEEDS } from '#server/demo/sample-deeds.ts'
import { findUser, fullName, NOTARY, type PicturedOffice } from './office.ts'

type Size = { width: number; height: number }

export type Picture = {
  /** Of the file docs/pictures/NAME.png. */
  name: string
  /** The beginning of the user's e-mail address; null for a stranger. */
  as: string | null
  /** Of the window, in CSS pixels. */
  window: Size
  /** Brings the page to what the picture shows. */
  show(page: Page, office: PicturedOffice): Promise<unknown>
  /** What matters of the page; the whole window if absent. */
  part?(page: Page): Locator
}

const DESKTOP: Size = { width: 1280, height: 800 }
const TELEPHONE: Size = { width: 390, height: 844 }

/** Every picture of docs/manual.md and README.md, in the order in which they are drawn. */
export const PICTURES: readonly Picture[] = [
  { name: 'audit', as: 'auditora', window: DESKTOP, show: inOffice('/dashboard/audit') },
  { name: 'sign-in', as: null, window: DESKTOP, show: (page) => page.goto('/login'), part: main },
  { name: 'dashboard', as: NOTARY, window: DESKTOP, show: inOffice('/dashboard') },
  { name: 'documents', as: 'auxiliar', window: DESKTOP, show: inOffice('/dashboard/documents') },
  {
    name: 'telephone',
    as: 'auxiliar',
    window: TELEPHONE,
    show: (page) => page.goto('/dashboard/documents'),
  },
  { name: 'upload', as: 'auxiliar', window: { width: 1280, height: 830 }, show: chooseFile },
  { name: 'new-session', as: 'auxiliar', window: DESKTOP, show: prepareSession },
  { name: 'signing', as: 'titular', window: DESKTOP, show: fillInEfirma },
  { name: 'external-signer', as: null, window: { width: 1000, height: 1400 }, show: openLink },
  { name: 'verdict', as: null, window: { width: 1000, height: 760 }, show: verify },
  {
    name: 'certificates',
    as: 'titular',
    window: DESKTOP,
    show: inOffice('/dashboard/certificates'),
  },
  {
    name: 'alerts',
    as: 'auxiliar',
    window: DESKTOP,
    show: inOffice('/dashboard/alerts'),
  },
]

function main(page: Page): Locator {
  return page.getByRole('main')
}

/** A page of a user on a wide screen, once its scripts are at work. */
function inOffice(address: string): Picture['show'] {
  return (page) => openPage(page, address)
}

async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Contraer menú' }).waitFor()
}

async function chooseFile(page: Page): Promise<void> {
  await openPage(page, '/dashboard/documents/new')
  const [deed] = SAMPLE_DEEDS
  await page.getByLabel('Archivo PDF', { exact: true }).setInputFiles({
    name: 'Escritura 4,530 compraventa.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(renderSampleDeed(deed!)),
  })
  await page.getByRole('list', { name: 'Archivos elegidos' }).waitFor()
}

async function prepareSession(page: Page, { demo, draft }: PicturedOffice): Promise<void> {
  await openPage(page, `/dashboard/signing/new?document=${draft}`)
  await page.getByLabel('Título', { exact: true }).fill('Compraventa · Las Cañas 202')
  await page.getByLabel('Acto (opcional)').selectOption({ label: 'Compraventa' })
  await page.getByRole('button', { name: 'Proponer a los firmantes del acto' }).click()
  const signer = (place: number) =>
    page.getByRole('group', { name: new RegExp(`^Firmante ${place} `) })
  await signer(1).getByLabel('Nombre completo').fill('Íñigo Muñoz Agüero')
  await signer(1).getByLabel('RFC').fill('MUAI750612QX4')
  await signer(2).getByLabel('Nombre completo').fill(fullName(demo.guest))
  await signer(2).getByLabel('RFC').fill(demo.guest.rfc)
  await signer(3)
    .getByLabel('Persona')
    .selectOption({ label: fullName(findUser(demo, 'titular')) })
  // Below the bar, which covers the top of the window.
  await signer(1).evaluate((group) => {
    group.scrollIntoView()
    scrollBy(0, -80)
  })
}

async function fillInEfirma(page: Page, { demo, draft }: PicturedOffice): Promise<void> {
  const { cer, key, keyPassword } = findUser(demo, 'titular')
  await page.goto(`/dashboard/documents/${draft}/sign`)
  await page.getByLabel('Certificado (.cer)', { exact: true }).setInputFiles(cer)
  await page.getByLabel('Clave privada (.key)', { exact: true }).setInputFiles(key)
  await page.getByLabel('Contraseña de la clave privada', { exact: true }).fill(keyPassword)
  for (const file of ['certificate', 'key'])
    await page.locator(`[data-part=${file}-note]`).filter({ visible: true }).waitFor()
}

async function openLink(page: Page, { demo }: PicturedOffice): Promise<void> {
  const { link } = demo.guest
  if (!link) throw new Error('the external signer of the demo has no link')
  await page.goto(link)
  await page.getByRole('button', { name: 'Abrir mis documentos' }).click()
  await page.getByRole('heading', { name: 'Quién firma' }).waitFor()
  // The new page has the focus below its frame.
  await page.evaluate(() => scrollTo(0, 0))
}

async function verify(page: Page, { signed }: PicturedOffice): Promise<void> {
  await page.goto(`/verify/${signed}`)
}
