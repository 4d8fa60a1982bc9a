import { expect, test } from 'vitest'
import { sectionsFor } from '#app/routes/settings/menu/sections.ts'
import { openPage } from '#app/routes/settings/menu/settings-menu.tsx'

const PATH = '/dashboard/settings'

test.each([
  ['', ''],
  ['/', ''],
  ['/office', '/office'],
  ['/outbox/7', '/outbox'],
  ['/obligations/new', '/obligations'],
  ['/authorities/new', '/authorities'],
  ['/authorities/3f0e7f0a', '/authorities'],
  ['/providers/3f0e7f0a', '/providers'],
])('menu of the settings: on %s it marks %s', (page, marked) => {
  expect(openPage(sectionsFor(['ADMIN']), PATH + page)).toBe(PATH + marked)
})
