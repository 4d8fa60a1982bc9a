import { expect, test } from 'vitest'
import { privacyNoticeOf, textOfNotice } from '#server/domain/identity/privacy-notice.ts'
import { anOffice } from '#tests/support/builders.ts'

test('it names who is responsible, and where', () => {
  const office = anOffice()
  const text = textOfNotice(privacyNoticeOf(office))
  for (const part of [office.name, office.address, office.municipality, office.entity])
    expect(text).toContain(part)
  expect(text).toContain('notaría número 12')
})

test('its hash is that of the text, and another office has another', () => {
  const notice = privacyNoticeOf(anOffice())
  expect(privacyNoticeOf(anOffice()).sha256).toBe(notice.sha256)
  expect(notice.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(privacyNoticeOf(anOffice({ address: 'Calle 2' })).sha256).not.toBe(notice.sha256)
})

test('both texts say what a notice must say', () => {
  const { short, full } = privacyNoticeOf(anOffice())
  expect(short.join(' ')).toMatch(/responsable.*RFC.*identificarle.*oponerse/s)
  expect(full.map(({ title }) => title)).toEqual([
    'Responsable',
    'Datos que se tratan',
    'Finalidades',
    'A quién se comunican',
    'Conservación',
    'Sus derechos',
    'Cookies y cambios',
  ])
})
