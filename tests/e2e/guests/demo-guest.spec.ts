import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test as base, expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { agree, openLink } from '#tests/e2e/support/guest-pages.ts'
import { type DemoServer, startDemoServer } from '#tests/support/processes/demo-server.ts'

/* Their link opens once, so each test has an office of its own. */
const test = base.extend<{ office: DemoServer }>({
  office: [
    async ({}, use) => {
      const server = await startDemoServer()
      await use(server).finally(() => server.stop())
    },
    { timeout: 180_000 },
  ],
  demo: async ({ office }, use) => {
    await use(office.demo)
  },
})

const SLOW = { timeout: 60_000 }

const guestOf = ({ dataFolder }: DemoServer): DemoServer['demo']['guest'] =>
  JSON.parse(readFileSync(path.join(dataFolder, 'demo/demo.json'), 'utf8')).guest

test('external signer of the demo: a restart gives another link, and their e.firma signs', async ({
  page,
  office,
  hasScripts,
}) => {
  test.slow()
  const first = office.demo.guest.link
  expect(first).toMatch(/\/sign#/)
  await office.end()
  await office.restart()
  const guest = guestOf(office)
  expect(guest.link).not.toBe(first)

  const { main, button, link } = inMain(page)
  await openLink(page, guest.link ?? '', hasScripts)
  await expect(main).toContainText(`${guest.firstName} ${guest.lastName}`)
  await agree(page)
  await link('Revisar y firmar').click()
  await fillSigning(page, guest)
  await button('Firmar documento').click()
  await expect(main).toContainText('Su firma está en el documento', SLOW)

  await office.end()
  await office.restart()
  expect(guestOf(office).link).toBeNull()
})
