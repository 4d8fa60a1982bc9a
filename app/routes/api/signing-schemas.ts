import { z } from 'zod'
import { fromBase64, toBase64 } from '#server/domain/bytes.ts'
import { Folio } from '#server/domain/documents/folio.ts'
import { DocumentId, PreparedSignatureId, Sha256, SignerId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { timestamp } from './shared-schemas.ts'

/** Canonical base64, large enough for a certificate or a signature. */
const base64 = z
  .string()
  .max(16_384)
  .refine(isCanonical, 'not base64')
  .meta({ description: 'Base64 (RFC 4648, 4).' })

function isCanonical(text: string): boolean {
  try {
    return toBase64(fromBase64(text)) === text
  } catch {
    return false
  }
}

export const documentPath = z.object({ documentId: DocumentId })
export const preparedPath = z.object({ preparedId: PreparedSignatureId })

const turn = z
  .strictObject({
    documentId: DocumentId,
    folio: Folio,
    title: z.string(),
    version: z.int().positive(),
    sha256: Sha256.meta({ description: 'SHA-256 of the current version, hexadecimal.' }),
    pages: z.int().positive(),
    session: z.string().nullable().meta({ description: 'Title of the signing session.' }),
    deadline: timestamp.nullable(),
  })
  .meta({ id: 'signingTurn' })

/** Reads what {@link turnCursorText} wrote. */
export const turnCursor = z
  .string()
  .transform((text) => text.split('.'))
  .transform(([since, signerId, position]) => ({
    ...{ since: Number(since), signerId, position: Number(position) },
  }))
  .pipe(z.object({ since: Instant, signerId: SignerId, position: z.int32() }))

/** `1763650000000.7f3c….12` */
export const turnCursorText = ({ since, signerId, position }: z.output<typeof turnCursor>) =>
  `${since}.${signerId}.${position}`

export const listTurnsQuery = z.strictObject({
  behind: z
    .string()
    .refine((text) => turnCursor.safeParse(text).success, 'not a cursor')
    .optional()
    .meta({ description: '`next` of the page before; without it the first page.' }),
})

export const listTurnsResponse = z
  .strictObject({
    name: z.string(),
    rfc: z.string().meta({ description: 'RFC of the required signer.' }),
    documents: z.array(turn).meta({ description: 'At most 1000, oldest session first.' }),
    next: z.string().nullable().meta({
      description: '`behind` of the next page; null on the last one.',
    }),
  })
  .meta({ id: 'listTurnsResponse' })

export const prepareRequest = z
  .strictObject({
    version: z.int().positive().meta({ description: 'The version that the signer saw.' }),
    certificate: base64,
  })
  .meta({ id: 'prepareSignatureRequest' })

export const prepareResponse = z
  .strictObject({
    preparedId: PreparedSignatureId,
    toBeSigned: base64.meta({ description: 'DER of the signed attributes, in base64.' }),
    digest: base64.meta({
      description: 'SHA-256 of the byte range, which the signed attributes contain.',
    }),
    documentSha256: Sha256,
    expiresAt: timestamp,
  })
  .meta({ id: 'prepareSignatureResponse' })

export const completeRequest = z
  .strictObject({
    signature: base64.meta({ description: 'RSASSA-PKCS1-v1_5 with SHA-256 over `toBeSigned`.' }),
  })
  .meta({ id: 'completeSignatureRequest' })

export const completeResponse = z
  .strictObject({ documentId: DocumentId, version: z.int().positive() })
  .meta({ id: 'completeSignatureResponse' })
