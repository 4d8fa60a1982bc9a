import type { Span } from '#server/domain/bytes.ts'
import type { Instant } from '#server/domain/time.ts'

/** What goes onto the signature sheet: the page that is appended before the first signature. */
export type SheetFacts = {
  folio: string
  /** "Copia certificada" */
  kind: string
  title: string
  /** "Instrumento: 12,345 · Libro: 78 …"; absent for what belongs to no instrument of the protocol. */
  instrument?: string
  /** "Notaría 12 de la Ciudad de México · Coyoacán, Ciudad de México" */
  office: string
  /** Address of /verify/{uuid}, also drawn as a QR code. */
  verificationUrl: string
  verificationCode: string
  /** SHA-256 of the original, hexadecimal. */
  originalSha256: string
  isDemo: boolean
}

/** What a signature will say about itself in the page. */
export type SignerCaption = {
  name: string
  /** "Notario titular", "Abogado", "Compareciente" … */
  character: string
  rfc: string
  certificateNumber: string
}

/** A field of the signature sheet that waits for the signature of one person. */
export type AwaitedSignature = {
  /** `Firmante-3` */
  fieldName: string
  name: string
  /** "Compareciente" */
  character: string
}

/** All that decides the bytes of a prepared sheet: the same plan on the same file gives the same bytes. */
export type SheetPlan = { sheet: SheetFacts; awaited: readonly AwaitedSignature[] }

/** The signature sheet with its empty fields: the revision that is appended before the first signature. */
export type PreparedSheet = {
  /** Length in bytes of the file to which it is appended. */
  baseLength: number
  bytes: Uint8Array
  /** Pages that are appended. */
  pages: number
  /** As the fields are called in the end, in the order of the plan: the file may have had one of these names. */
  fieldNames: readonly string[]
}

/** All that decides the bytes of a prepared signature: the same plan on the same file gives the same bytes. */
export type SignaturePlan = {
  /** The empty field of the file that is signed; absent: a new field is added. */
  field?: string
  /** Absent when the document gets no sheet: it already carries signatures, or the command line signs it. */
  sheet?: SheetFacts
  /** Absent for a signature without a visible field. */
  caption?: SignerCaption
  reason: string
  at: Instant
  /** Bytes kept free in /Contents for the CMS. */
  contentsSize: number
  /** Time zone in which the caption prints the time. */
  zone: string
}

/**
 * The half of a signature that needs no key: what is appended to the file, with a /Contents of zeros.
 * It is all that must be stored between the two halves.
 */
export type PreparedIncrement = {
  /** Length in bytes of the file to which it is appended. */
  baseLength: number
  bytes: Uint8Array
  /** The hex string of /Contents with its brackets, counted from the start of the whole file. */
  contents: Span
  byteRange: readonly [number, number, number, number]
  /** SHA-256 over the byte range: the message digest of the signed attributes. */
  digest: Uint8Array
  fieldName: string
}

/** The same with the digest of the file as it was read, so that a caller notices if the file changed since. */
export type CheckedIncrement = PreparedIncrement & {
  /** SHA-256 of the file to which it is appended, as it was read for `digest`. */
  baseDigest: Uint8Array
}
