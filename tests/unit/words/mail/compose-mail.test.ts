import { expect, test } from 'vitest'
import type { MailFacts } from '#server/domain/mail/facts.ts'
import { MailKind } from '#server/domain/mail/mail.ts'
import { parseInstant } from '#server/domain/time.ts'
import { composeMail } from '#server/words/mail/compose-mail.ts'

const frame = {
  toName: 'Ximena Cañedo',
  office: 'Notaría 12 de la Ciudad de México',
  timeZone: 'America/Mexico_City',
}
const signing = { title: 'Compraventa Núñez', documents: ['Escritura 4321', 'Anexo'] }
const numbered = [
  { folio: '2026-000123', kind: 'testimony' as const },
  { folio: '2026-000124', kind: 'act' as const },
]
const deadline = parseInstant('2026-11-25T15:05:00Z')
const secret = { secretLink: 'https://r.example/s#7K3F9', linkExpiresAt: deadline }
const message = 'Por favor,\nantes del viernes.'
const asked = { by: 'Óscar Méndez', deadline }
const request = { ...signing, ...asked, message }
const code = '7K3F9-QZA4M-0TXW2-B7K3F-9QZA4M'
const verdicts = ['https://r.example/verify/a', 'https://r.example/verify/b']
const page = 'https://r.example/dashboard/signing/1'

/** One of each kind, and each way that a kind has. */
const ALL: MailFacts[] = [
  { kind: 'signing-invitation', ...request, ...secret },
  { kind: 'signing-turn', ...asked, numbered, page },
  { kind: 'signing-reminder', ...asked, numbered, page },
  { kind: 'signing-reminder', ...request, ...secret },
  { kind: 'signing-completed', ...signing, verdicts, copy: 'attached' },
  { kind: 'signing-completed', numbered, verdicts, copy: 'attached', page },
  { kind: 'signing-completed', numbered, verdicts, copy: 'in-rubrica', page },
  { kind: 'signing-completed', numbered, verdicts, copy: 'none', page },
  { kind: 'signing-completed', ...signing, verdicts, ...secret },
  { kind: 'signing-rejected', ...signing, reason: 'El precio no es el pactado' },
  { kind: 'signing-rejected', numbered, page },
  { kind: 'signing-cancelled', ...signing, by: 'Iván Cruz', reason: 'Se firma en otra fecha' },
  { kind: 'signing-cancelled', numbered, by: 'Iván Cruz' },
  { kind: 'signing-expired', numbered, deadline, page },
  { kind: 'rejection-code', ...signing, code: '7K3F9-QZA4M', codeExpiresAt: deadline },
  { kind: 'signer-replaced', ...signing },
  { kind: 'signer-replaced', numbered },
  { kind: 'account-invitation', by: 'Óscar Méndez', code, ...secret },
  { kind: 'account-recovery', by: 'Óscar Méndez', code, ...secret },
  { kind: 'alert', title: 'Contraseña cambiada', text: 'La contraseña de su cuenta se cambió.' },
  {
    ...{ kind: 'reports-ready', month: 'octubre de 2026', count: 6 },
    page: 'https://rubrica.example/dashboard/reports/files',
  },
  { kind: 'alert-digest', lines: ['Falta un respaldo', 'Firma rechazada (2)'], hasMore: true },
]

test('there is a letter of every kind, each with its own subject', () => {
  expect(new Set(ALL.map(({ kind }) => kind))).toEqual(new Set(MailKind.options))
  for (const facts of ALL) {
    const { subject, text, html } = composeMail(facts, frame)
    expect(subject).not.toBe('')
    expect(text).toContain('Ximena Cañedo:')
    expect(text).toContain('Notaría 12 de la Ciudad de México')
    expect(html).toContain('<html lang="es-MX">')
    expect(`${subject}${text}${html}`).not.toMatch(/undefined|null|\[object|!(?!doctype)/)
  }
})

test('an invitation to sign says who asks, what, until when, and where', () => {
  const { subject, text, html } = composeMail(ALL[0] as MailFacts, frame)
  expect(subject).toBe('Su firma: Compraventa Núñez')
  expect(text).toContain('Óscar Méndez le pide que firme con su e.firma.')
  expect(text).toContain('Documento: Escritura 4321\nDocumento: Anexo')
  expect(text).toContain('Fecha límite: 25 nov 2026, 09:05 (hora del centro)')
  expect(text).toContain('> Por favor,\n> antes del viernes.')
  expect(text).toContain('Revisar y firmar:\nhttps://r.example/s#7K3F9')
  expect(html).toContain('href="https://r.example/s#7K3F9"')
  expect(html).toContain('Por favor,<br>antes del viernes.')
})

test('a mail to staff names the documents by folio and kind, in its subject the first one', () => {
  const { subject, text } = composeMail({ kind: 'signing-turn', ...asked, numbered, page }, frame)
  expect(subject).toBe('Su firma: 2026-000123 (Testimonio) y 1 más')
  expect(text).toContain('Documento: 2026-000123 (Testimonio)\nDocumento: 2026-000124 (Acta)')
})

test('the code of an account stands in the body and never in the subject', () => {
  const { subject, text } = composeMail(
    { kind: 'account-invitation', by: 'Óscar Méndez', code, ...secret },
    frame,
  )
  expect(subject).toBe('Invitación a Rúbrica de Notaría 12 de la Ciudad de México')
  expect(text).toContain('Código: 7K3F9-QZA4M-0TXW2-B7K3F-9QZA4M')
  expect(text).toContain('Entrar por primera vez:\nhttps://r.example/s#7K3F9')
})

test('an alert has no link: the reader signs in the usual way', () => {
  const { text, html } = composeMail(ALL.at(-1) as MailFacts, frame)
  expect(`${text}${html}`).not.toMatch(/https?:|href/)
})

const HOSTILE = [
  'uno\r\nBcc: victima@example.com',
  'dos\nBcc: victima@example.com',
  'tres\rBcc: victima@example.com',
  'cuatro\u2028Bcc: victima@example.com',
  'cinco\u0000\u0085\u000bBcc: victima@example.com',
]

test.each(HOSTILE)('a title cannot begin another header: %j', (title) => {
  const { subject } = composeMail({ kind: 'signer-replaced', title, documents: [title] }, frame)
  expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
  expect(subject).toMatch(/^Ya no hace falta su firma: \S+ +Bcc: victima@example\.com$/)
})

test('marks that turn the direction are left out', () => {
  const { subject } = composeMail(
    { kind: 'signer-replaced', title: 'Poder \u202efdp.exe\u2066', documents: [] },
    frame,
  )
  expect(subject).toBe('Ya no hace falta su firma: Poder fdp.exe')
})

test('a long title is cut, never in the middle of a character', () => {
  const { subject } = composeMail(
    { kind: 'signer-replaced', title: '🖋'.repeat(200), documents: [] },
    frame,
  )
  expect(subject.length).toBeLessThanOrEqual(150)
  expect(subject.endsWith('…')).toBe(true)
  expect(subject.isWellFormed()).toBe(true)
})

test('mail: user text never becomes HTML', () => {
  const evil = `<script>alert("1")</script><a href='https://evil.example'>x</a>&amp;`
  const hostile: MailFacts[] = [
    {
      ...{ kind: 'signing-invitation', title: evil, documents: [evil] },
      ...{ by: evil, message: evil, deadline, ...secret },
    },
    { kind: 'signing-rejected', title: evil, documents: [evil], reason: evil },
    { kind: 'alert', title: evil, text: evil },
    {
      kind: 'signing-turn',
      ...asked,
      numbered,
      by: evil,
      page: `https://r.example/"onmouseover="alert(1)`,
    },
  ]
  for (const facts of hostile) {
    const { html } = composeMail(facts, { ...frame, toName: evil, office: evil })
    expect(html).not.toMatch(/<script|<a href='|"onmouseover/)
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    expect(html).toContain('&amp;amp;')
  }
})

test('plain text keeps the user text without control characters', () => {
  const { text } = composeMail(
    { kind: 'alert', title: 'A & B', text: 'uno <dos>\u0007\u001b[31m tres' },
    frame,
  )
  expect(text).toContain('A & B')
  expect(text).toContain('uno <dos>  [31m tres')
})
