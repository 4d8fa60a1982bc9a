import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { tabTo } from '#tests/e2e/support/keyboard.ts'

/* The whole signing with the keyboard alone, and what a screen reader is told on the way. */

const SLOW = { timeout: 60_000 }

/** The tree of Playwright leaves out what stands in `noscript`; browsers do not. */
const FORM_IN_TREE = `- heading "Firmar con e.firma" [level=2]
      - textbox "Contraseña de la clave privada"
      - button "Firmar documento"`

test('external signer: reads, accepts and signs with the keyboard alone', async ({
  browser,
  demo,
  person,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  const page = await anotherBrowser(browser, demo, hasScripts)
  const { main, field, button, link, text } = inMain(page)
  await openLink(page, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Quién firma" [level=2]
      - heading "Aviso de privacidad" [level=2]
      - paragraph:
        - link "Leer el aviso de privacidad completo"
      - heading "Un documento por firmar" [level=2]
      - list:
        - listitem:
          - link "Leer"
      - heading "Antes de firmar" [level=2]
      - checkbox "Leí el aviso de privacidad y estoy de acuerdo"
      - button "Acepto y continúo"
  `)
  await tabTo(page, link('Leer'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/sign/documents/${deed.id}`)
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Firmar documento" [level=1]
      - region "Páginas":
        - figure "Página 1 de 3":
          - img "Página 1 de 3"
      - heading "${deed.title}" [level=2]
      - checkbox "Leí el aviso de privacidad y estoy de acuerdo"
      - button "Acepto y continúo"
  `)
  await tabTo(page, page.getByRole('checkbox'))
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await expect(button('Acepto y continúo')).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(field('Certificado (.cer)')).toBeVisible()
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Firmar documento" [level=1]
      - region "Páginas"
      ${hasScripts ? FORM_IN_TREE : ''}
  `)
  // The window in which a file is chosen belongs to the browser.
  await tabTo(page, field('Certificado (.cer)'))
  await field('Certificado (.cer)').setInputFiles(asked.signer.cer)
  await tabTo(page, field('Clave privada (.key)'))
  await field('Clave privada (.key)').setInputFiles(asked.signer.key)
  await tabTo(page, field('Contraseña de la clave privada'))
  await page.keyboard.type(asked.signer.keyPassword)
  const consent = page.getByRole('checkbox', { name: /^Autorizo/ }).filter({ visible: true })
  if (await consent.isVisible()) {
    await tabTo(page, consent)
    await page.keyboard.press('Space')
  }
  await tabTo(page, button('Firmar documento'))
  await page.keyboard.press('Enter')
  await expect(text('El documento tiene todas sus firmas.')).toBeVisible(SLOW)
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "${deed.title}" [level=1]
      - link "Descargar mi copia"
      - heading "Firmado" [level=2]
      - definition:
        - link "Comprobar el documento en la página pública"
      - region "Páginas"
  `)
  await page.context().close()
})

test('notary: a screen reader is told what is signed, and as which person', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const deed = await uploadedDeed()
  const { firstName, lastName } = person('titular')
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  const { main, field, button } = inMain(page)
  await expect(field('Certificado (.cer)')).toBeVisible()
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Firmar documento" [level=1]
      - region "Páginas":
        - figure "Página 1 de 2":
          - img "Página 1 de 2"
      - heading "${deed.title}" [level=2]
      - paragraph:
        - strong: ${firstName} ${lastName}
      ${hasScripts ? FORM_IN_TREE : ''}
  `)
  await button('Firmar documento').click()
  // The first fault has the focus, and its sentence is read out with the field.
  const faulty = hasScripts ? field('Certificado (.cer)') : field('Contraseña de la clave privada')
  await expect(faulty).toHaveAttribute('aria-invalid', 'true')
  await expect(faulty).toHaveAccessibleDescription(/\S/)
})
