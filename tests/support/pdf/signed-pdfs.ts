import { createHash, sign } from 'node:crypto'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { TEST_NOW, testAnchor, testAuthority } from '#tests/support/authorities/test-authority.ts'
import { type Bodies, bodiesWithPages, bytesOf, pdfWithTable, textOf } from './pdf-builders.ts'

/* Handwritten signed PDFs; each can be wrong in exactly one place. They do not use the writer under test. */

/** Makes /Contents for the signed bytes. */
export type Seal = (signed: Uint8Array) => Uint8Array | Promise<Uint8Array>

export type HandSigned = {
  seal: Seal
  subFilter?: string
  /** More entries of the signature dictionary. */
  entries?: string
  /** Replaces the right /ByteRange, as written and as signed. */
  byteRange?: (right: ByteRange) => string
  /** In place of the hexadecimal /Contents. */
  contents?: (hexadecimal: string) => string
  /** Entries of the field; by default it holds the signature. */
  field?: string
  /** Entries of the form. */
  form?: string
  /** Entries of the catalog. */
  catalog?: string
  bodies?: Bodies
  junk?: string
  /** /M; none when empty. */
  time?: string
  /** Bytes that the signature may have. */
  room?: number
}

type ByteRange = readonly [number, number, number, number]

const ROOM = 6000
const RANGE_WIDTH = 60

/** A page, a form with one signature field, and its signature over everything else. */
export async function handSigned(options: HandSigned): Promise<Uint8Array> {
  const blank = blankOf(options)
  const start = blank.indexOf('/Contents <', blank.indexOf('/ByteRange')) + 10
  const end = blank.indexOf('>', start) + 1
  const right: ByteRange = [0, start, end, blank.length - end]
  const written = options.byteRange?.(right) ?? `[${right.join(' ')}]`
  const whole = blank.replace('*'.repeat(RANGE_WIDTH), written.padEnd(RANGE_WIDTH))
  const [offset, length, tail, tailLength] = numbersOf(written, right)
  const signed = bytesOf(
    whole.slice(offset, offset + length) + whole.slice(tail, tail + tailLength),
  )
  const cms = Buffer.from(await options.seal(signed)).toString('hex')
  const string = `<${cms.padEnd(2 * (options.room ?? ROOM), '0')}>`
  const contents = (options.contents?.(string) ?? string).padEnd(end - start)
  return bytesOf(whole.slice(0, start) + contents + whole.slice(end))
}

function blankOf(options: HandSigned): string {
  const { subFilter = 'ETSI.CAdES.detached', time = 'D:20261120150000Z', entries = '' } = options
  const { room = ROOM } = options
  const bodies = bodiesWithPages(
    1,
    `/AcroForm<<${options.form ?? '/Fields[20 0 R]/SigFlags 3'}>>${options.catalog ?? ''}`,
  )
  const page = bodies[10]!.replace('/Contents', '/Annots[20 0 R]/Contents')
  const field = `<</FT/Sig/T(Firma1)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/P 10 0 R${options.field ?? '/V 21 0 R'}>>`
  const signature = `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/${subFilter}${time && `/M(${time})`}${entries}/ByteRange ${'*'.repeat(RANGE_WIDTH)}/Contents <${'0'.repeat(2 * room)}>>>`
  const all = { ...bodies, 10: page, 20: field, 21: signature, ...options.bodies }
  return textOf(pdfWithTable(all, options.junk === undefined ? {} : { junk: options.junk }))
}

/** The written numbers if they can be read, else the right ones. */
function numbersOf(written: string, right: ByteRange): ByteRange {
  const numbers = (written.match(/-?\d+/g) ?? []).map(Number)
  const isUsable = numbers.length === 4 && numbers.every((number) => number >= 0)
  return isUsable ? (numbers as unknown as ByteRange) : right
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** A PAdES signature. */
export function sealOf({ certificate, keyPair, cer }: Efirma, more: Uint8Array[] = []): Seal {
  return async (signed) => {
    const signedAttributes = buildSignedAttributes({
      digest: hash(signed),
      certificateDigest: hash(cer),
    })
    const { issuing } = await testAuthority()
    return buildSignedData({
      signedAttributes,
      signature: sign('sha256', signedAttributes, keyPair.privateKey),
      signer: certificate,
      certificates: [issuing.der, ...more],
      digestAlgorithm: 'sha256',
    })
  }
}

/** Trusts the test authority, at the clock of the tests. */
export async function testPolicy(
  changes: { at?: VerificationPolicy['at']; revocation?: 'required' } = {},
): Promise<VerificationPolicy> {
  const anchor = await testAnchor()
  const { issuing } = await testAuthority()
  const { at = TEST_NOW, revocation = anchor.revocation } = changes
  return { anchors: [{ ...anchor, revocation }], candidates: [issuing], at }
}

export async function verified(
  file: Uint8Array,
  policy?: VerificationPolicy,
): Promise<VerificationReport & { first: SignatureReport }> {
  const report = verifyFile(memorySource(file), 'prueba.pdf', policy ?? (await testPolicy()))
  return { ...report, first: report.signatures[0]! }
}

/** A short form of a report with one signature. */
export const verdictAndReason = ({ verdict, signatures: [first] }: VerificationReport) => [
  verdict,
  first?.subIndication,
]

/** The file with more after it. */
export const withTail = (file: Uint8Array, tail: string) => concatBytes(file, bytesOf(tail))
