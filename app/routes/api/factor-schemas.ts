import { z } from 'zod'
import { AssertionAnswer, RegistrationAnswer } from '#server/domain/identity/webauthn-answer.ts'
import { WebauthnCredentialName } from '#server/domain/identity/webauthn-credential.ts'
import { AssertionOptions, RegistrationOptions } from '#server/domain/identity/webauthn-options.ts'
import { TotpFactorId, WebauthnCredentialId } from '#server/domain/ids.ts'
import { TypedPassword } from '#server/features/auth/typed-password.ts'
import { mfaSessionToken, timestamp } from './shared-schemas.ts'

export const changePasswordRequest = z
  .strictObject({ currentPassword: TypedPassword, newPassword: z.string().max(512) })
  .meta({ id: 'changePasswordRequest' })

export const changePasswordResponse = z
  .strictObject({
    terminated: z
      .int()
      .nonnegative()
      .meta({ description: 'Number of other sessions that were ended.' }),
  })
  .meta({ id: 'changePasswordResponse' })

export const enableTotpRequest = z.strictObject({}).meta({ id: 'enableTotpRequest' })
export const disableTotpRequest = z.strictObject({}).meta({ id: 'disableTotpRequest' })
export const verifyTotpSetupRequest = z
  .strictObject({ code: z.string().min(1).max(64) })
  .meta({ id: 'verifyTotpSetupRequest' })
export const regenerateBackupCodesRequest = z
  .strictObject({})
  .meta({ id: 'regenerateBackupCodesRequest' })

export const enableTotpResponse = z
  .strictObject({
    factorId: TotpFactorId,
    secret: z.string().meta({ description: 'Base32, to type instead of scanning.' }),
    uri: z.string().meta({ description: 'otpauth://totp/…, for a QR code.' }),
  })
  .meta({ id: 'enableTotpResponse' })

/** Shown once; only hashes are stored. */
const backupCodes = z.array(z.string()).meta({ description: 'Shown once.' })

export const verifyTotpSetupResponse = z
  .strictObject({
    backupCodes: backupCodes
      .nullable()
      .meta({ description: 'Set with the first factor; otherwise null.' }),
  })
  .meta({ id: 'verifyTotpSetupResponse' })

export const regenerateBackupCodesResponse = z
  .strictObject({ backupCodes })
  .meta({ id: 'regenerateBackupCodesResponse' })

export const credentialPath = z.strictObject({ credentialId: WebauthnCredentialId })

export const webAuthnCredential = z
  .strictObject({
    id: WebauthnCredentialId,
    name: z.string(),
    model: z.string().meta({ description: 'As reported by the key.' }),
    state: z.enum(['ACTIVE', 'SUSPECT']),
    isBackedUp: z.boolean(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'webAuthnCredential' })

export const listWebAuthnCredentialsResponse = z
  .strictObject({ credentials: z.array(webAuthnCredential) })
  .meta({ id: 'listWebAuthnCredentialsResponse' })

export const updateWebAuthnCredentialBody = z
  .strictObject({ name: WebauthnCredentialName })
  .meta({ id: 'updateWebAuthnCredentialBody' })

export const beginWebAuthnRegistrationRequest = z
  .strictObject({})
  .meta({ id: 'beginWebAuthnRegistrationRequest' })

export const beginWebAuthnRegistrationResponse = z
  .strictObject({
    publicKey: RegistrationOptions.meta({
      description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn.',
    }),
  })
  .meta({ id: 'beginWebAuthnRegistrationResponse' })

export const finishWebAuthnRegistrationRequest = z
  .strictObject({
    name: WebauthnCredentialName.optional().meta({
      description: 'Defaults to the key’s model.',
    }),
    credential: RegistrationAnswer.meta({ description: 'RegistrationResponseJSON of WebAuthn.' }),
  })
  .meta({ id: 'finishWebAuthnRegistrationRequest' })

export const finishWebAuthnRegistrationResponse = z
  .strictObject({
    credential: webAuthnCredential,
    backupCodes: backupCodes
      .nullable()
      .meta({ description: 'Set with the first factor; otherwise null.' }),
  })
  .meta({ id: 'finishWebAuthnRegistrationResponse' })

export const beginWebAuthnAuthenticationRequest = z
  .strictObject({ mfaSessionToken: mfaSessionToken.optional() })
  .meta({ id: 'beginWebAuthnAuthenticationRequest' })

export const beginWebAuthnAuthenticationResponse = z
  .strictObject({
    publicKey: AssertionOptions.meta({
      description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn.',
    }),
  })
  .meta({ id: 'beginWebAuthnAuthenticationResponse' })

export const finishWebAuthnAuthenticationRequest = z
  .strictObject({
    mfaSessionToken: mfaSessionToken.optional(),
    credential: AssertionAnswer.meta({ description: 'AuthenticationResponseJSON of WebAuthn.' }),
  })
  .meta({ id: 'finishWebAuthnAuthenticationRequest' })
