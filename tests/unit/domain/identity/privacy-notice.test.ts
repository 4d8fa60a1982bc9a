import { describe, expect, test } from 'vitest'
import {
  NoticeText,
  noticeFromText,
  privacyNoticeOf,
  textOfNotice,
  writableText,
} from '#server/domain/identity/privacy-notice.ts'
import { anOffice } from '#tests/support/builders.ts'

test('privacy notice: names the controller and the address', () => {
  const office = anOffice()
  const text = textOfNotice(privacyNoticeOf(office))
  for (const part of [office.name, office.address, office.municipality, office.entity])
    expect(text).toContain(part)
})

test('privacy notice: repeats nothing', () => {
  const responsible = (changes: Parameters<typeof anOffice>[0]) =>
    privacyNoticeOf(anOffice(changes)).short[0]
  expect(responsible({ name: 'Notaría Doce' })).toContain('(notaría número 12 de Ciudad de México)')
  expect(responsible({ name: 'Notaría 12' })).not.toContain('número')
  const address = 'Madero 1, Coyoacán, Ciudad de México'
  expect(responsible({ municipality: 'Coyoacán', address })).toContain(`en ${address}, es`)
})

test('its hash is that of the text, and another office has another', () => {
  const notice = privacyNoticeOf(anOffice())
  expect(privacyNoticeOf(anOffice()).sha256).toBe(notice.sha256)
  expect(notice.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(privacyNoticeOf(anOffice({ address: 'Calle 2' })).sha256).not.toBe(notice.sha256)
})

test('privacy notice: both texts contain the mandatory parts', () => {
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

describe('a notice written by an office', () => {
  test('is the same after an edit without changes', () => {
    const notice = privacyNoticeOf(anOffice())
    const text = writableText(notice)
    expect(noticeFromText(text)).toEqual(notice)
    expect(NoticeText.parse(text)).toEqual(text)
  })

  test('has sections where it has titles, and keeps the lines of a paragraph', () => {
    const text = NoticeText.parse({
      short: ' Uno.\r\n\r\n\r\nDos,\r\ny sigue. ',
      full: 'Antes.\n\n#  Título\nJunto.\n \nAparte.\n\n# Vacío',
    })
    expect(noticeFromText(text)).toMatchObject({
      short: ['Uno.', 'Dos,\ny sigue.'],
      full: [
        { title: 'Aviso de privacidad', paragraphs: ['Antes.'] },
        { title: 'Título', paragraphs: ['Junto.', 'Aparte.'] },
        { title: 'Vacío', paragraphs: [] },
      ],
    })
  })

  test.each([
    ['no short text', { short: '  \n ', full: 'Algo' }],
    ['no full text', { short: 'Algo', full: '' }],
    ['a text that never ends', { short: 'x'.repeat(5001), full: 'Algo' }],
    ['a character of control', { short: 'Algo\u0007', full: 'Algo' }],
  ])('is refused with %s', (_, text) => {
    expect(NoticeText.safeParse(text).success).toBe(false)
  })
})
