import { expect, test } from 'vitest'
import { distinctNames } from '#server/domain/mail/distinct-names.ts'
import { ATTACHMENT_LIMIT, fitIntoMail, MOST_ATTACHMENTS } from '#server/domain/mail/mail.ts'

test('a name that is there already gets a number before its ending', () => {
  expect(distinctNames(['poder.pdf', 'Poder.pdf', 'acta.pdf', 'poder.pdf'])).toEqual([
    'poder.pdf',
    'Poder (2).pdf',
    'acta.pdf',
    'poder (3).pdf',
  ])
  expect(distinctNames(['poder (2).pdf', 'poder.pdf', 'poder.pdf'])).toEqual([
    'poder (2).pdf',
    'poder.pdf',
    'poder (3).pdf',
  ])
  expect(distinctNames(['poder', 'poder', '.pdf', '.pdf'])).toEqual([
    'poder',
    'poder (2)',
    '.pdf',
    '.pdf (2)',
  ])
})

test('documents go along together up to a size and a number', () => {
  const half = ATTACHMENT_LIMIT / 2
  expect(fitIntoMail([half, half])).toBe(true)
  expect(fitIntoMail([half, half, 1])).toBe(false)
  expect(fitIntoMail(Array.from({ length: MOST_ATTACHMENTS }, () => 1))).toBe(true)
  expect(fitIntoMail(Array.from({ length: MOST_ATTACHMENTS + 1 }, () => 1))).toBe(false)
})
