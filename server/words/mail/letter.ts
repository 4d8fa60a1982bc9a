import { shownLines, shownText } from '#server/domain/text/shown-text.ts'

/** The content of a mail before layout. Texts are not escaped; layout escapes them. */
export type Letter = {
  subject: string
  title: string
  paragraphs: readonly string[]
  /** Names and values: `Fecha límite`, `20 nov 2026, 09:05 (hora del centro)`. */
  facts: readonly (readonly [name: string, value: string])[]
  /** A person's own words and their name. */
  quote?: { by: string; text: string } | undefined
  link?: { label: string; address: string } | undefined
  /** Smaller remarks at the end. */
  notes: readonly string[]
}

/** Sender and subject. */
export type Envelope = {
  toName: string
  /** Name of the notary office. */
  office: string
}

export type LaidOut = {
  /** One line without control characters. */
  subject: string
  text: string
  html: string
}

/** Lays out a letter for every mail client: as plain text, and as HTML tables with inline styles. */
export function layOut(letter: Letter, envelope: Envelope): LaidOut {
  return {
    subject: shownText(letter.subject, 150),
    text: asText(letter, envelope),
    html: asHtml(letter, envelope),
  }
}

function asText(letter: Letter, { toName, office }: Envelope): string {
  const { title, paragraphs, facts, quote, link, notes } = letter
  const blocks = [
    `${shownText(toName, 200)}:`,
    title,
    ...paragraphs,
    facts.map(([name, value]) => `${name}: ${shownText(value, 500)}`).join('\n'),
    quote && `${quote.by}:\n${quoted(quote.text)}`,
    link && `${link.label}:\n${link.address}`,
    ...notes,
    `${office}\nEste correo se envió con Rúbrica. Nadie lee las respuestas que llegan a esta dirección.`,
  ]
  const said = blocks.flatMap((block) => (block ? [shownLines(block)] : []))
  return `${said.join('\n\n')}\n`
}

const quoted = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`)
    .join('\n')

const INK = '#1b2420'
const QUIET = '#56625c'
const GREEN = '#0b6b4b'
const PAPER = '#f3f1eb'
const RULE = '#dedad0'
const FONT = "font-family:'Segoe UI',Roboto,Arial,sans-serif;"
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

function asHtml(letter: Letter, { toName, office }: Envelope): string {
  const { subject, title, paragraphs, facts, quote, link, notes } = letter
  const rows = [
    row(`font-size:16px;padding-top:24px;`, `${escaped(shownText(toName, 200))}:`),
    row('font-size:22px;font-weight:600;line-height:28px;', escaped(title)),
    ...paragraphs.map((text) => row('font-size:16px;', escaped(text))),
    facts.length > 0 && row('', factTable(facts)),
    quote && row('', quoteTable(quote)),
    link && row('', button(link)),
    ...notes.map((text) => row(`font-size:14px;line-height:20px;color:${QUIET};`, escaped(text))),
  ]
  return `<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(shownText(subject, 150))}</title>
</head>
<body style="margin:0;padding:0;background:${PAPER};">
<table ${TABLE} width="100%" style="background:${PAPER};"><tr><td align="center" style="padding:24px 12px;">
<table ${TABLE} width="100%" style="max-width:560px;background:#ffffff;border:1px solid ${RULE};border-radius:8px;">
<tr><td style="${FONT}padding:20px 28px;border-bottom:1px solid ${RULE};color:${INK};"><span style="color:${GREEN};font-size:18px;font-weight:700;">Rúbrica</span><br><span style="font-size:14px;color:${QUIET};">${escaped(office)}</span></td></tr>
${rows.filter(Boolean).join('\n')}
<tr><td style="${FONT}padding:24px 28px;font-size:13px;line-height:18px;color:${QUIET};">Este correo se envió con Rúbrica. Nadie lee las respuestas que llegan a esta dirección.</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

const row = (style: string, content: string) =>
  `<tr><td style="${FONT}padding:12px 28px 0;color:${INK};line-height:24px;${style}">${content}</td></tr>`

const factTable = (facts: Letter['facts']) =>
  `<table ${TABLE} width="100%">${facts
    .map(
      ([name, value]) =>
        `<tr><td style="${FONT}padding:6px 0;border-top:1px solid ${RULE};font-size:15px;line-height:22px;color:${INK};"><span style="font-size:13px;color:${QUIET};">${escaped(name)}</span><br>${escaped(shownText(value, 500))}</td></tr>`,
    )
    .join('')}</table>`

const quoteTable = ({ by, text }: { by: string; text: string }) =>
  `<table ${TABLE} width="100%"><tr><td style="${FONT}padding:4px 0 4px 14px;border-left:3px solid ${GREEN};font-size:15px;line-height:22px;color:${INK};"><span style="font-size:13px;color:${QUIET};">${escaped(by)}</span><br>${escaped(text).replace(/\r\n|\r|\n/g, '<br>')}</td></tr></table>`

/* The address is printed in full, so that a reader can see where the button leads. */
const button = ({ label, address }: { label: string; address: string }) =>
  `<table ${TABLE}><tr><td style="${FONT}background:${GREEN};border-radius:8px;"><a href="${escaped(address)}" style="display:inline-block;padding:12px 20px;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;">${escaped(label)}</a></td></tr></table><p style="margin:8px 0 0;font-size:13px;line-height:18px;color:${QUIET};word-break:break-all;">${escaped(address)}</p>`

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and attribute values. */
function escaped(text: string): string {
  return shownLines(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
