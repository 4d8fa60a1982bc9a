import { expect, inMain } from '#tests/e2e/support/fixtures.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

const SENTENCE = 'No sustituye la firma en el protocolo'

test('acts: an administrator adds, answers and retires them; sessions say what is known', async ({
  page,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const { main, link, field, button } = inMain(page)
  const name = hasScripts ? 'Permuta' : 'Dación en pago'
  const deed = await uploadedDeed()
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Cambiar los actos').click()
  await expect(main.getByRole('row').filter({ hasText: 'Compraventa con hipoteca' })).toContainText(
    'Se desconoce',
  )
  await link('Agregar acto').click()
  await field('Nombre del acto').fill(name)
  await field('Carácter 1').fill('Notario titular')
  await field('¿Puede firmarse electrónicamente en Ciudad de México?').selectOption('yes')
  await button('Agregar acto').click()
  await expect(main).toContainText('Escriba dónde lo dice.')
  await field('Fuente').fill('Ley del Notariado, artículo 100 Bis, reforma de 2021')
  await field('Consultada el').fill('2026-11-20')
  await button('Agregar acto').click()
  await expect(main).toContainText('El carácter de notario o de fedatario público no se escribe')
  await expect(field('Fuente')).toHaveValue('Ley del Notariado, artículo 100 Bis, reforma de 2021')
  await field('Carácter 1').fill('Permutante')
  await main.getByLabel('Al menos').first().fill('2')
  await main.getByLabel('Máximo').first().fill('1')
  await button('Agregar acto').click()
  await expect(main).toContainText('no puede ser menor que el mínimo')
  await main.getByLabel('Máximo').first().fill('4')
  await button('Agregar acto').click()
  const row = main.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('Permutante (2 a 4), notario')
  await expect(row).toContainText('2026-11-20')

  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  await expect(main).toContainText('No tiene permiso')

  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  await field('Título').fill('Sesión con acto')
  await field('Acto (opcional)').selectOption({ label: 'Compraventa' })
  await button('Crear sesión').click()
  await expect(main).toContainText(SENTENCE)
  await expect(main).toContainText('Se desconoce si en Ciudad de México este acto puede firmarse')
  const fold = main.locator('details', { hasText: 'Cambiar título, acto, mensaje o fecha límite' })
  await fold.locator('summary').click()
  await expect(fold.getByLabel('Acto')).toContainText('Compraventa')
  await fold.getByLabel('Acto').selectOption({ label: name })
  await fold.getByRole('button', { name: 'Guardar' }).click()
  await expect(main).toContainText('En Ciudad de México este acto puede firmarse electrónicamente.')
  await expect(main).toContainText('consultada el 20 nov 2026')
  await expect(main).not.toContainText(SENTENCE)
  const session = new URL(page.url()).pathname

  await signedInAs('administrador')
  await page.goto('/dashboard/settings/acts')
  await link(name).click()
  await button('Retirar acto').click()
  await expect(main.getByRole('row').filter({ hasText: name })).toContainText('Retirado')
  await signedInAs('CLERK')
  await page.goto(session)
  await fold.locator('summary').click()
  await expect(fold.getByLabel('Acto')).toContainText(`${name} (retirado)`)
})
