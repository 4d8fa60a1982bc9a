import { readSmallFile } from '#server/adapters/small-file.ts'
import type { KEY_OPTIONS } from '#server/cli/commands/command-options.ts'
import { secretFromEnvironment } from '#server/config.ts'
import { openEfirma } from './open-efirma.ts'
import { openPkcs12File } from './open-pkcs12.ts'
import { withTokenKey } from './open-token.ts'
import type { Accept, OpenedKey, Refusal } from './opened-key.ts'
import { orUsageError, UsageError } from './usage.ts'

/** The key named on the command line. */
export type KeyOrder =
  | { kind: 'efirma'; cer: string; key: string; password: string }
  | { kind: 'pkcs12'; file: string; password: string }
  | { kind: 'pkcs11'; module: string; token: string | undefined; password: string }

type KeyValues = { [Name in keyof typeof KEY_OPTIONS]?: string | undefined }

/** The options of each key source; `token` is optional. */
const KEY_SOURCES = {
  efirma: ['cer', 'key', 'key-password-env'],
  pkcs12: ['p12', 'p12-password-env'],
  pkcs11: ['pkcs11', 'pin-env'],
} as const satisfies Record<KeyOrder['kind'], readonly (keyof KeyValues)[]>

/** Reads exactly one complete key source. @throws {UsageError} */
export function readKeyOrder(values: KeyValues): KeyOrder {
  const has = (name: keyof KeyValues) => values[name] !== undefined
  const [source, ...more] = Object.entries(KEY_SOURCES).filter(([, names]) => names.some(has))
  const isWhole = source?.[1].every((name) => Boolean(values[name]))
  const isOfToken = !has('token') || source?.[0] === 'pkcs11'
  if (!isWhole || more.length > 0 || !isOfToken)
    throw new UsageError('Indique una sola clave, completa: --cer con --key, --p12 o --pkcs11.')
  const { cer = '', key = '', p12 = '', pkcs11 = '', token } = values
  if (source?.[0] === 'pkcs12')
    return { kind: 'pkcs12', file: p12, password: secretIn(values['p12-password-env']) }
  if (source?.[0] === 'pkcs11')
    return { kind: 'pkcs11', module: pkcs11, token, password: secretIn(values['pin-env']) }
  return { kind: 'efirma', cer, key, password: secretIn(values['key-password-env']) }
}

/** @throws {UsageError} if the variable is not set */
export function secretIn(variable = ''): string {
  const secret = secretFromEnvironment(variable)
  if (!secret) throw new UsageError(`La variable ${variable} no está definida o está vacía.`)
  return secret
}

/**
 * Runs `use` with the key, or returns why it cannot sign now.
 *
 * @param place resolves the full path of a file that the caller named
 */
export async function withKey<T>(
  order: KeyOrder,
  { place, accept }: { place(file: string): string; accept: Accept },
  use: (key: OpenedKey) => Promise<T>,
): Promise<T | Refusal> {
  if (order.kind === 'pkcs11')
    return withTokenKey({ ...order, module: place(order.module) }, accept, use)
  const read = (file: string) =>
    orUsageError(
      () => `No se puede leer ${file}.`,
      () => readSmallFile(place(file)),
    )
  const { password } = order
  const opened =
    order.kind === 'pkcs12'
      ? await openPkcs12File(read(order.file), password, accept)
      : await openEfirma({ certificate: read(order.cer), key: read(order.key), password }, accept)
  return opened.kind === 'refused' ? opened : use(opened)
}
