import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { renderEvidenceSheet } from '#server/domain/signing/evidence-sheet.ts'
import {
  type EvidencedSignature,
  type EvidenceSheetFacts,
  originalStringOf,
} from '#server/domain/signing/evidence-sheet-facts.ts'
import { parseInstant } from '#server/domain/time.ts'
import { declared, TITULAR } from '#tests/support/characters.ts'
import { judge } from '#tests/support/judges.ts'
import { sheetFonts } from './sheet-fonts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubrica-evidence-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = parseInstant('2026-11-20T15:05:12Z')
const values = {
  messageDigest: 'a1'.repeat(32),
  signedAttributesDigest: 'b2'.repeat(32),
  digestAlgorithm: 'sha256',
  signature: Buffer.alloc(256, 'sello').toString('base64'),
}
const signature: EvidencedSignature & { values: typeof values } = {
  field: 'Firmante-1',
  name: 'XIMENA CAÑEDO ÍÑIGUEZ',
  title: 'XIMENA CAÑEDO ÍÑIGUEZ',
  claimedName: null,
  character: TITULAR,
  rfc: 'CAÑF770131PA3',
  certificate: {
    number: '00001000000500003282',
    issuer: 'AC del Servicio de Administración Tributaria',
    notBefore: parseInstant('2024-01-02T12:00:00Z'),
    notAfter: parseInstant('2028-01-02T12:00:00Z'),
  },
  algorithm: 'RSASSA-PKCS1-v1_5, sha256',
  format: 'PAdES B-LTA, campo “Firmante-1”',
  result: 'Firma válida',
  claimedTime: at,
  provenTime: at,
  revocation: 'El certificado no había sido revocado, según la respuesta OCSP de la autoridad',
  timestamps: [{ authority: 'Autoridad de sellos', time: at, result: 'válido' }],
  values,
}
const publicAddress = {
  url: 'https://rubrica.example.mx/verify/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1',
  code: 'K7QM-2P9X-TT4R-8ABC',
}
const facts: EvidenceSheetFacts = {
  sheetSize: { width: 612, height: 792 },
  office: {
    name: 'Notaría 12 de la Ciudad de México',
    place: 'Coyoacán, Ciudad de México',
    zone: 'America/Mexico_City',
  },
  isDemo: false,
  folio: '2026-000123',
  kind: 'Copia certificada',
  instrument: [],
  title: '¿Copia? ¡Sí! Ñandú, pingüino, áéíóú ÁÉÍÓÚÜ “Muñoz & Núñez”',
  publicAddress,
  originalSha256: '1c'.repeat(32),
  finalSha256: '2d'.repeat(32),
  pages: 12,
  checkedAt: at,
  verdict: 'El documento está íntegro y firmado.',
  acknowledgements: [],
  signatures: [signature],
  documentTimestamps: [],
  constancia: { kind: 'none' },
}

const render = (changes: Partial<EvidenceSheetFacts> = {}) =>
  renderEvidenceSheet({ ...facts, ...changes }, sheetFonts)

function saved(bytes: Uint8Array): string {
  const path = join(folder, 'evidence.pdf')
  writeFileSync(path, bytes)
  return path
}

const pagesIn = (bytes: Uint8Array) =>
  judge('pdftotext')('-layout', saved(bytes), '-').output.split('\f').slice(0, -1)
const textIn = (bytes: Uint8Array) => pagesIn(bytes).join(' ').replace(/\s+/g, ' ')
/** Without spaces: what is broken into lines is whole again. */
const closeIn = (bytes: Uint8Array) =>
  judge('pdftotext')('-raw', saved(bytes), '-').output.replace(/\s+/g, '')

test.each([
  ['A4', 595.28, 841.89],
  ['oficio', 612.28, 963.78],
  ['legal', 612, 1008],
])(
  'a document in %s has evidence sheets of its size, with all text inside the margins',
  (_, width, height) => {
    const path = saved(
      render({ sheetSize: { width, height }, signatures: Array(9).fill(signature), isDemo: true }),
    )
    const sizes = [
      ...judge('pdfinfo')('-l', '99', path).output.matchAll(/size: +(\S+) x (\S+) pts/g),
    ]
    expect(sizes.length).toBeGreaterThan(2)
    for (const [, wide, high] of sizes) {
      expect(Number(wide)).toBeCloseTo(width, 1)
      expect(Number(high)).toBeCloseTo(height, 1)
    }
    const boxes = judge('pdftotext')('-bbox', path, '-').output
    const edge = (name: string) =>
      [...boxes.matchAll(new RegExp(`${name}="([\\d.]+)"`, 'g'))].map(([, at]) => Number(at))
    expect(Math.min(...edge('xMin'))).toBeGreaterThanOrEqual((width - 516) / 2 - 1)
    expect(Math.max(...edge('xMax'))).toBeLessThanOrEqual((width + 516) / 2 + 1)
    expect(Math.max(...edge('yMax'))).toBeLessThanOrEqual(height)
  },
)

test('all that it is told can be read back, and the same facts give the same bytes', async () => {
  const sheet = await render()
  expect(await render()).toEqual(sheet)
  const text = textIn(sheet)
  for (const part of [
    'Hoja de evidencia',
    'Notaría 12 de la Ciudad de México · Coyoacán, Ciudad de México',
    facts.title,
    facts.kind,
    facts.folio,
    publicAddress.code,
    facts.verdict,
    '20 nov 2026, 09:05 (hora del centro) · 2026-11-20T15:05:12Z (UTC)',
    signature.name,
    'Notario titular',
    'CAÑF770131PA3',
    '0000 1000 0005 0000 3282',
    'AC del Servicio de Administración Tributaria',
    'del 02 ene 2024 al 02 ene 2028',
    signature.algorithm,
    signature.revocation,
    'Autoridad de sellos',
    'PAdES B-LTA, campo “Firmante-1”',
    'representación impresa',
    'No se ha solicitado constancia',
    'Página 1 de 1',
  ])
    expect(text).toContain(part)
  const close = closeIn(sheet)
  for (const part of [
    publicAddress.url,
    facts.originalSha256,
    facts.finalSha256,
    values.signature,
    originalStringOf(facts, signature).replaceAll(' ', ''),
  ])
    expect(close).toContain(part)
  expect(text).not.toContain('PRUEBA')
})

test('every Spanish letter is printed correctly', async () => {
  const letters = 'abcdefghijklmnñopqrstuvwxyzáéíóúü ABCDEFGHIJKLMNÑOPQRSTUVWXYZÁÉÍÓÚÜ'
  const text = textIn(await render({ title: letters, verdict: `¿${letters}? ¡0123456789!` }))
  for (const word of letters.split(' ')) expect(text).toContain(word)
})

test('qpdf accepts it, and its fonts are embedded subsets', async () => {
  const path = saved(await render({ isDemo: true }))
  expect(judge('qpdf')('--check', path).status).toBe(0)
  const fonts = judge('pdffonts')(path).output.trim().split('\n').slice(2)
  expect(fonts).toHaveLength(2)
  for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+RubricaSans-\w+ .* yes yes yes /)
})

test('every page of a demo says twice that nothing of it is valid', async () => {
  for (const page of pagesIn(await render({ isDemo: true })))
    expect(page.match(/DOCUMENTO DE PRUEBA · SIN VALIDEZ/g)).toHaveLength(2)
})

test('evidence sheet: a name that no authority confirms is no title', async () => {
  const unconfirmed = { title: 'Firmante sin confirmar', claimedName: '“XIMENA”' }
  const text = textIn(await render({ signatures: [{ ...signature, ...unconfirmed }] }))
  expect(text).toContain('Firma Firmante sin confirmar Resultado Firma válida')
  expect(text).toContain('Dice llamarse “XIMENA”')
  expect(text).toContain('Dice tener el RFC CAÑF770131PA3')
})

test('evidence sheet: prints what signers acknowledged about the file, and no such part without it', async () => {
  const text = '“Vi lo que se encontró”. Se mostró: Llegó sin firmas.'
  const acknowledgements = [{ name: 'Ximena Cañedo Íñiguez', at, text }]
  const sheet = textIn(await render({ acknowledgements }))
  expect(sheet).toContain('Confirmaciones antes de firmar Confirmó Ximena Cañedo Íñiguez · 20 nov')
  expect(sheet).toContain(text)
  expect(textIn(await render())).not.toContain('Confirm')
})

test('evidence sheet: one signature is never split between pages', async () => {
  const signatures = Array.from({ length: 12 }, (_, index) => ({
    ...signature,
    title: `FIRMANTE ${index + 1}`,
    format: `PAdES B-LTA, campo “Firmante-${index + 1}”`,
  }))
  const pages = pagesIn(await render({ signatures }))
  for (const { title, format } of signatures) {
    const page = pages.find((text) => text.includes(`. ${title}\n`))
    expect(page).toContain(format)
  }
  const starts = pages.map((page) => page.match(/^\d+\. FIRMANTE/gm)?.length ?? 0)
  const seals = pages.map((page) => page.match(/^ *Sello digital/gm)?.length ?? 0)
  expect(seals).toEqual(starts)
})

describe('the constancia', () => {
  test('is named with its authority, policy and time', async () => {
    const policy = '2.16.484.101.10.316.2.1.1.2.1'
    const constancia = { kind: 'issued', authority: 'Prestador', policy, time: at } as const
    const text = textIn(await render({ constancia }))
    for (const part of ['NOM-151', 'Emitida por Prestador', policy]) expect(text).toContain(part)
  })

  test('says that it is still to come', async () => {
    expect(textIn(await render({ constancia: { kind: 'pending' } }))).toContain('Pendiente')
  })
})

test('a document of an instrument is found in the protocol', async () => {
  const instrument = [
    { name: 'Instrumento', value: '45,213' },
    { name: 'Volumen', value: '1,204' },
    { name: 'Comparecientes', value: 'Vendedora: Íñiga Peña; Comprador: José Núñez' },
  ]
  expect(textIn(await render({ instrument }))).toMatch(
    /Instrumento 45,213 .*Volumen 1,204 .*Comparecientes Vendedora: Íñiga Peña; Comprador: José Núñez /,
  )
  expect(textIn(await render())).not.toMatch(/Instrumento|Comparecientes/)
})

test('a signature that says little leaves no empty lines', async () => {
  const { character, values: _, ...rest } = signature
  const little = { ...rest, rfc: null, certificate: null, claimedTime: null, provenTime: null }
  const text = textIn(await render({ signatures: [{ ...little, timestamps: [] }] }))
  for (const name of ['Carácter', 'RFC CAÑF', 'Vigencia', 'Hora según', 'Sello de tiempo'])
    expect(text).not.toContain(name)
})

describe('the cadena original', () => {
  test('names document, signer, certificate and time', () => {
    expect(originalStringOf(facts, signature)).toBe(
      `||1.0|2026-000123|${facts.originalSha256}|Firmante-1|XIMENA CAÑEDO ÍÑIGUEZ|CAÑF770131PA3|00001000000500003282|2026-11-20T15:05:12.000Z|${values.messageDigest}|${values.signedAttributesDigest}||`,
    )
  })

  test('has a fixed number of parts, with any name and any missing value', () => {
    const odd = { ...signature, name: 'A|B', rfc: null, certificate: null, claimedTime: null }
    expect(originalStringOf(facts, odd).split('|')).toHaveLength(14)
  })
})

test('evidence sheet: a declared character and the reason of a signature made elsewhere are called declared', async () => {
  const { character, ...rest } = signature
  const sheetOf = async (changes: Partial<EvidencedSignature>) =>
    textIn(await render({ signatures: [{ ...rest, ...changes }] }))
  expect(await sheetOf({ character: declared('Compradora') })).toMatch(
    /Carácter declarado Compradora/,
  )
  const elsewhere = await sheetOf({ declaredReason: '“Firma electrónica como Notario titular”' })
  expect(elsewhere).toMatch(/Motivo declarado “Firma electrónica como Notario titular”/)
  expect(elsewhere).not.toMatch(/Carácter/)
  expect(character).toEqual(TITULAR)
})

test('without public look-up: no address, code or QR', () => {
  const sheet = render({ publicAddress: null })
  const text = closeIn(sheet)
  expect(text).not.toMatch(/http|verificación|K7QM/)
  expect(text).toContain('enlanotaríaqueloexpidió')
  expect(sheet.length).toBeLessThan(render().length)
})
