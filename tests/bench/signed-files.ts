import { createHash, sign } from 'node:crypto'
import { closeSync, openSync, readSync, statSync, truncateSync, writeSync } from 'node:fs'
import { createAuthority, type Efirma, mintEfirma } from '#server/demo/certification-authority.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { after, days, instantOf } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { writeScannedPdf } from './large-pdf.ts'

/** A signer, and a policy that trusts the signer's authority. */
export type Cast = { efirma: Efirma; policy: VerificationPolicy; chain: Uint8Array[] }

export async function makeCast(): Promise<Cast> {
  const at = instantOf(Date.now())
  const notBefore = after(at, days(-1))
  const authority = await createAuthority({ now: notBefore })
  const efirma = await mintEfirma(authority, {
    kind: 'efirma-natural',
    name: 'PERSONA DE PRUEBA',
    rfc: 'PEPX800101AA1',
    curp: 'PEPX800101HDFRRX01',
    password: 'clave-de-medición',
    serial: '30001000000700000902',
    notBefore,
  })
  const { root, issuing } = authority
  const anchor = { certificate: root, label: 'Medición', forTesting: true } as const
  return {
    efirma,
    policy: {
      anchors: [{ ...anchor, revocation: 'when-available' }],
      candidates: [issuing],
      at,
    },
    chain: [issuing.der, root.der],
  }
}

const ROOM = 6000
/** Object numbers after those of the largest file: three for each page. */
const FIRST_OBJECT = 400

/** A file of about `megabytes` with `count` signatures, one revision each, as any program would write it. */
export function writeSignedPdf(file: string, megabytes: number, count: number, cast: Cast): void {
  const pages = Math.max(1, Math.round(megabytes))
  writeScannedPdf(file, pages, Math.floor(Math.sqrt((megabytes * 2 ** 20) / pages)))
  const fields: number[] = []
  for (let index = 0; index < count; index++) appendSignature(file, fields, index, cast)
}

function appendSignature(file: string, fields: number[], index: number, cast: Cast): void {
  const length = statSync(file).size
  const [field, signature] = [FIRST_OBJECT + 2 * index, FIRST_OBJECT + 2 * index + 1]
  fields.push(field)
  const places: [number, number][] = []
  let text = ''
  const object = (number: number, body: string) => {
    places.push([number, length + text.length])
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const list = fields.map((number) => `${number} 0 R`).join(' ')
  object(1, `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list}]/SigFlags 3>>>>`)
  object(
    field,
    `<</FT/Sig/T(Firma${index + 1})/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/V ${signature} 0 R>>`,
  )
  const blank = ' '.repeat(60)
  object(
    signature,
    `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[${blank}]/Contents <${'0'.repeat(2 * ROOM)}>>>`,
  )
  const rows = places.map(
    ([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`,
  )
  const start = length + text.length
  text += `xref\n${rows.join('')}trailer\n<</Size ${FIRST_OBJECT + 200}/Root 1 0 R/Prev ${startOf(file)}>>\nstartxref\n${start}\n%%EOF\n`
  const from = text.indexOf('/Contents <') + '/Contents '.length
  const to = text.indexOf('>', from) + 1
  const range = `0 ${length + from} ${length + to} ${text.length - to}`
  text = text.replace(blank, range.padEnd(blank.length))
  const hash = digestOf(file)
  hash.update(text.slice(0, from), 'latin1').update(text.slice(to), 'latin1')
  const cms = Buffer.from(sealed(hash.digest(), cast)).toString('hex')
  text = `${text.slice(0, from)}<${cms.padEnd(2 * ROOM, '0')}>${text.slice(to)}`
  const descriptor = openSync(file, 'r+')
  truncateSync(file, length)
  writeSync(descriptor, Buffer.from(text, 'latin1'), 0, text.length, length)
  closeSync(descriptor)
}

function sealed(digest: Uint8Array, { efirma }: Cast): Uint8Array {
  const { certificate, keyPair, cer } = efirma
  const certificateDigest = createHash('sha256').update(cer).digest()
  const signedAttributes = buildSignedAttributes({ digest, certificateDigest })
  return buildSignedData({
    signedAttributes,
    signature: sign('sha256', signedAttributes, keyPair.privateKey),
    signer: certificate,
    certificates: [],
    digestAlgorithm: 'sha256',
  })
}

function digestOf(file: string) {
  const hash = createHash('sha256')
  forEachPiece(file, 0, (piece) => hash.update(piece))
  return hash
}

function startOf(file: string): string {
  let tail = ''
  forEachPiece(file, Math.max(0, statSync(file).size - 100), (piece) => {
    tail += piece.toString('latin1')
  })
  return /startxref\s+(\d+)/.exec(tail)![1]!
}

function forEachPiece(file: string, from: number, use: (piece: Buffer) => void): void {
  const descriptor = openSync(file, 'r')
  const piece = Buffer.alloc(1 << 20)
  for (let at = from; ; ) {
    const read = readSync(descriptor, piece, 0, piece.length, at)
    if (read === 0) break
    use(piece.subarray(0, read))
    at += read
  }
  closeSync(descriptor)
}
