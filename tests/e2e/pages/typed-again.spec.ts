import type { Page } from '@playwright/test'
import { isHydratedPath } from '#app/hydrated-paths.ts'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { formPages } from '#tests/e2e/support/form-pages.ts'
import { test } from '#tests/e2e/support/late-user.ts'
import {
  fillIn,
  formsWithoutFilesOn,
  nameOf,
  submitButtonOf,
  type Typed,
  typedIn,
} from '#tests/e2e/support/typed-forms.ts'

/* A form that is sent after its session was over is filled in again after sign-in. */

const RECOVERED = 'Recuperamos lo que había escrito. Revíselo y envíelo.'
const recovered = (page: Page) => page.getByText(RECOVERED).filter({ visible: true })

test('invitation sent after the session ended: shown again after sign-in, once', async ({
  page,
  late,
  hasScripts,
}) => {
  const { field, button } = inMain(page)
  await page.goto('/login?returnUrl=%2Fdashboard%2Fusers%2Fnew')
  await signIn(page, late)
  await expect(page).toHaveURL('/dashboard/users/new')
  if (hasScripts) await openPage(page, '/dashboard/users/new')
  await field('Nombres').fill('Ximena')
  await field('Apellidos').fill('Núñez “Prueba”')
  await page.getByRole('checkbox', { name: /Auxiliar/ }).check()
  late.endSessions()
  await button('Invitar').click()
  await expect(page).toHaveURL(/\/login\?returnUrl=%2Fdashboard%2Fusers%2Fnew%3Fconservado%3D/)
  await signIn(page, late)
  await expect(recovered(page)).toBeVisible()
  await expect(field('Nombres')).toHaveValue('Ximena')
  await expect(field('Apellidos')).toHaveValue('Núñez “Prueba”')
  await expect(page.getByRole('checkbox', { name: /Auxiliar/ })).toBeChecked()
  await page.reload()
  await expect(field('Nombres')).toHaveValue('')
  await expect(recovered(page)).toHaveCount(0)
})

/** These have nothing that may be kept, or ask for a proof of identity first. */
const HAS_NOTHING_TO_KEEP = /^\/(?:change-password|setup-mfa|step-up)/

test('every form of the office without files: what was typed is shown again after sign-in', async ({
  page,
  late,
  hasScripts,
  uploadedDeed,
  turn,
  draftSession,
}) => {
  test.setTimeout(900_000)
  const deed = await uploadedDeed()
  const things = { deed, turn, sessionId: await draftSession(deed.id), userId: late.id }
  await page.goto('/login')
  await signIn(page, late)
  await expect(page).toHaveURL('/dashboard')
  for (const path of formPages(things).filter((one) => !HAS_NOTHING_TO_KEEP.test(one))) {
    const open = () =>
      hasScripts && isHydratedPath(path) ? openPage(page, path) : page.goto(path).then(() => {})
    await open()
    const names: string[] = []
    const count = await formsWithoutFilesOn(page).count()
    for (let index = 0; index < count; index += 1) {
      const form = formsWithoutFilesOn(page).nth(index)
      const name = (await nameOf(form)).replace(/[0-9a-f-]{36}/g, 'ID')
      if (names.includes(name)) continue
      names.push(name)
      await fillIn(form)
      const typed = await typedIn(form, { withSecrets: false })
      if (typed.length === 0) continue
      late.endSessions()
      await submitButtonOf(form).click()
      await expect(page, `${path} ${name}`).toHaveURL(/\/login\?returnUrl=.*conservado/)
      await signIn(page, late)
      await expect(recovered(page).first(), `${path} ${name}`).toBeVisible()
      expect
        .soft(sameBoxes(await typedIn(form, { withSecrets: false })), `${path} ${name}`)
        .toEqual(sameBoxes(typed))
      await open()
    }
  }
})

/** A list of drafts has other boxes when another test uploads one meanwhile: at least one that was marked is marked again. */
const sameBoxes = (typed: Typed): Typed => {
  const boxes = typed.filter(([name]) => name === 'documentId')
  const others = typed.filter(([name]) => name !== 'documentId')
  const marked = boxes.some(([, value]) => value === 'true')
  return boxes.length > 1 ? [...others, ['documentId', String(marked)]] : typed
}
