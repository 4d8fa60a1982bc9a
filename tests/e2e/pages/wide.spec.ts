import type { Locator } from '@playwright/test'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, openLink } from '#tests/e2e/support/guest-pages.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

/* A window of 1920 px is used: columns as wide as a form, rows as wide as their list. */

test.use({ viewport: { width: 1920, height: 1080 } })

/** A form of one column has up to 480 px. */
const FORM_WIDTH = 440

test('wide window: a new session has its documents and its signers side by side, in full columns', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await page.goto('/dashboard/signing/new')
  const { field } = inMain(page)
  const title = await boxOf(field('Título'))
  const party = await boxOf(field('Buscar por nombre o RFC'))
  expect(title.width).toBeGreaterThan(FORM_WIDTH)
  expect(party.x).toBeGreaterThan(title.x + title.width)
  const signers = inMain(page).main.getByRole('group', { name: 'Firmantes', exact: true })
  expect((await boxOf(signers)).width).toBeGreaterThan(FORM_WIDTH)
})

test('wide window: the documents of a batch take the width of their list, and a session has its facts beside its signers', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { firstName, lastName } = person('titular')
  const deeds = [await uploadedDeed(), await uploadedDeed()]
  const signers = [{ colleague: `${firstName} ${lastName}`, step: 1 }]
  const id = await openSession(demo.origin, person('CLERK'), deeds, signers)
  await signedInAs('titular')
  const { main } = inMain(page)
  await page.goto(`/dashboard/signing/batch?session=${id}`)
  const row = main.getByRole('listitem').filter({ hasText: deeds[0]?.title ?? '' })
  expect((await boxOf(row)).width).toBe((await boxOf(row.locator('..'))).width)

  await page.goto(`/dashboard/signing/${id}`)
  const facts = await boxOf(main.getByText('Creada por', { exact: true }))
  const heading = await boxOf(main.getByRole('heading', { name: 'Firmantes', exact: true }))
  expect(heading.x).toBeGreaterThan(facts.x + 400)
})

test('wide window: an external signer reads as wide a page as a person of the office, and writes in a field as wide as a form', async ({
  page,
  demo,
  person,
  uploadedDeed,
  hasScripts,
}) => {
  const guest = await inviteGuest(demo, await uploadedDeed(), person('CLERK'), person('suplente'))
  await openLink(page, `${demo.origin}/sign#${await guest.newCode()}`, hasScripts)
  await agree(page)
  const { main, link, field } = inMain(page)
  await link('Revisar y firmar').click()
  expect((await boxOf(main.getByRole('figure').first())).width).toBeGreaterThan(1000)
  expect((await boxOf(page.getByRole('banner').getByRole('link').first())).x).toBe(
    (await boxOf(main.getByRole('heading', { level: 1 }))).x,
  )
  await page.goto('/sign/reject')
  expect((await boxOf(field('Motivo'))).width).toBeGreaterThan(FORM_WIDTH)
})

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return box
}
