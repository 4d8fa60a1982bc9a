import { beforeAll, expect, test } from 'vitest'
import { fromHex, toHex } from '#server/domain/bytes.ts'
import { readSignedData } from '#server/domain/cms/signed-data.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { signedDeed } from '#tests/attacks/sign-deed.ts'
import { type SignatureText, signatureText } from '#tests/attacks/signature-text.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judgedWithFlip, maskFor, range } from '#tests/support/pdf/flipped-files.ts'
import { sealOf, testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

/* Every byte of a deed whose objects and cross-references are packed in streams. */

let file: Uint8Array
let policy: VerificationPolicy
let signature: SignatureText
/** The offset at which the CMS ends and the padding begins. */
let padding: number
/** The signed attributes, the signature value and the certificate, as encoded in /Contents. */
let essential: { start: number; end: number }[]

beforeAll(async () => {
  const efirma = await testEfirma()
  const seal = sealOf(efirma)
  const deed = await signedDeed({ layout: 'object stream', style: 'object stream', seal })
  file = deed.file
  policy = await testPolicy()
  signature = signatureText(file)
  const { text, contents } = signature
  const digits = text.slice(contents.start + 1, contents.end - 1).replace(/0+$/, '')
  padding = contents.start + 1 + digits.length
  const [signer] = readSignedData(
    fromHex(digits.padEnd(2 * Math.ceil(digits.length / 2), '0')),
  ).signers
  essential = [efirma.cer, signer!.signedAttributes!.setBytes.subarray(1), signer!.signature].map(
    (bytes) => {
      const start = text.indexOf(toHex(bytes), contents.start)
      return { start, end: start + 2 * bytes.length }
    },
  )
})

const isInside = (at: number) => signature.contents.start <= at && at < signature.contents.end

test('every byte that was signed', { timeout: 180_000 }, () => {
  const overlooked: string[] = []
  for (const at of range(0, file.length)) {
    if (isInside(at)) continue
    const mask = maskFor(at)
    const { verdict, signatures } = judgedWithFlip(file, { at, mask }, policy)
    const isFound =
      (verdict === 'INVALID' || verdict === 'INDETERMINATE' || verdict === 'NOT_A_PDF') &&
      !signatures.some(({ intact, coverage }) => intact && coverage !== 'UNCLEAR')
    if (!isFound) overlooked.push(`${at} ^ ${mask}: ${verdict}`)
  }
  expect(overlooked).toEqual([])
})

/** Why a changed byte of /Contents says the same as before; undefined when it does not. */
function sameBecause(at: number, mask: number): string | undefined {
  const digit = signature.text[at]!
  const now = String.fromCharCode(digit.charCodeAt(0) ^ mask)
  if (digit.toLowerCase() === now.toLowerCase()) return 'a letter in the other case'
  if (at >= padding) return /[\0\t\n\f\r ]/.test(now) ? 'a blank after the CMS' : undefined
  // Versions, digest hints, and certificates that the verifier already has.
  const isEssential = essential.some(({ start, end }) => start <= at && at < end)
  return isEssential ? undefined : 'in an unsigned and unneeded part of the CMS'
}

/** Another digit, or none any more, by turns; and at some places the same letter in the other case, too. */
const masksFor = (at: number) => (at % 4 === 3 ? [0x01, 0x20] : [at % 2 ? 0x01 : 0x10])

test('every byte of /Contents, its padding included', { timeout: 180_000 }, () => {
  const overlooked: string[] = []
  const reasons = new Map<string, number>()
  const places = [
    ...range(signature.contents.start, padding + 4),
    ...range(padding + 4, signature.contents.end - 4, 64),
    ...range(signature.contents.end - 4, signature.contents.end),
  ]
  for (const at of places)
    for (const mask of masksFor(at)) {
      if (judgedWithFlip(file, { at, mask }, policy).verdict !== 'VALID') continue
      const reason = sameBecause(at, mask)
      if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      else overlooked.push(`${at - signature.contents.start} ^ ${mask}`)
    }
  expect(overlooked).toEqual([])
  expect(essential.every(({ start }) => start > signature.contents.start)).toBe(true)
  expect([...reasons.keys()]).toContain('a letter in the other case')
})
