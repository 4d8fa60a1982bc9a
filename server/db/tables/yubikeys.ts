import type { Instant } from '#server/domain/time.ts'

export type YubikeyRow = {
  id: string
  office_id: string
  serial: string
  model: string
  firmware: string | null
  form_factor: string | null
  state: string
  state_since: Instant
  state_by: string
  holder_id: string | null
  certificate_id: string | null
  version: number
}

export type YubikeyChangeRow = {
  yubikey_id: string
  version: number
  kind: string
  at: Instant
  by_user: string
  holder_id: string | null
  note: string | null
}

export type YubikeyAttestationRow = {
  yubikey_id: string
  version: number
  slot: string
  certificates: Uint8Array
}

export type YubikeyCredentialRow = {
  credential_id: string
  yubikey_id: string
  at: Instant
  by_user: string
}

export type MakerCertificateRow = {
  office_id: string
  sha256: string
  der: Uint8Array
  name: string
  state: string
  reason: string
  state_since: Instant
  state_by: string
}
