import type { ParseArgsConfig } from 'node:util'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { secretFromEnvironment } from '../config.ts'
import { openEfirma } from './open-efirma.ts'
import { openPkcs12File } from './open-pkcs12.ts'
import type { OpenedKey, Refusal } from './opened-key.ts'
import { UsageError } from './usage.ts'

/** Where the caller says that the key is. */
export type KeyOrder =
  | { kind: 'efirma'; cer: string; key: string; password: string }
  | { kind: 'pkcs12'; file: string; password: string }

export const KEY_OPTIONS = {
  cer: { type: 'string' },
  key: { type: 'string' },
  'key-password-env': { type: 'string' },
  p12: { type: 'string' },
  'p12-password-env': { type: 'string' },
} as const satisfies ParseArgsConfig['options']

type KeyValues = { [Name in keyof typeof KEY_OPTIONS]?: string | undefined }

/** Exactly one way to a key, whole. @throws {UsageError} */
export function readKeyOrder(values: KeyValues): KeyOrder {
  const { cer, key, p12, 'key-password-env': ofKey, 'p12-password-env': ofPkcs12 } = values
  const isEfirma = cer !== undefined || key !== undefined || ofKey !== undefined
  const isPkcs12 = p12 !== undefined || ofPkcs12 !== undefined
  if (isEfirma && !isPkcs12 && cer && key && ofKey)
    return { kind: 'efirma', cer, key, password: secretIn(ofKey) }
  if (isPkcs12 && !isEfirma && p12 && ofPkcs12)
    return { kind: 'pkcs12', file: p12, password: secretIn(ofPkcs12) }
  throw new UsageError('Indique una sola clave, completa: --cer con --key, o --p12.')
}

function secretIn(variable: string): string {
  const secret = secretFromEnvironment(variable)
  if (!secret) throw new UsageError(`La variable ${variable} no está definida o está vacía.`)
  return secret
}

/** The key of the order, or why it cannot sign now. @param read the contents of a file that the caller named */
export function openKey(
  order: KeyOrder,
  read: (file: string) => Uint8Array,
  policy: VerificationPolicy,
): Promise<OpenedKey | Refusal> {
  const { password } = order
  if (order.kind === 'pkcs12') return openPkcs12File(read(order.file), password, policy)
  return openEfirma({ certificate: read(order.cer), key: read(order.key), password }, policy)
}
