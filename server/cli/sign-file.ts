import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { sha256 as hexadecimalSha256 } from '#server/domain/crypto/sha256.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { signatureFields } from '#server/domain/pdf/signature-dictionaries.ts'
import { buildSignedAttributes, sha256 } from '#server/domain/pkcs/signed-attributes.ts'
import { isProblem } from '#server/domain/problem.ts'
import { completeIncrement } from '#server/domain/signing/complete-increment.ts'
import type { PreparedIncrement } from '#server/domain/signing/increment.ts'
import { prepareIncrement } from '#server/domain/signing/prepare-increment.ts'
import { signatureTimeStampAttribute } from '#server/domain/timestamp/signature-time-stamps.ts'
import { faultOfOwnSignature } from '#server/domain/verification/fault-of-own-signature.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { TimestampAuthority } from '#server/ports/timestamp-authorities.ts'
import { stampOf } from './level-options.ts'
import { type OpenedKey, type Refusal, Refused, refuse, ZONE } from './opened-key.ts'

export type SignedIncrement = {
  kind: 'signed'
  /** The bytes to append to the file. */
  increment: Uint8Array
  fieldName: string
  /** The report on the file before; absent if it had no signatures. */
  before?: VerificationReport
}

const CONTENTS_BYTES = 16_384

/** Prepares and completes a signature in one process, with a key at hand. */
export async function signFile(
  source: ByteSource,
  opened: OpenedKey,
  policy: VerificationPolicy,
  authority: TimestampAuthority | null = null,
): Promise<SignedIncrement | Refusal> {
  try {
    const before = hasSignatures(source) ? verifyFile(source, '', policy) : undefined
    const prepared = await prepare(source, opened.certificate, policy)
    const cms = await signDigest(prepared.digest, opened, (signature) =>
      authority ? stampOf(signature, authority, policy) : undefined,
    )
    const increment = completeIncrement(prepared, cms)
    const { fieldName } = prepared
    return { kind: 'signed', increment, fieldName, ...(before && { before }) }
  } catch (error) {
    return refuse(sentenceOf(error))
  }
}

const hasSignatures = (source: ByteSource) => {
  const document = readDocument(source)
  return signatureFields(document).some(({ value }) => document.resolve(value) !== null)
}

function prepare(
  source: ByteSource,
  certificate: Certificate,
  { at }: VerificationPolicy,
): PreparedIncrement {
  const { rfc, certificateNumber } = satProfileOf(certificate)
  const plan = {
    caption: { name: certificate.name, character: null, rfc: rfc ?? '', certificateNumber },
    reason: 'Firma electrónica con e.firma',
    at,
    contentsSize: CONTENTS_BYTES,
    zone: ZONE,
  }
  return prepareIncrement(source, plan, loadSheetFonts())
}

async function signDigest(
  digest: Uint8Array,
  { certificate, path, sign }: OpenedKey,
  tokenOver: (digest: Uint8Array) => Promise<Uint8Array> | undefined,
): Promise<Uint8Array> {
  const certificateDigest = await sha256(certificate.der)
  const signedAttributes = buildSignedAttributes({ digest, certificateDigest })
  const signature = await sign(signedAttributes)
  const token = await tokenOver(await sha256(signature))
  return buildSignedData({
    signedAttributes,
    signature,
    signer: certificate,
    certificates: path.map(({ der }) => der),
    digestAlgorithm: 'sha256',
    ...(token && { unsignedAttributes: [signatureTimeStampAttribute(token)] }),
  })
}

/** Why a file cannot be signed, es-MX; rethrows unexpected errors. */
function sentenceOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  if (error instanceof PdfError) return PDF_REFUSALS[error.code]
  if (isProblem(error, 'signing-forbidden-by-document'))
    return 'El documento está certificado y no admite más firmas.'
  if (isProblem(error, 'damaged-pdf')) return PDF_REFUSALS.damaged
  throw error
}

const PDF_REFUSALS: Record<PdfError['code'], string> = {
  'not-a-pdf': 'El archivo no es un PDF.',
  damaged:
    'El PDF está dañado y no se puede firmar. Guárdelo de nuevo desde su programa de origen.',
  encrypted: 'El PDF está protegido con contraseña. Guárdelo sin protección.',
  'change-protected':
    'El PDF está protegido contra cambios: se puede leer, pero no se le pueden agregar firmas. Pida a quien lo hizo una copia sin esa protección.',
  'too-complex': 'El PDF es demasiado complejo para procesarlo.',
}

/**
 * Why the signed file must be rejected, es-MX; undefined if it is good.
 *
 * @throws {Error} if our own verifier rejects the new signature: a bug
 */
export function refusalOfSigned(
  signed: ByteSource,
  { fieldName, before }: SignedIncrement,
  { certificate }: OpenedKey,
  policy: VerificationPolicy,
): string | undefined {
  const fault = faultOfOwnSignature(verifyFile(signed, '', policy), {
    field: fieldName,
    certificateSha256: hexadecimalSha256(certificate.der),
    before,
  })
  if (!fault) return undefined
  if (before) return 'Firmar este archivo dañaría una firma que ya tiene; no se firmó.'
  throw new Error(`our own signature does not verify: ${fault}`)
}
