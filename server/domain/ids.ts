import { z } from 'zod'

/*
 * Identifiers are UUIDs as text: random, made from a form (`idMadeOnce`), or in the order of time where an office
 * collects many (`timeOrderedId`). They name rows and never grant access; tokens do, of which only the SHA-256 is stored.
 */
export const OfficeId = z.uuid().brand<'OfficeId'>()
export type OfficeId = z.infer<typeof OfficeId>

export const OfficeKeyId = z.uuid().brand<'OfficeKeyId'>()
export type OfficeKeyId = z.infer<typeof OfficeKeyId>

export const UserId = z.uuid().brand<'UserId'>()
export type UserId = z.infer<typeof UserId>

export const SessionId = z.uuid().brand<'SessionId'>()
export type SessionId = z.infer<typeof SessionId>

export const DocumentId = z.uuid().brand<'DocumentId'>()
export type DocumentId = z.infer<typeof DocumentId>

export const IssuedCopyId = z.uuid().brand<'IssuedCopyId'>()
export type IssuedCopyId = z.infer<typeof IssuedCopyId>

export const ConsentId = z.uuid().brand<'ConsentId'>()
export type ConsentId = z.infer<typeof ConsentId>

export const ArcoRequestId = z.uuid().brand<'ArcoRequestId'>()
export type ArcoRequestId = z.infer<typeof ArcoRequestId>

export const UploadId = z.uuid().brand<'UploadId'>()
export type UploadId = z.infer<typeof UploadId>

export const SignatureId = z.uuid().brand<'SignatureId'>()
export type SignatureId = z.infer<typeof SignatureId>

export const CertificateId = z.uuid().brand<'CertificateId'>()
export type CertificateId = z.infer<typeof CertificateId>

export const PreparedSignatureId = z.uuid().brand<'PreparedSignatureId'>()
export type PreparedSignatureId = z.infer<typeof PreparedSignatureId>

export const SigningSessionId = z.uuid().brand<'SigningSessionId'>()
export type SigningSessionId = z.infer<typeof SigningSessionId>

export const NumberSeriesId = z.uuid().brand<'NumberSeriesId'>()
export type NumberSeriesId = z.infer<typeof NumberSeriesId>

export const CapacityDocumentId = z.uuid().brand<'CapacityDocumentId'>()
export type CapacityDocumentId = z.infer<typeof CapacityDocumentId>

export const ReportRunId = z.uuid().brand<'ReportRunId'>()
export type ReportRunId = z.infer<typeof ReportRunId>

export const ActId = z.uuid().brand<'ActId'>()
export type ActId = z.infer<typeof ActId>

export const YubikeyId = z.uuid().brand<'YubikeyId'>()
export type YubikeyId = z.infer<typeof YubikeyId>

export const PartyId = z.uuid().brand<'PartyId'>()
export type PartyId = z.infer<typeof PartyId>

export const SignerId = z.uuid().brand<'SignerId'>()
export type SignerId = z.infer<typeof SignerId>

export const SigningLinkId = z.uuid().brand<'SigningLinkId'>()
export type SigningLinkId = z.infer<typeof SigningLinkId>

export const AccessTokenId = z.uuid().brand<'AccessTokenId'>()
export type AccessTokenId = z.infer<typeof AccessTokenId>

export const SignInId = z.uuid().brand<'SignInId'>()
export type SignInId = z.infer<typeof SignInId>

export const ActivationId = z.uuid().brand<'ActivationId'>()
export type ActivationId = z.infer<typeof ActivationId>

export const FactorRemovalId = z.uuid().brand<'FactorRemovalId'>()
export type FactorRemovalId = z.infer<typeof FactorRemovalId>

export const KeptRequestId = z.uuid().brand<'KeptRequestId'>()
export type KeptRequestId = z.infer<typeof KeptRequestId>

export const TotpFactorId = z.uuid().brand<'TotpFactorId'>()
export type TotpFactorId = z.infer<typeof TotpFactorId>

export const WebauthnCredentialId = z.uuid().brand<'WebauthnCredentialId'>()
export type WebauthnCredentialId = z.infer<typeof WebauthnCredentialId>

export const WebauthnChallengeId = z.uuid().brand<'WebauthnChallengeId'>()
export type WebauthnChallengeId = z.infer<typeof WebauthnChallengeId>

export const ServiceProviderId = z.uuid().brand<'ServiceProviderId'>()
export type ServiceProviderId = z.infer<typeof ServiceProviderId>

export const PresenceProofId = z.uuid().brand<'PresenceProofId'>()
export type PresenceProofId = z.infer<typeof PresenceProofId>

export const ConstanciaId = z.uuid().brand<'ConstanciaId'>()
export type ConstanciaId = z.infer<typeof ConstanciaId>

export const DocumentViewId = z.uuid().brand<'DocumentViewId'>()
export type DocumentViewId = z.infer<typeof DocumentViewId>

export const ObligationId = z.uuid().brand<'ObligationId'>()
export type ObligationId = z.infer<typeof ObligationId>

export const DeadlineId = z.uuid().brand<'DeadlineId'>()
export type DeadlineId = z.infer<typeof DeadlineId>

export const AlertId = z.uuid().brand<'AlertId'>()
export type AlertId = z.infer<typeof AlertId>

export const MailId = z.uuid().brand<'MailId'>()
export type MailId = z.infer<typeof MailId>

/** 64 lower-case hexadecimal digits: blob addresses and displayed fingerprints. */
export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'Sha256'>()
export type Sha256 = z.infer<typeof Sha256>
