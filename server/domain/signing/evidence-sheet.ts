import { drawLine as drawStroke } from '#server/domain/pdf/canvas.ts'
import { characterText, declaredText } from '#server/domain/signing/character-text.ts'
import { formatDay, formatInstant, type Instant, toTimestamp } from '#server/domain/time.ts'
import { drawDemoNotice } from './demo-notice.ts'
import {
  type EvidencedConstancia,
  type EvidencedSignature,
  type EvidencedTimestamp,
  type EvidenceSheetFacts,
  originalStringOf,
} from './evidence-sheet-facts.ts'
import {
  type FactsLook,
  type Flow,
  heightOf,
  makeRoom,
  type NamedText,
  startFlow,
  WIDTH,
  writeFacts,
  writeFeet,
  writeHeading,
  writeRule,
  writeText,
} from './flowing-text.ts'
import {
  createPaper,
  drawBand,
  drawFitted,
  drawLine,
  drawQrCode,
  drawSeal,
  finishPaper,
  INK,
  MUTED,
  marginOf,
  type Paper,
  type SheetFonts,
} from './paper.ts'

/** More than any session's signatures need. */
const MOST_PAGES = 200
const QR_SIDE = 92

const LEGEND =
  'La impresión de esta hoja y del documento al que se refiere es una representación impresa. El original ' +
  'válido es el archivo electrónico con las firmas electrónicas que contiene; su autenticidad se comprueba '

const ABOUT_THE_SEAL =
  'El sello digital es el valor de la firma electrónica que contiene el archivo PDF, calculado con la clave ' +
  'privada del firmante sobre los atributos firmados (CMS, RFC 5652), entre los que está la huella de los bytes ' +
  'firmados. La cadena original reúne los datos que identifican la firma para compararlos: no se firma por ' +
  'separado. Con la huella de los atributos, el sello y el certificado se comprueba la firma sin este sistema.'

/** The evidence sheet of a signed document. The same facts give the same bytes. */
export function renderEvidenceSheet(facts: EvidenceSheetFacts, fonts: SheetFonts): Uint8Array {
  const paper = createPaper(facts.sheetSize, fonts)
  drawHead(paper, facts)
  const flow = startFlow(paper, facts.sheetSize.height - 102, MOST_PAGES)
  writeDocument(flow, facts)
  writeIntegrity(flow, facts)
  writeAcknowledgements(flow, facts)
  writeSignatures(flow, facts)
  writeTimestamps(flow, facts)
  writeConstancia(flow, facts.constancia, facts.office.zone)
  flow.y -= 8
  makeRoom(flow, 48)
  writeText(flow, ABOUT_THE_SEAL, { size: 8, color: MUTED })
  const address = facts.publicAddress ? ` · ${facts.publicAddress.url}` : ''
  writeFeet(flow, `Hoja de evidencia · Folio ${facts.folio}${address}`)
  if (facts.isDemo) for (const page of paper.pack.pages) drawDemoNotice({ ...paper, page })
  return finishPaper(paper)
}

function drawHead(paper: Paper, { office }: EvidenceSheetFacts): void {
  const left = marginOf(paper.page.size)
  const top = paper.page.size.height
  const band = { x: left + 66, y: top - 28, width: WIDTH - 66, height: 20 }
  drawBand(paper, band)
  drawSeal(paper, left, top - 26, 56)
  drawLine(paper, 'Hoja de evidencia', { x: band.x, y: top - 67 }, 19, {
    font: paper.bold,
    color: INK,
  })
  const box = { width: band.width, lines: 1, size: 10, smallest: 7 }
  const style = { font: paper.regular, color: MUTED }
  const place = office.place ? ` · ${office.place}` : ''
  drawFitted(paper, `${office.name}${place}`, { x: band.x, y: top - 81 }, box, style)
  const rule = { x: left, y: top - 92 }
  drawStroke(paper.page, rule, { ...rule, x: left + WIDTH }, { color: INK, width: 1 })
}

/** The document's facts, beside the QR code. */
function writeDocument(flow: Flow, facts: EvidenceSheetFacts): void {
  const { paper } = flow
  const top = paper.page.size.height - 104
  const code = { x: marginOf(paper.page.size) + WIDTH - QR_SIDE, top, side: QR_SIDE }
  const { publicAddress } = facts
  if (publicAddress) drawQrCode(paper, publicAddress.url, code)
  const width = publicAddress ? WIDTH - QR_SIDE - 24 : WIDTH
  writeText(flow, facts.title, { size: 13, isBold: true, color: INK, width })
  flow.y -= 4
  const rows: NamedText[] = [
    { name: 'Tipo', value: facts.kind },
    { name: 'Folio', value: facts.folio },
    ...facts.instrument,
    ...(publicAddress
      ? [
          { name: 'Código de verificación', value: publicAddress.code },
          { name: 'Dirección para verificar', value: publicAddress.url },
        ]
      : []),
  ]
  writeFacts(flow, rows, { ...PLAIN, width })
  if (publicAddress) flow.y = Math.min(flow.y, top - QR_SIDE - 10)
}

/** Width of the column of names, the same on the whole sheet. */
const NAMES = 128
const PLAIN: FactsLook = { nameWidth: NAMES, size: 9, isDense: true }
const SAID: FactsLook = { nameWidth: NAMES, size: 8.5, isDense: true }
const VALUES: FactsLook = { nameWidth: NAMES, size: 7.5, isDense: true }

function writeIntegrity(flow: Flow, facts: EvidenceSheetFacts): void {
  const { zone } = facts.office
  writeHeading(flow, 'Integridad')
  writeFacts(
    flow,
    [
      { name: 'SHA-256 del original', value: grouped(facts.originalSha256) },
      { name: 'SHA-256 del archivo firmado', value: grouped(facts.finalSha256) },
      { name: 'Páginas del archivo firmado', value: String(facts.pages) },
      { name: 'Resultado', value: facts.verdict },
      { name: 'Comprobado', value: bothTimes(facts.checkedAt, zone) },
    ],
    PLAIN,
  )
  flow.y -= 3
  const where = facts.publicAddress
    ? 'en la dirección de verificación o con el código de verificación.'
    : 'con ese archivo y en la notaría que lo expidió.'
  writeText(flow, `${LEGEND}${where}`, { size: 8.5, color: MUTED })
}

function writeAcknowledgements(flow: Flow, facts: EvidenceSheetFacts): void {
  if (facts.acknowledgements.length === 0) return
  writeHeading(flow, 'Confirmaciones antes de firmar')
  const rows = facts.acknowledgements.map(({ name, at, text }) => ({
    name: 'Confirmó',
    value: `${name} · ${bothTimes(at, facts.office.zone)} · ${text}`,
  }))
  writeFacts(flow, rows, SAID)
}

function writeSignatures(flow: Flow, facts: EvidenceSheetFacts): void {
  writeHeading(flow, facts.signatures.length === 1 ? 'Firma' : 'Firmas')
  facts.signatures.forEach((signature, index) => {
    const said = signatureFacts(signature, facts.office.zone)
    const values = valueFacts(facts, signature)
    // Keep each signature on one page.
    makeRoom(flow, 40 + heightOf(flow, said, SAID) + heightOf(flow, values, VALUES))
    writeRule(flow, INK, 1)
    const title =
      facts.signatures.length === 1 ? signature.title : `${index + 1}. ${signature.title}`
    writeText(flow, title, { size: 11, isBold: true, color: INK })
    flow.y -= 2
    writeFacts(flow, said, SAID)
    writeFacts(flow, values, VALUES)
    flow.y -= 8
  })
}

function signatureFacts(signature: EvidencedSignature, zone: string): NamedText[] {
  const { rfc, certificate, claimedName, claimedTime, provenTime, timestamps } = signature
  return [
    { name: 'Resultado', value: signature.result },
    ...(claimedName === null ? [] : [{ name: 'Dice llamarse', value: claimedName }]),
    ...characterFacts(signature),
    ...(rfc ? [{ name: claimedName === null ? 'RFC' : 'Dice tener el RFC', value: rfc }] : []),
    ...(certificate ? certificateFacts(certificate, zone) : []),
    { name: 'Revocación', value: signature.revocation },
    { name: 'Algoritmo', value: signature.algorithm },
    { name: 'Formato', value: signature.format },
    ...(claimedTime === null
      ? []
      : [{ name: 'Hora según quien firmó', value: bothTimes(claimedTime, zone) }]),
    ...(provenTime === null ? [] : [{ name: 'Hora probada', value: bothTimes(provenTime, zone) }]),
    ...timestamps.map((timestamp) => ({
      name: 'Sello de tiempo',
      value: timestampText(timestamp, zone),
    })),
  ]
}

function characterFacts({ character, declaredReason }: EvidencedSignature): NamedText[] {
  if (character?.kind === 'declared')
    return [{ name: 'Carácter declarado', value: declaredText(character.texts) }]
  if (character) return [{ name: 'Carácter', value: characterText(character) }]
  return declaredReason ? [{ name: 'Motivo declarado', value: declaredReason }] : []
}

function certificateFacts(
  { number, issuer, notBefore, notAfter }: NonNullable<EvidencedSignature['certificate']>,
  zone: string,
): NamedText[] {
  const validity = `del ${formatDay(notBefore, zone)} al ${formatDay(notAfter, zone)}`
  return [
    { name: 'Número de certificado', value: grouped(number) },
    { name: 'Emitido por', value: issuer },
    { name: 'Vigencia', value: validity },
  ]
}

function valueFacts(facts: EvidenceSheetFacts, signature: EvidencedSignature): NamedText[] {
  const { values } = signature
  if (!values) return []
  const digest = digestName(values.digestAlgorithm)
  return [
    { name: `${digest} de los bytes firmados`, value: values.messageDigest, isCode: true },
    {
      name: `${digest} de los atributos firmados`,
      value: values.signedAttributesDigest,
      isCode: true,
    },
    {
      name: 'Cadena original',
      value: originalStringOf(facts, { ...signature, values }),
      isCode: true,
    },
    { name: 'Sello digital', value: values.signature, isCode: true },
  ]
}

function writeTimestamps(flow: Flow, facts: EvidenceSheetFacts): void {
  if (facts.documentTimestamps.length === 0) return
  writeHeading(flow, 'Sellos de tiempo del documento')
  const rows = facts.documentTimestamps.map((timestamp, index) => ({
    name: `Sello ${index + 1}`,
    value: timestampText(timestamp, facts.office.zone),
  }))
  writeFacts(flow, rows, PLAIN)
}

function writeConstancia(flow: Flow, constancia: EvidencedConstancia, zone: string): void {
  writeHeading(flow, 'Constancia de conservación (NOM-151-SCFI-2016)')
  if (constancia.kind === 'issued') writeFacts(flow, constanciaFacts(constancia, zone), PLAIN)
  else writeText(flow, NO_CONSTANCIA[constancia.kind], { size: 9, color: INK })
}

const NO_CONSTANCIA = {
  pending: 'Pendiente: el prestador todavía no la ha emitido.',
  failed: 'El prestador no la emitió; se puede solicitar de nuevo.',
  none: 'No se ha solicitado constancia para este documento.',
}

type Issued = Extract<EvidencedConstancia, { kind: 'issued' }>

const constanciaFacts = ({ authority, policy, time }: Issued, zone: string): NamedText[] => [
  { name: 'Emitida por', value: authority ?? 'No se sabe' },
  { name: 'Política', value: policy ?? 'No se sabe' },
  { name: 'Hora', value: time === null ? 'No se sabe' : bothTimes(time, zone) },
]

function timestampText({ authority, time, result }: EvidencedTimestamp, zone: string): string {
  return [authority, time === null ? null : bothTimes(time, zone), result]
    .filter((part) => part !== null)
    .join(' · ')
}

/** In the office's time zone and in UTC. */
const bothTimes = (at: Instant, zone: string) =>
  `${formatInstant(at, zone)} · ${toTimestamp(at).replace('.000Z', 'Z')} (UTC)`

const grouped = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ')

const digestName = (algorithm: string) =>
  algorithm.toUpperCase().replace(/^SHA(1|\d{3})$/, 'SHA-$1')
