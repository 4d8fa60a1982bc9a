import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import { type ByteSource, concatenatedSource } from '#server/domain/bytes.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import type { Certificate } from '#server/domain/efirma/certificate.ts'
import { matchesCertificate, openPrivateKey, signWith } from '#server/domain/efirma/private-key.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import { buildSignedAttributes, sha256 } from '#server/domain/efirma/signed-attributes.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { Problem } from '#server/domain/problem.ts'
import { acceptCertificate } from '#server/domain/signing/accept-certificate.ts'
import { completeIncrement } from '#server/domain/signing/complete-signature.ts'
import type { PreparedIncrement } from '#server/domain/signing/prepare.ts'
import { prepareSignature } from '#server/domain/signing/prepare-signature.ts'
import type { Instant } from '#server/domain/time.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'

export type SignFile = {
  certificateFile: Uint8Array
  keyFile: Uint8Array
  password: string
  trust: Pick<VerificationPolicy, 'anchors' | 'candidates'>
  now: Instant
}

export type SignedFile =
  /** What must be appended to the file. */
  | { kind: 'signed'; increment: Uint8Array; signer: Certificate }
  /** `sentence` es-MX: why nothing was signed. */
  | { kind: 'refused'; sentence: string }

const ZONE = 'America/Mexico_City'
const CONTENTS_BYTES = 16_384

/** Both halves of a signature in one process, for the key that lies beside the file. */
export async function signFile(source: ByteSource, input: SignFile): Promise<SignedFile> {
  const { trust, now } = input
  const accepted = acceptCertificate(input.certificateFile, { now, zone: ZONE, trust })
  if (accepted.kind === 'refused') return accepted
  const { certificate, path } = accepted
  const key = await openPrivateKey(input.keyFile, input.password)
  if (key.kind !== 'opened') return refuse(sentenceFor({ code: key.kind, file: 'private-key' }))
  if (!matchesCertificate(key.opened, certificate))
    return refuse(sentenceFor({ code: 'key-mismatch', file: 'private-key' }))

  const prepared = await prepareOrRefuse(source, now, certificate)
  if ('sentence' in prepared) return prepared
  const signedAttributes = buildSignedAttributes({
    digest: prepared.digest,
    certificateDigest: await sha256(certificate.der),
  })
  const cms = buildSignedData({
    signedAttributes,
    signature: await signWith(key.opened, signedAttributes),
    signer: certificate,
    certificates: path.map(({ der }) => der),
    digestAlgorithm: 'sha256',
  })
  const increment = completeIncrement(prepared, cms)
  mustVerify(concatenatedSource(source, increment), prepared, { ...trust, at: now })
  return { kind: 'signed', increment, signer: certificate }
}

async function prepareOrRefuse(
  source: ByteSource,
  at: Instant,
  certificate: Certificate,
): Promise<PreparedIncrement | Extract<SignedFile, { kind: 'refused' }>> {
  const plan = {
    caption: {
      name: certificate.name,
      character: 'Firmante',
      rfc: certificate.rfc ?? '',
      certificateNumber: certificate.certificateNumber,
    },
    reason: 'Firma electrónica con e.firma',
    at,
    contentsSize: CONTENTS_BYTES,
    zone: ZONE,
  }
  try {
    return await prepareSignature(source, plan, loadSheetFonts())
  } catch (error) {
    if (error instanceof PdfError) return refuse(PDF_REFUSALS[error.code])
    if (error instanceof Problem && error.code === 'signing-forbidden-by-document')
      return refuse('El documento está certificado y no admite más firmas.')
    if (error instanceof Problem && error.code === 'damaged-pdf')
      return refuse(PDF_REFUSALS.damaged)
    throw error
  }
}

const PDF_REFUSALS: Record<PdfError['code'], string> = {
  'not-a-pdf': 'El archivo no es un PDF.',
  damaged:
    'El PDF está dañado y no se puede firmar. Guárdelo de nuevo desde su programa de origen.',
  encrypted: 'El PDF está protegido con contraseña. Guárdelo sin protección.',
  'too-complex': 'El PDF es demasiado complejo para procesarlo.',
}

/** A signature that our own verifier does not pass is a mistake of ours, and nobody gets it. */
function mustVerify(
  signed: ByteSource,
  { fieldName }: PreparedIncrement,
  policy: VerificationPolicy,
): void {
  const { signatures } = verifyFile(signed, '', policy)
  const own = signatures.find(({ field }) => field === fieldName)
  const isGood = own?.intact && own.valid && own.trusted && own.coverage === 'ENTIRE_FILE'
  if (!isGood) throw new Error(`our own signature does not verify: ${own?.warnings.join(' ')}`)
}

const refuse = (sentence: string): Extract<SignedFile, { kind: 'refused' }> => ({
  kind: 'refused',
  sentence,
})
