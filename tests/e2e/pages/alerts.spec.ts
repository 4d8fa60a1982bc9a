import { randomUUID } from 'node:crypto'
import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { test as base } from '#tests/e2e/support/newcomers.ts'

/** Someone with three alerts of one kind and one of another. */
const test = base.extend<{ warned: undefined }>({
  warned: async ({ page, rows, newcomer }, use) => {
    await page.goto('/login')
    await signIn(page, newcomer)
    await expect(page).toHaveURL('/dashboard')
    rows.change('delete from alerts where user_id = ?', newcomer.id)
    const at = Date.now() - 60_000
    for (const [index, kind] of [
      'new-device',
      'new-device',
      'new-device',
      'password-changed',
    ].entries())
      rows.change(
        `insert into alerts (id, office_id, user_id, kind, severity, subject_kind, facts, occasion, at, occurrences, first_at, state, state_since)
         select ?, office_id, id, ?, 'warning', 'nothing', '{}', ?, ?, 1, ?, 'open', ? from users where id = ?`,
        ...[randomUUID(), kind, randomUUID(), at + index, at + index, at + index, newcomer.id],
      )
    await use(undefined)
  },
})

test('alerts: those of one title are folded behind the newest, and all are marked as read at once', async ({
  page,
  rows,
  newcomer,
  warned: _,
  hasScripts,
}) => {
  const { main, button } = inMain(page)
  const states = () =>
    rows
      .all<{ state: string }>('select state from alerts where user_id = ?', newcomer.id)
      .map(({ state }) => state)
  await page.goto('/dashboard/alerts')
  await expect(main.locator('li[data-state]').filter({ visible: true })).toHaveCount(2)
  await main.getByText(/^2 anteriores de “/).click()
  await expect(main.locator('li[data-state]').filter({ visible: true })).toHaveCount(4)
  await button('Marcar todas como leídas').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Las alertas quedaron como leídas.')
  await expect(button('Marcar todas como leídas')).toHaveCount(0)
  expect(states()).toEqual(['read', 'read', 'read', 'read'])
})

test('alerts: of more than are marked at once, the page says that some are left, and marks them next', async ({
  page,
  rows,
  newcomer,
  warned: _,
  hasScripts,
}) => {
  const open = () =>
    rows.all<{ id: string }>(
      `select id from alerts where user_id = ? and state = 'open'`,
      newcomer.id,
    ).length
  rows.change(
    `with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < 500)
     insert into alerts (id, office_id, user_id, kind, severity, subject_kind, facts, occasion, at, occurrences, first_at, state, state_since)
     select printf('%s-4000-8000-%012x', substr(?, 1, 13), number), office_id, id, 'new-device', 'warning', 'nothing', '{}',
       ? || number, 1000 + number, 1, 1000, 'open', 1000
     from users, numbers where id = ?`,
    ...[randomUUID(), randomUUID(), newcomer.id],
  )
  await page.goto('/dashboard/alerts')
  const { button } = inMain(page)
  await button('Marcar todas como leídas').click()
  await expect(messageOn(page, hasScripts)).toHaveText(
    'Las alertas más recientes quedaron como leídas. Quedan otras: márquelas también.',
  )
  expect(open()).toBe(4)
  await button('Marcar todas como leídas').click()
  await expect(button('Marcar todas como leídas')).toHaveCount(0)
  expect(open()).toBe(0)
})

test('alerts: one that came while the page was made, with an earlier time than the page, stays unread', async ({
  page,
  rows,
  newcomer,
  warned: _,
  hasScripts,
}) => {
  await page.goto('/dashboard/alerts')
  const id = randomUUID()
  const at = Date.now() - 30_000
  rows.change(
    `insert into alerts (id, office_id, user_id, kind, severity, subject_kind, facts, occasion, at, occurrences, first_at, state, state_since)
     select ?, office_id, id, 'disk-low', 'warning', 'nothing', '{}', ?, ?, 1, ?, 'open', ? from users where id = ?`,
    ...[id, randomUUID(), at, at, at, newcomer.id],
  )
  await inMain(page).button('Marcar todas como leídas').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Las alertas quedaron como leídas.')
  const unread = `select id from alerts where user_id = ? and state = 'open'`
  expect(rows.all(unread, newcomer.id)).toEqual([{ id }])
})

test('two buttons of one form: only the pressed one shows that it is on its way', async ({
  page,
  warned: _,
  hasScripts,
}) => {
  const { main } = inMain(page)
  await page.goto('/dashboard/alerts')
  const alert = main.locator('li[data-state]').first()
  const read = alert.getByRole('button', { name: 'Marcar como leída' })
  const resolved = alert.getByRole('button', { name: 'Marcar como atendida' })
  if (!hasScripts) {
    await resolved.click()
    return await expect(page.getByText('La alerta quedó como atendida.')).toBeVisible()
  }
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(/\/dashboard\/alerts/, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await resolved.click()
  await expect(resolved).toHaveAttribute('aria-busy', 'true')
  await expect(read).not.toHaveAttribute('aria-busy')
  goOn()
  await expect(messageOn(page, hasScripts)).toHaveText('La alerta quedó como atendida.')
})
