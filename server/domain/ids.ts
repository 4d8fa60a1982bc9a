import { z } from 'zod'

/*
 * Identifiers are random UUIDs as text. They name a row; they never open a door: whatever grants access
 * is a token of its own, of which only the SHA-256 is stored.
 */
export const OfficeId = z.uuid().brand<'OfficeId'>()
export type OfficeId = z.infer<typeof OfficeId>

export const UserId = z.uuid().brand<'UserId'>()
export type UserId = z.infer<typeof UserId>

export const SessionId = z.uuid().brand<'SessionId'>()
export type SessionId = z.infer<typeof SessionId>

export const DocumentId = z.uuid().brand<'DocumentId'>()
export type DocumentId = z.infer<typeof DocumentId>

export const SignatureId = z.uuid().brand<'SignatureId'>()
export type SignatureId = z.infer<typeof SignatureId>

export const CertificateId = z.uuid().brand<'CertificateId'>()
export type CertificateId = z.infer<typeof CertificateId>

export const PreparedSignatureId = z.uuid().brand<'PreparedSignatureId'>()
export type PreparedSignatureId = z.infer<typeof PreparedSignatureId>

/** 64 lower-case hexadecimal digits: the address of a blob and the fingerprint shown to people. */
export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'Sha256'>()
export type Sha256 = z.infer<typeof Sha256>
