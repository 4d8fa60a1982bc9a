import type { Page } from '@playwright/test'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

/** A draft session of the clerk with one document. */
async function aDraftSession(page: Page, deed: { id: string }): Promise<void> {
  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  const { field, button, main } = inMain(page)
  await field('Título').fill('Compraventa de la casa')
  await button('Crear sesión').click()
  await expect(main.getByText('Todavía no hay firmantes.')).toBeVisible()
}

/** The form for people from outside, unfolded. */
async function outside(page: Page) {
  const fold = page.getByRole('main').locator('details', {
    hasText: 'Agregar a una persona externa',
  })
  if (!(await fold.evaluate((element) => element.hasAttribute('open'))))
    await fold.locator('summary').click()
  const field = (label: string) => fold.getByLabel(label, { exact: true })
  const fields = {
    name: field('Nombre completo'),
    rfc: field('RFC'),
    character: field('Carácter declarado'),
    email: field('Correo electrónico (opcional)'),
  }
  const fill = async (values: Partial<Record<keyof typeof fields, string>>) => {
    for (const [name, value] of Object.entries(values))
      await fields[name as keyof typeof fields].fill(value)
    await fold.getByRole('button', { name: 'Agregar firmante externo' }).click()
  }
  return { fold, fields, fill }
}

const BENITO = {
  name: 'Benito Núñez Peña',
  rfc: 'nupb801201qx7',
  character: 'Comprador',
  email: 'benito@ejemplo.example',
}

test('signers from outside: the form is empty after each, and keeps everything after a refusal', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  await signedInAs('CLERK')
  await aDraftSession(page, await uploadedDeed())
  const { main } = inMain(page)
  const signers = main.getByRole('listitem').filter({ hasText: 'Quitar firmante' })

  const first = await outside(page)
  await first.fill(BENITO)
  await expect(signers).toHaveCount(1)
  await expect(signers.first()).toContainText('Carácter declarado: Comprador')
  await expect(signers.first()).toContainText('RFC NUPB801201QX7')
  const { fields, fill, fold } = await outside(page)
  for (const field of Object.values(fields)) await expect(field).toHaveValue('')

  const claim = {
    ...BENITO,
    rfc: 'PEYB820417HM1',
    name: 'Begoña Peñaloza',
    character: 'Nоtario titular',
  }
  await fill(claim)
  await expect(fields.character).toHaveAccessibleDescription(/lo da la calidad vigente/)
  for (const [name, value] of Object.entries(claim))
    await expect(fields[name as keyof typeof fields]).toHaveValue(value)
  await fill({ character: 'Vendedora', name: 'Notaria Begoña Peñaloza' })
  await expect(fields.name).toHaveAccessibleDescription(/sin el cargo de notario/)
  await fill({ name: 'Begoña Peñaloza', email: '' })
  await expect(signers).toHaveCount(2)
  await expect(fold.getByRole('alert')).toHaveCount(0)
  const next = await outside(page)
  for (const field of Object.values(next.fields)) await expect(field).toHaveValue('')

  // The same person once more, and then in another character.
  await next.fill(BENITO)
  await expect(next.fields.rfc).toHaveAccessibleDescription(/Ese RFC ya está entre los firmantes/)
  await expect(next.fields.email).toHaveValue(BENITO.email)
  await next.fill({ character: 'Apoderado de la vendedora' })
  await expect(signers).toHaveCount(2)
  await expect(signers.first()).toContainText(
    'Carácter declarado: Comprador y Apoderado de la vendedora',
  )
  const last = await outside(page)
  for (const field of Object.values(last.fields)) await expect(field).toHaveValue('')
})

test('signers of the office: none is preselected, and a clerk needs a character', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const clerk = await signedInAs('CLERK')
  await aDraftSession(page, await uploadedDeed())
  const { main } = inMain(page)
  const signers = main.getByRole('listitem').filter({ hasText: 'Quitar firmante' })
  const fold = main.locator('details', { hasText: 'Agregar a una persona de la notaría' })
  const whom = fold.getByLabel('Persona')
  const character = fold.getByLabel('Carácter declarado (opcional)')
  const add = () => fold.getByRole('button', { name: 'Agregar firmante' }).click()
  const unfold = async () => {
    if (!(await fold.evaluate((element) => element.hasAttribute('open'))))
      await fold.locator('summary').click()
  }

  await expect(main).toContainText('Agregue a los firmantes y abra la sesión.')
  await expect(whom).toHaveValue('')
  await add()
  await expect(whom).toHaveAccessibleDescription(/Elija a una persona/)
  await whom.selectOption({ label: `${clerk.firstName} ${clerk.lastName}` })
  await add()
  await expect(character).toHaveAccessibleDescription(/solo los notarios y los abogados/)
  await character.fill('Notario titular')
  await add()
  await expect(character).toHaveAccessibleDescription(/lo da la calidad vigente/)
  await expect(character).toHaveValue('Notario titular')
  await character.fill('Testigo')
  await add()
  await expect(signers).toHaveCount(1)
  await expect(signers).toContainText('Carácter declarado: Testigo')
  await unfold()
  await expect(whom).toHaveValue('')
  await expect(character).toHaveValue('')
  const { firstName, lastName } = person('titular')
  await whom.selectOption({ label: `${firstName} ${lastName}` })
  await add()
  await expect(signers).toHaveCount(2)
  await expect(signers.last()).toContainText('En su calidad vigente')
  // Behind both of them, in the form of an external signer too.
  const outsider = main.locator('details', { hasText: 'Agregar a una persona externa' })
  await outsider.locator('summary').click()
  await expect(outsider.getByLabel('Orden')).toHaveValue('3')
})

test('catalogue of parties: a signer of an earlier session is found, offered, changed and deleted', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  await signedInAs('CLERK')
  await aDraftSession(page, await uploadedDeed())
  const { main, button, field } = inMain(page)
  const party = {
    name: 'Ángela Ibáñez Güereca',
    rfc: 'IAGA790312AB4',
    character: 'Vendedora',
    email: 'angela@ejemplo.example',
  }
  await (await outside(page)).fill(party)
  await expect(main.getByRole('listitem').filter({ hasText: 'Quitar firmante' })).toHaveCount(1)

  await aDraftSession(page, await uploadedDeed())
  const { fold } = await outside(page)
  const search = async (text: string) => {
    await fold.getByLabel('Buscar en el catálogo de partes').fill(text)
    await fold.getByRole('button', { name: 'Buscar' }).click()
  }
  await search('nadie de ese nombre')
  await expect(fold.getByText('Ninguna parte del catálogo coincide.')).toBeVisible()
  await search('angela iban')
  await fold.getByRole('link', { name: party.name }).click()
  const { fields, fill } = await outside(page)
  await expect(fold.getByText('Datos del catálogo')).toBeVisible()
  for (const [name, value] of Object.entries(party))
    await expect(fields[name as keyof typeof party]).toHaveValue(value)
  await fill({ character: 'Vendedora y donante' })
  const signers = main.getByRole('listitem').filter({ hasText: 'Quitar firmante' })
  await expect(signers).toHaveCount(1)
  await expect(signers).toContainText('Carácter declarado: Vendedora y donante')
  const empty = await outside(page)
  for (const one of Object.values(empty.fields)) await expect(one).toHaveValue('')

  await empty.fold.getByRole('link', { name: 'Ver el catálogo de partes' }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Catálogo de partes')
  await field('Buscar partes').fill('IAGA79')
  await button('Buscar').click()
  await expect(main.getByRole('row').filter({ hasText: party.rfc })).toContainText(
    'Vendedora y donante',
  )
  await main.getByRole('link', { name: party.name }).click()
  await field('Carácter declarado').fill('Notaria titular')
  await button('Guardar').click()
  await expect(field('Carácter declarado')).toHaveAccessibleDescription(/lo da la calidad vigente/)
  await field('Carácter declarado').fill('Testigo')
  await button('Guardar').click()
  await expect(page).toHaveURL(/\/parties$/)
  await main.getByRole('link', { name: party.name }).click()
  await expect(field('Carácter declarado')).toHaveValue('Testigo')
  await button('Eliminar del catálogo').click()
  await expect(page).toHaveURL(/\/parties$/)
  await expect(main.getByRole('link', { name: party.name })).toHaveCount(0)
})
